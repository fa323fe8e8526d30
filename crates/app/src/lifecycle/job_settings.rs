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
    pub(super) evidence_retention: Duration,
    /// Retention of the addresses behind ledger rows.
    pub(super) address_retention: Duration,
    /// Rate of the scrubber in records per second; 0 disables it.
    pub(super) scrub_records_per_second: u32,
}

impl JobSettings {
    /// Reads the settings from the configuration, for this store.
    pub(crate) fn from_config(config: &Config, store: &StoreUrl) -> Self {
        Self {
            store: store.to_string(),
            evidence_retention: config.evidence.retention(),
            address_retention: config.billing.address_retention(),
            scrub_records_per_second: config.store.scrub_records_per_second,
        }
    }
}
