//! Promises of `RegistryStore`.

mod audited;
mod listed;
mod moved;
mod numbered;

pub(super) const CASES: [&[super::Case]; 4] = [audited::CASES, listed::CASES, moved::CASES, numbered::CASES];
