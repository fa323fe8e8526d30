//! Promises of every storage call.

mod conflict;
mod dropped;
mod durability;
mod missing;
mod nodes;
mod retry;

pub(super) const CASES: [&[super::Case]; 6] = [
    missing::CASES,
    conflict::CASES,
    dropped::CASES,
    nodes::CASES,
    retry::CASES,
    durability::CASES,
];
