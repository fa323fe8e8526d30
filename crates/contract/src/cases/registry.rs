//! Promises of `RegistryStore`.

mod audited;
mod listed;
mod numbered;

pub(super) const CASES: [&[super::Case]; 3] = [audited::CASES, listed::CASES, numbered::CASES];
