//! Promises of `AdminStore`.

mod backup;
mod decisions;

pub(super) const CASES: [&[super::Case]; 2] = [decisions::CASES, backup::CASES];
