//! Promises of every storage call.

mod absence;
mod conflict;
mod dropped;
mod repeated;
mod survival;

pub(super) const CASES: [&[super::Case]; 5] =
    [absence::CASES, conflict::CASES, dropped::CASES, repeated::CASES, survival::CASES];
