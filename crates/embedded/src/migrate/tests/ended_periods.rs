use super::*;
use crate::read_records::ReadRecords;
use crate::record::{ClientCount, ClientNameIndex, ClientRecord};
use crate::table::ClientNumber;
use crate::write_transaction::WriteTransaction;
use crate::{Batch, Engine};
use voight_domain::codec::Encoder;
use voight_domain::metering::{
    ChainHead, Commitment, EndedPeriod, LedgerRow, LookupRow, MeterState, Period, PeriodEnd, RowKind,
};
use voight_domain::registry::{Client, ClientStatus, ContextAccess};
use voight_domain::verdict::Answer;
use voight_domain::vocabulary::ClientId;
use voight_domain::vocabulary::Environment::Live;

const TENANT: ClientNumber = ClientNumber(1);
const DAY: i64 = 86_400_000;

fn day(day: i64) -> Timestamp {
    Timestamp::from_millis(day * DAY)
}

fn lookup(seq: u64, at: Timestamp) -> LedgerRow {
    let (answer, commitment) = (Answer::UNKNOWN, Commitment([7; 32]));
    LedgerRow {
        seq,
        at,
        kind: RowKind::Lookup(LookupRow { context: 1, key: 1, free: true, answer, commitment, claim: None, cap: None }),
    }
}

fn marker(seq: u64, at: Timestamp, period: Period) -> LedgerRow {
    LedgerRow { seq, at, kind: RowKind::PeriodEnd(PeriodEnd { period, billable: 1, paid: 0, book: None }) }
}

/// Creates a store of format 3 with two ended periods and a running one. It has ledger rows, and a meter without the
/// new fields.
fn older() -> (Store, Vec<LedgerRow>, [Period; 3]) {
    let periods = [0, 31, 59].map(|start| Period { start: day(start), end: day(start + 28) });
    let rows = vec![
        lookup(1, day(1)),
        marker(2, day(40), periods[0]),
        lookup(3, day(40)),
        marker(4, day(60), periods[1]),
        lookup(5, day(60)),
        lookup(6, day(61)),
    ];
    let id = ClientId::from_bytes([1; 16]);
    let head = rows.iter().fold(ChainHead::genesis(id, Live), |head, row| head.extend(&row.to_bytes()));
    let mut meter = Encoder::versioned(1);
    meter.uint(6).fixed(&head.0).int(day(61).as_millis()).uint(4);
    meter.option(Some(periods[2]), |out, period| period.encode(out)).uint(2).uint(0);
    meter.option(None::<u64>, |out, cap| {
        out.uint(cap);
    });
    let store = Store::from_dump(audit_chain::DUMP);
    store.main.modify_entries(|map| map.retain(|key, _| Table::of_key(key) == Some(Table::Identity)));
    store.evidence.modify_entries(|map| map.retain(|key, _| Table::of_key(key) == Some(Table::Identity)));
    let (snapshot, group) = (store.main.snapshot().unwrap(), Batch::default());
    let mut step = WriteTransaction::new(&snapshot, &group);
    let client = Client {
        id,
        name: "client".parse().unwrap(),
        status: ClientStatus::Active,
        origins: Vec::new(),
        lookup_rate: None,
        contexts: ContextAccess::default(),
        created_at: day(0),
    };
    step.put(table::name(&client.name), &ClientNameIndex(id));
    step.put(table::client(id), &ClientRecord { tenant: TENANT, client });
    step.put(table::client_total(), &ClientCount(1));
    step.put(table::counts(TENANT), &crate::record::ClientCounters { keys: 1, contexts: 1 });
    for row in &rows {
        step.put(table::row(TENANT, Live, row.seq), row);
    }
    let mut batch = step.into_batch();
    let key = table::meter(TENANT, Live).key;
    let value = checksum::with_checksum(&key, meter.finish());
    batch.put(key, value);
    store.main.apply(&batch).unwrap();
    (store, rows, periods)
}

#[test]
fn ended_periods_are_listed_and_the_running_one_knows_its_first_row() {
    let (mut store, rows, periods) = older();
    store.identity = store.run().unwrap();
    let view = store.main.snapshot().unwrap();
    let meter: MeterState = view.fetch(&table::meter(TENANT, Live)).unwrap().unwrap();
    assert_eq!(
        (meter.seq, meter.period_first_seq, meter.period, meter.previous_period_end),
        (6, 5, Some(periods[2]), Some(periods[1].end))
    );
    assert_eq!((meter.billable, meter.allowance_used, meter.price_book), (2, 4, None));
    let heads: Vec<_> = rows
        .iter()
        .scan(ChainHead::genesis(ClientId::from_bytes([1; 16]), Live), |head, row| {
            *head = head.extend(&row.to_bytes());
            Some(*head)
        })
        .collect();
    assert_eq!(meter.head, heads[5]);
    let expected = [(0, 1, 2), (1, 3, 4)].map(|(place, first, last): (usize, u64, u64)| EndedPeriod {
        period: periods[place],
        first_seq: first,
        last_seq: last,
        head: heads[usize::try_from(last).unwrap() - 1],
        billable: 1,
        charged: 0,
        book: None,
        invoice: None,
        last_voided_invoice: None,
    });
    assert_eq!(view.list(&table::ended_periods(TENANT, Live), 9).unwrap(), expected);
}

#[test]
fn a_second_time_changes_nothing() {
    let (store, ..) = older();
    store.run().unwrap();
    let before = store.entries();
    let again = Store { identity: store.identity.in_format(3), ..store };
    again.run().unwrap();
    assert_eq!(again.entries()[0].len(), before[0].len());
    let meter = table::meter(TENANT, Live).key;
    assert_eq!(again.entries()[0].get(&meter), before[0].get(&meter));
}
