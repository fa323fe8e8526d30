//! Promises of `RegistryStore`.

mod audited;
mod listed;
mod moved;
mod numbered;
mod used;

pub(super) const CASES: [&[super::Case]; 5] = [
    audited::CASES,
    listed::CASES,
    moved::CASES,
    numbered::CASES,
    used::CASES,
];
