//! Ledger export of a store, streamed line by line.

mod billing;
mod stream;

pub(crate) use stream::LedgerExport;
