//! Promises of every storage call.

mod absence;
mod dropped;
mod survival;

pub(super) const CASES: [&[super::Case]; 3] = [absence::CASES, dropped::CASES, survival::CASES];
