//! What the work beside serving is told.

use crate::config::Config;
use crate::store_url::StoreUrl;
use std::time::Duration;

/// What the work beside serving is told.
#[derive(Debug, Clone)]
pub(crate) struct JobSettings {
    /// The store, as it is named when it stops.
    pub(super) store: String,
    /// How long evidence is kept.
    pub(super) retention: Duration,
    /// How long the openings of a ledger's rows are kept.
    pub(super) opening_retention: Duration,
    /// How fast the store is looked through; 0 means never.
    pub(super) scrub_records_per_second: u32,
}

impl JobSettings {
    /// As it is configured, for this store.
    pub(crate) fn from_config(config: &Config, store: &StoreUrl) -> Self {
        Self {
            store: store.to_string(),
            retention: config.evidence.retention(),
            opening_retention: config.billing.opening_retention(),
            scrub_records_per_second: config.store.scrub_records_per_second,
        }
    }
}
