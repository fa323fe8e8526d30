//! Promises of `BillingStore`: what is read of ledgers, what is told in time, and what is invoiced.

mod invoices;
mod ledger;
mod limits;

pub(super) const CASES: [&[super::Case]; 3] = [ledger::CASES, limits::CASES, invoices::CASES];
