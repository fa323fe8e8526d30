//! Promises of every storage call.

mod absence;
mod conflict;
mod dropped;
mod survival;

pub(super) const CASES: [&[super::Case]; 4] = [absence::CASES, conflict::CASES, dropped::CASES, survival::CASES];
