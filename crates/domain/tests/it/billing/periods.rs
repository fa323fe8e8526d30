//! Periods, their markers, and the chain over all rows.

use super::histories::{after_each_step, at_the_end};
use super::world::BillingSimulation;
use fastrand::Rng;
use voight_domain::metering::{ChainHead, LedgerId, LedgerRow, Period, RowKind};

/// Returns all periods of the client in order, the running one last.
fn periods(world: &BillingSimulation) -> Vec<Period> {
    let running = world.meter.and_then(|meter| meter.period);
    world
        .ended
        .values()
        .map(|ended_period| ended_period.period)
        .chain(running)
        .collect()
}

#[test]
fn periods_never_overlap() {
    after_each_step(|world| {
        let periods = periods(world);
        assert!(
            periods.iter().all(|period| period.start <= period.end),
            "{periods:?}"
        );
        assert!(
            periods.windows(2).all(|pair| pair[0].end <= pair[1].start),
            "{periods:?}"
        );
    });
}

#[test]
fn period_marker_counts_its_rows() {
    at_the_end(|world| {
        assert!(
            (1..).zip(&world.rows).all(|(seq, row)| row.seq == seq),
            "a number is missing"
        );
        assert!(world.rows.is_sorted_by_key(|row| row.at), "dates go back");
        let mut rows: Vec<&LedgerRow> = Vec::new();
        let mut ended_periods = world.ended.values();
        for row in &world.rows {
            let RowKind::PeriodEnd(end) = row.kind else {
                rows.push(row);
                continue;
            };
            let paid_rows = rows
                .iter()
                .filter(|row| matches!(row.kind, RowKind::Lookup(lookup) if !lookup.free))
                .count();
            assert_eq!(
                (end.billable, end.paid),
                (rows.len() as u64, paid_rows as u64)
            );
            assert!(row.at >= end.period.end, "a period ended early");
            let dates: Vec<_> = rows.iter().map(|row| row.at).collect();
            // A client that is closed ends its period at the instant of the closing.
            let holds = |at| {
                end.period.contains(at)
                    || (row.seq == world.rows.len() as u64 && at == end.period.end)
            };
            assert!(
                dates.iter().all(|at| holds(*at)),
                "{dates:?} in {:?}",
                end.period
            );
            let ended_period = ended_periods.next().unwrap();
            assert_eq!(
                (
                    ended_period.period,
                    ended_period.last_seq,
                    ended_period.billable,
                    ended_period.book
                ),
                (end.period, row.seq, end.billable, end.book)
            );
            rows.clear();
        }
        assert!(rows.is_empty() && ended_periods.next().is_none());
    });
}

#[test]
fn tampered_rows_change_the_head() {
    at_the_end(|world| {
        let rows: Vec<_> = world.rows.iter().map(LedgerRow::to_bytes).collect();
        let chain = |rows: &[Vec<u8>]| {
            let genesis = ChainHead::genesis(LedgerId::live(world.client.id));
            rows.iter().fold(genesis, |head, row| head.extend(row))
        };
        let head = chain(&rows);
        assert_eq!(
            world.meter.map_or(head, |meter| meter.head),
            head,
            "a false alarm"
        );
        if rows.len() < 2 {
            return;
        }
        let mut random = Rng::with_seed(rows.len() as u64);
        let row_index = random.usize(..rows.len());
        let offset = random.usize(1..rows.len());
        let mut flipped_rows = rows.clone();
        let byte = random.usize(..flipped_rows[row_index].len());
        flipped_rows[row_index][byte] ^= 1 << random.u8(..8);
        let mut shortened_rows = rows.clone();
        shortened_rows.remove(row_index);
        let mut swapped_rows = rows.clone();
        swapped_rows.swap(row_index, (row_index + offset) % rows.len());
        for tampered in [
            &flipped_rows,
            &shortened_rows,
            &swapped_rows,
            &rows[..offset].to_vec(),
        ] {
            assert_ne!(chain(tampered), head);
        }
    });
}
