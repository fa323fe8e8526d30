//! Counts of checks of a filled store.

use crate::NOW;
use pollster::block_on;
use voight_domain::check::{CheckCountKey, CheckCounts, CountedSite};
use voight_domain::metering::Day;
use voight_domain::ports::CheckCountStore;
use voight_domain::vocabulary::ContextId;
use voight_embedded::EmbeddedStore;
use voight_engine::testing::MapEngine;

/// Counts an opened check of a context.
pub(super) fn add(store: &EmbeddedStore<MapEngine>, context: &ContextId) {
    let key = CheckCountKey {
        context: context.clone(),
        day: Day(NOW.day()),
        site: CountedSite::Origin("https://quest.example".parse().unwrap()),
    };
    block_on(store.add_check_counts(vec![(key, CheckCounts::OPENED)])).unwrap();
}
