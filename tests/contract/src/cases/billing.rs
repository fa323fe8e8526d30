//! Promises of `BillingStore`: ledgers, limits and alerts, invoices.

mod invoices;
mod ledger;
mod limits;

pub(super) const CASES: [&[super::Case]; 3] = [ledger::CASES, limits::CASES, invoices::CASES];
