//! Tests of the admin listener.

mod access;
mod bulk_reads;
mod clock;
mod clusters;
pub(crate) mod console;
mod description;
mod dump;
mod erasures;
mod events;
mod export;
mod handshake;
mod invoice_page;
mod invoices;
mod key_contexts;
mod labels;
mod limits;
mod probes;
mod references;
mod registry;
mod reports;
mod signing_keys;
mod tampering;
mod tokens;
mod usage_export;
mod users;
mod verdicts;
mod webhooks;
