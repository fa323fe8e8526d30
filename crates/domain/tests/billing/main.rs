//! Prices of lookups and guarantees of billing, in random histories of a client.
#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

mod answers;
mod histories;
mod invoices;
mod limits;
mod money;
mod periods;
mod positions;
mod rating;
mod reference_pricing;
mod world;
