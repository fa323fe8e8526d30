//! The metering decision: which rows a lookup adds, and whether it is free.

use super::{AnchorDay, Commitment, LedgerRow, LookupRow, MeterState, Period, PeriodEnd, RowKind};
use crate::secrets::ClaimDigest;
use crate::verdict::Answer;
use crate::vocabulary::Timestamp;

/// The rules of metering that an operator configures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeterRules {
    /// Free lookups of a client.
    pub allowance: u64,
    /// Whether the allowance comes back.
    pub reset: Reset,
    /// The day of the month on which a period begins.
    pub anchor: AnchorDay,
}

/// Whether the free allowance comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reset {
    /// Once in the life of a client.
    Never,
    /// With every period.
    Monthly,
}

impl Default for MeterRules {
    /// The first 1,000 lookups of a client are free (requirement, section 8), in calendar months.
    fn default() -> Self {
        Self { allowance: 1000, reset: Reset::Never, anchor: AnchorDay::default() }
    }
}

/// What is metered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lookup {
    /// The number of the context within its client.
    pub context: u32,
    /// The number of the key within its client.
    pub key: u32,
    /// What will be answered.
    pub answer: Answer,
    /// Commits to the address.
    pub commitment: Commitment,
    /// The digest of its idempotency key.
    pub claim: Option<ClaimDigest>,
}

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The lookup is recorded by `row`, after `marker` if a period ended before it.
    Recorded {
        /// The end of the period before, if this is the first row past it.
        marker: Option<LedgerRow>,
        /// The lookup's row.
        row: LedgerRow,
    },
    /// The client's hard cap is reached; nothing is recorded.
    CapReached {
        /// When the next period begins.
        resets_at: Timestamp,
    },
}

/// Decides one lookup at `now`.
///
/// Rows are dated `max(now, date of the row before)`, so a clock that goes back never reorders the ledger. The first row
/// past a period's end puts a marker with that period's totals in front of itself.
pub fn decide(state: &MeterState, lookup: &Lookup, rules: &MeterRules, now: Timestamp) -> (MeterState, Decision) {
    let at = if state.seq == 0 { now } else { now.max(state.last_at) };
    let mut next = *state;
    let marker = next.turn_period(at, rules);
    let period = Period::containing(at, rules.anchor);
    if next.cap.is_some_and(|cap| next.billable >= cap) {
        return (*state, Decision::CapReached { resets_at: period.end });
    }
    let free = next.allowance_used < rules.allowance;
    next.billable += 1;
    if free {
        next.allowance_used += 1;
    } else {
        next.paid += 1;
    }
    let row = next.append(
        at,
        RowKind::Lookup(LookupRow {
            context: lookup.context,
            key: lookup.key,
            free,
            answer: lookup.answer,
            commitment: lookup.commitment,
            claim: lookup.claim,
            cap: next.cap,
        }),
    );
    (next, Decision::Recorded { marker, row })
}

impl MeterState {
    /// Moves to the period of `at`; if another one was running, the marker that ends it.
    fn turn_period(&mut self, at: Timestamp, rules: &MeterRules) -> Option<LedgerRow> {
        let current = Period::containing(at, rules.anchor);
        let ended = self.period.replace(current).filter(|before| before.end <= at)?;
        let end = PeriodEnd { period: ended, billable: self.billable, paid: self.paid };
        (self.billable, self.paid) = (0, 0);
        if rules.reset == Reset::Monthly {
            self.allowance_used = 0;
        }
        Some(self.append(at, RowKind::PeriodEnd(end)))
    }

    /// Appends a row to sequence and chain.
    fn append(&mut self, at: Timestamp, kind: RowKind) -> LedgerRow {
        self.seq += 1;
        self.last_at = at;
        let row = LedgerRow { seq: self.seq, at, kind };
        self.head = self.head.after(&row.to_bytes());
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::{ClientId, Environment};
    use proptest::prelude::*;

    const LOOKUP: Lookup =
        Lookup { context: 1, key: 1, answer: Answer::UNKNOWN, commitment: Commitment([0; 32]), claim: None };

    fn fresh() -> MeterState {
        MeterState::new(ClientId::from_bytes([1; 16]), Environment::Live)
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// Runs lookups at these times; returns the state and every row.
    fn run(
        mut state: MeterState,
        rules: &MeterRules,
        times: impl IntoIterator<Item = Timestamp>,
    ) -> (MeterState, Vec<LedgerRow>) {
        let mut rows = Vec::new();
        for now in times {
            let (next, decision) = decide(&state, &LOOKUP, rules, now);
            if let Decision::Recorded { marker, row } = decision {
                rows.extend(marker);
                rows.push(row);
            }
            state = next;
        }
        (state, rows)
    }

    #[test]
    fn the_first_thousand_are_free_for_life() {
        let rules = MeterRules::default();
        let (state, rows) = run(fresh(), &rules, std::iter::repeat_n(at("2026-01-31T23:59:59Z"), 600));
        let (state, more) = run(state, &rules, std::iter::repeat_n(at("2026-02-01T00:00:00Z"), 600));
        let free = rows.iter().chain(&more).filter(|r| matches!(r.kind, RowKind::Lookup(l) if l.free)).count();
        assert_eq!((free, state.billable, state.paid), (1000, 600, 200));
        let RowKind::PeriodEnd(end) = more[0].kind else { panic!("the first row past a boundary is a marker") };
        assert_eq!((end.billable, end.paid), (600, 0));
        assert_eq!(state.seq, 1201);
    }

    #[test]
    fn a_monthly_allowance_comes_back() {
        let rules = MeterRules { allowance: 2, reset: Reset::Monthly, ..MeterRules::default() };
        let times = ["2026-01-10T00:00:00Z"; 3].into_iter().chain(["2026-02-10T00:00:00Z"; 3]).map(at);
        let (state, _) = run(fresh(), &rules, times);
        assert_eq!((state.billable, state.paid), (3, 1));
    }

    #[test]
    fn a_cap_refuses_without_a_row_until_the_next_period() {
        let state = MeterState { cap: Some(1), ..fresh() };
        let rules = MeterRules::default();
        let (state, _) = run(state, &rules, [at("2026-01-10T00:00:00Z")]);
        let (after, decision) = decide(&state, &LOOKUP, &rules, at("2026-01-11T00:00:00Z"));
        assert_eq!(decision, Decision::CapReached { resets_at: at("2026-02-01T00:00:00Z") });
        assert_eq!(after, state);
        assert!(matches!(decide(&state, &LOOKUP, &rules, at("2026-02-01T00:00:00Z")).1, Decision::Recorded { .. }));
    }

    #[test]
    fn the_state_survives_the_round_trip() {
        let (state, _) =
            run(MeterState { cap: Some(9), ..fresh() }, &MeterRules::default(), [at("2026-01-10T00:00:00Z")]);
        assert_eq!(MeterState::from_bytes(&state.to_bytes()), Ok(state));
        assert_eq!(MeterState::from_bytes(&fresh().to_bytes()), Ok(fresh()));
    }

    proptest! {
        #[test]
        fn rows_are_gapless_dated_in_order_and_chained(steps in proptest::collection::vec(-100_000_000_i64..4_000_000_000, 1..40), allowance in 0_u64..20) {
            let rules = MeterRules { allowance, ..MeterRules::default() };
            let mut now = 1_700_000_000_000;
            let times: Vec<_> = steps.iter().map(|step| { now += step; Timestamp::from_millis(now) }).collect();
            let (state, rows) = run(fresh(), &rules, times);
            let mut head = fresh().head;
            for (place, row) in rows.iter().enumerate() {
                prop_assert_eq!(row.seq, place as u64 + 1);
                prop_assert!(place == 0 || rows[place - 1].at <= row.at);
                head = head.after(&row.to_bytes());
            }
            prop_assert_eq!(head, state.head);
            let lookups = rows.iter().filter(|r| matches!(r.kind, RowKind::Lookup(_))).count() as u64;
            let free = rows.iter().filter(|r| matches!(r.kind, RowKind::Lookup(l) if l.free)).count() as u64;
            prop_assert_eq!(lookups, steps.len() as u64);
            prop_assert_eq!(free, lookups.min(allowance));
        }

        #[test]
        fn no_bytes_make_the_decoder_panic(bytes: Vec<u8>) {
            let _ = MeterState::from_bytes(&bytes);
        }
    }
}
