//! Generates counts of checks.

use proptest::prelude::*;
use voight_domain::check::{CheckCounts, CountedSite, SiteCounts};

fn site() -> impl Strategy<Value = CountedSite> {
    let origin = "[a-z]{1,9}";
    prop_oneof![
        Just(CountedSite::Unknown),
        Just(CountedSite::Others),
        origin.prop_map(|host| CountedSite::Origin(
            format!("https://{host}.example").parse().unwrap()
        )),
    ]
}

pub(super) fn check_counts() -> impl Strategy<Value = CheckCounts> {
    any::<[u64; 7]>().prop_map(|[opened, started, completed, human, bot, unsure, owned]| {
        CheckCounts {
            opened,
            started,
            completed,
            human,
            bot,
            unsure,
            owned,
        }
    })
}

pub(super) fn site_counts() -> impl Strategy<Value = SiteCounts> {
    prop::collection::vec((site(), check_counts()), 0..9).prop_map(|sites| {
        let mut site_counts = SiteCounts::default();
        site_counts.add_all(sites);
        site_counts
    })
}
