//! Prices of lookups and guarantees of billing, in random histories of a client.

mod answers;
mod batch_lookups;
mod histories;
mod invoices;
mod limits;
mod money;
mod periods;
mod positions;
mod quotes;
mod rating;
mod reference_pricing;
pub(crate) mod world;
