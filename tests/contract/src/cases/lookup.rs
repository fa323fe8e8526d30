//! Promises of `LookupStore`: access, ledger rows, price and idempotency.

mod access;
mod batch;
mod idempotency;
mod ledger;
mod price;

pub(super) const CASES: [&[super::Case]; 5] = [
    ledger::CASES,
    price::CASES,
    idempotency::CASES,
    access::CASES,
    batch::CASES,
];

use voight_domain::metering::{LookupOutcome, RecordedAnswer};

/// Returns the answer of a lookup that must be recorded.
#[track_caller]
pub(super) fn recorded(outcome: LookupOutcome) -> RecordedAnswer {
    match outcome {
        LookupOutcome::Recorded(answered, _) => answered,
        other => panic!("the lookup was not recorded: {other:?}"),
    }
}
