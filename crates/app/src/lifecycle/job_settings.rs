//! Settings of the background jobs.

use crate::config::Config;
use crate::wiring::StoreUrl;

/// Settings of the background jobs.
#[derive(Debug, Clone)]
pub(crate) struct JobSettings {
    /// Name of the store in the message after it has stopped.
    pub(super) store: String,
    /// Rate of the scrubber in records per second; 0 disables it.
    pub(super) scrub_records_per_second: u32,
}

impl JobSettings {
    /// Reads the settings from the configuration, for this store.
    pub(crate) fn from_config(config: &Config, store: &StoreUrl) -> Self {
        Self { store: store.to_string(), scrub_records_per_second: config.store.scrub_records_per_second }
    }
}
