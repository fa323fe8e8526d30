use super::*;
use crate::billing::Money;
use crate::metering::{LedgerId, Limit};
use crate::vocabulary::ClientId;
use proptest::prelude::*;

const LOOKUP: MeteringInput = MeteringInput {
    context: 1,
    key: 1,
    answer: Answer::UNKNOWN,
    commitment: Commitment([0; 32]),
    idempotency: None,
    environment: Environment::Live,
};

fn fresh() -> MeterState {
    MeterState::new(LedgerId::live(ClientId::from_bytes([1; 16])))
}

fn timestamp(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Runs lookups at these times; returns the state and all rows.
fn run(
    mut state: MeterState,
    rules: &MeterRules,
    times: impl IntoIterator<Item = Timestamp>,
) -> (MeterState, Vec<LedgerRow>) {
    let mut rows = Vec::new();
    for now in times {
        let (next, decision) = decide(&state, &LOOKUP, rules, now);
        if let MeteringDecision::Recorded(metered) = decision {
            rows.extend(metered.ended.map(|ending| ending.marker));
            rows.push(metered.row);
        }
        state = next;
    }
    (state, rows)
}

#[test]
fn lifetime_allowance_never_resets() {
    let rules = MeterRules::default();
    let (state, rows) = run(
        fresh(),
        &rules,
        std::iter::repeat_n(timestamp("2026-01-31T23:59:59Z"), 600),
    );
    let (state, more) = run(
        state,
        &rules,
        std::iter::repeat_n(timestamp("2026-02-01T00:00:00Z"), 600),
    );
    let free = rows
        .iter()
        .chain(&more)
        .filter(|r| matches!(r.kind, RowKind::Lookup(l) if l.free))
        .count();
    assert_eq!((free, state.billable, state.charged), (1000, 600, 200));
    let RowKind::PeriodEnd(end) = more[0].kind else {
        panic!("the first row past a boundary is a marker")
    };
    assert_eq!((end.billable, end.paid), (600, 0));
    assert_eq!(state.seq, 1201);
}

#[test]
fn monthly_allowance_resets() {
    let rules = MeterRules {
        allowance: 2,
        reset: AllowanceReset::Monthly,
        ..MeterRules::default()
    };
    let times = ["2026-01-10T00:00:00Z"; 3]
        .into_iter()
        .chain(["2026-02-10T00:00:00Z"; 3])
        .map(timestamp);
    let (state, _) = run(fresh(), &rules, times);
    assert_eq!((state.billable, state.charged), (3, 1));
}

#[test]
fn cap_rejects_until_the_next_period() {
    let state = MeterState {
        cap: Some(1),
        ..fresh()
    };
    let rules = MeterRules::default();
    let (state, _) = run(state, &rules, [timestamp("2026-01-10T00:00:00Z")]);
    let (after, decision) = decide(&state, &LOOKUP, &rules, timestamp("2026-01-11T00:00:00Z"));
    assert_eq!(
        decision,
        MeteringDecision::CapReached {
            resets_at: timestamp("2026-02-01T00:00:00Z")
        }
    );
    assert_eq!(after, state);
    assert!(matches!(
        decide(&state, &LOOKUP, &rules, timestamp("2026-02-01T00:00:00Z")).1,
        MeteringDecision::Recorded(_)
    ));
}

/// Runs a number of lookups at `now`; returns the state, and the rows that raised the alert of a cap.
fn rows_that_reach_a_cap(
    mut state: MeterState,
    rules: &MeterRules,
    now: Timestamp,
    lookups: usize,
) -> (MeterState, Vec<u64>) {
    let mut rows = Vec::new();
    for _ in 0..lookups {
        let (next, decision) = decide(&state, &LOOKUP, rules, now);
        if let MeteringDecision::Recorded(metered) = decision {
            let cap_alerts = metered
                .alerts
                .iter()
                .filter(|alert| alert.kind == AlertKind::CapReached);
            rows.extend(cap_alerts.map(|alert| alert.seq));
        }
        state = next;
    }
    (state, rows)
}

#[test]
fn cap_alert_is_raised_by_the_last_allowed_row() {
    let rules = MeterRules {
        allowance: 4,
        ..MeterRules::default()
    };
    let january = timestamp("2026-01-10T00:00:00Z");
    let february = timestamp("2026-02-10T00:00:00Z");
    let capped = |state: MeterState, cap| {
        state
            .with_limit(Limit::Lookups(Some(cap)), &rules.price_book)
            .unwrap()
    };
    let state = capped(fresh(), 3);
    let (state, rows) = rows_that_reach_a_cap(state, &rules, january, 5);
    assert_eq!(rows, [3], "the fourth lookup is rejected");
    let state = capped(state, 5);
    let (state, rows) = rows_that_reach_a_cap(state, &rules, january, 5);
    assert_eq!(rows, [5], "a changed cap is reached again");
    // Row 6 marks the end of January.
    let (state, rows) = rows_that_reach_a_cap(state, &rules, february, 9);
    assert_eq!(rows, [11], "each period reaches its cap");
    assert!(state.alerts.contains(AlertKind::CapReached));
}

#[test]
fn money_cap_alert_counts_the_free_rows() {
    let rules = MeterRules {
        allowance: 4,
        ..MeterRules::default()
    };
    let money_cap = Limit::Money(Some(Money {
        minor: 1,
        currency: rules.price_book.currency(),
    }));
    let state = fresh().with_limit(money_cap, &rules.price_book).unwrap();
    let paid_rows = state.spending.cap.unwrap().max_charged_lookups;
    assert!((1..100).contains(&paid_rows), "{paid_rows}");
    let (_, rows) = rows_that_reach_a_cap(state, &rules, timestamp("2026-01-10T00:00:00Z"), 110);
    assert_eq!(rows, [4 + paid_rows]);
}

#[test]
fn meter_state_round_trips() {
    let (state, _) = run(
        MeterState {
            cap: Some(9),
            ..fresh()
        },
        &MeterRules::default(),
        [timestamp("2026-01-10T00:00:00Z")],
    );
    assert_eq!(MeterState::from_bytes(&state.to_bytes()), Ok(state));
    assert_eq!(MeterState::from_bytes(&fresh().to_bytes()), Ok(fresh()));
}

proptest! {
    #[test]
    fn rows_are_gapless_and_chained(steps in proptest::collection::vec(-100_000_000_i64..4_000_000_000, 1..40), allowance in 0_u64..20) {
        let rules = MeterRules { allowance, ..MeterRules::default() };
        let mut now = 1_700_000_000_000;
        let times: Vec<_> = steps.iter().map(|step| { now += step; Timestamp::from_millis(now) }).collect();
        let (state, rows) = run(fresh(), &rules, times);
        let mut head = fresh().head;
        for (place, row) in rows.iter().enumerate() {
            prop_assert_eq!(row.seq, place as u64 + 1);
            prop_assert!(place == 0 || rows[place - 1].at <= row.at);
            head = head.extend(&row.to_bytes());
        }
        prop_assert_eq!(head, state.head);
        let lookups = rows.iter().filter(|r| matches!(r.kind, RowKind::Lookup(_))).count() as u64;
        let free = rows.iter().filter(|r| matches!(r.kind, RowKind::Lookup(l) if l.free)).count() as u64;
        prop_assert_eq!(lookups, steps.len() as u64);
        prop_assert_eq!(free, lookups.min(allowance));
    }

    #[test]
    fn decoder_never_panics(bytes: Vec<u8>) {
        let _ = MeterState::from_bytes(&bytes);
    }
}

proptest! {
    #[test]
    fn applied_rows_give_the_decided_state(gaps in prop::collection::vec(0..40_u64, 0..30), allowance in 0..20_u64, is_monthly: bool) {
        let reset = if is_monthly { AllowanceReset::Monthly } else { AllowanceReset::Never };
        let rules = MeterRules { allowance, reset, ..MeterRules::default() };
        let mut state = fresh();
        let mut now = timestamp("2026-01-10T00:00:00Z");
        for days in gaps {
            now = now.saturating_add(std::time::Duration::from_hours(24 * days));
            let (decided, decision) = decide(&state, &LOOKUP, &rules, now);
            let MeteringDecision::Recorded(metered) = decision else { unreachable!("there is no cap") };
            let mut applied_state = state;
            if let Some(ending) = &metered.ended {
                applied_state.apply(&ending.marker).unwrap();
            }
            if metered.book.is_some() {
                prop_assert!(applied_state.apply(&metered.row).is_err(), "no period is running");
            } else {
                applied_state.apply(&metered.row).unwrap();
                applied_state.alerts = decided.alerts;
                prop_assert_eq!(applied_state, decided);
            }
            state = decided;
        }
    }
}

#[test]
fn row_out_of_sequence_is_not_applied() {
    let (state, rows) = run(
        fresh(),
        &MeterRules::default(),
        [timestamp("2026-01-10T00:00:00Z"); 2],
    );
    let next = LedgerRow { seq: 3, ..rows[1] };
    let apply = |row: LedgerRow| {
        let mut next_state = state;
        next_state.apply(&row).map(|()| next_state.seq)
    };
    assert_eq!(apply(next), Ok(3));
    for row in [
        rows[1],
        LedgerRow { seq: 4, ..next },
        LedgerRow {
            at: timestamp("2026-01-09T23:59:59Z"),
            ..next
        },
        LedgerRow {
            at: timestamp("2026-02-01T00:00:00Z"),
            ..next
        },
    ] {
        assert_eq!(
            apply(row),
            Err(RowOutOfOrder {
                seq: row.seq,
                last: 2
            }),
            "{row:?}"
        );
    }
}
