//! Settings of the background jobs.

use crate::config::Config;
use crate::store_url::StoreUrl;
use std::time::Duration;

/// Settings of the background jobs.
#[derive(Debug, Clone)]
pub(crate) struct JobSettings {
    /// Name of the store in the message after it has stopped.
    pub(super) store: String,
    /// Retention of evidence.
    pub(super) retention: Duration,
    /// Retention of the openings of ledger rows.
    pub(super) opening_retention: Duration,
    /// Rate of the scrubber in records per second; 0 disables it.
    pub(super) scrub_records_per_second: u32,
}

impl JobSettings {
    /// Reads the settings from the configuration, for this store.
    pub(crate) fn from_config(config: &Config, store: &StoreUrl) -> Self {
        Self {
            store: store.to_string(),
            retention: config.evidence.retention(),
            opening_retention: config.billing.opening_retention(),
            scrub_records_per_second: config.store.scrub_records_per_second,
        }
    }
}
