//! Tests of the HTTP interface: public API, window API, admin API, and the server over sockets.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

mod admin;
mod arbitrary_requests;
mod batch_lookups;
mod bounded_labels;
mod common;
mod docs;
mod doors;
mod envelopes;
mod errors;
mod events;
mod export;
mod faults;
mod idempotency;
mod invoices;
mod landing;
mod limits;
mod logs;
mod openapi;
mod quotes;
mod receipts;
mod recorded_answers;
mod scopes;
mod sessions_and_settings;
mod snapshots;
mod socket;
mod usage;
mod verdict_doors;
mod webhooks;
mod window;
