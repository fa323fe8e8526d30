//! Promises of every storage call.

mod absence;
mod conflict;
mod dropped;
mod nodes;
mod repeated;
mod survival;

pub(super) const CASES: [&[super::Case]; 6] =
    [absence::CASES, conflict::CASES, dropped::CASES, nodes::CASES, repeated::CASES, survival::CASES];
