//! Promises of `RegistryStore`.

mod audited;
mod expiring;
mod listed;
mod moved;
mod numbered;
mod used;

pub(super) const CASES: [&[super::Case]; 6] = [
    audited::CASES,
    expiring::CASES,
    listed::CASES,
    moved::CASES,
    numbered::CASES,
    used::CASES,
];
