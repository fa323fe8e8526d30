//! Promises of `LookupStore`: who is answered, with which rows, at which price, and how often.

mod access;
mod claim;
mod ledger;
mod price;

pub(super) const CASES: [&[super::Case]; 4] = [ledger::CASES, price::CASES, claim::CASES, access::CASES];

use voight_domain::metering::{LookupOutcome, RecordedAnswer};

/// The answer of a lookup that has to be recorded.
#[track_caller]
fn recorded(outcome: LookupOutcome) -> RecordedAnswer {
    match outcome {
        LookupOutcome::Recorded(answered, _) => answered,
        other => panic!("the lookup was not recorded: {other:?}"),
    }
}
