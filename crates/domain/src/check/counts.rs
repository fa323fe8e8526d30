//! Counts of checks by context, day and site. They are displayed only: no verdict and no price depends on them.

use crate::metering::Day;
use crate::verdict::{LayerKind, Status};
use crate::vocabulary::{ContextId, Origin};
use std::collections::BTreeMap;
use std::ops::{Add, AddAssign};

/// Maximum number of origins of a context with counts of their own on a day. Further origins are counted together.
pub const MAX_COUNTED_ORIGINS: usize = 50;

/// Numbers of checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CheckCounts {
    /// Opened checks.
    pub opened: u64,
    /// Checks with evidence.
    pub started: u64,
    /// Checks with a verdict, also those that expired with evidence. Equals the sum of the next three numbers.
    pub completed: u64,
    /// Completed checks after which the status of the address was `human`.
    pub human: u64,
    /// Completed checks after which the status of the address was `bot`.
    pub bot: u64,
    /// Completed checks after which the status of the address was neither.
    pub unsure: u64,
    /// Completed checks with proof of ownership.
    pub owned: u64,
}

impl CheckCounts {
    /// One opened check.
    pub const OPENED: Self = Self {
        opened: 1,
        ..Self::ZERO
    };

    /// One check with evidence.
    pub const STARTED: Self = Self {
        started: 1,
        ..Self::ZERO
    };

    const ZERO: Self = Self {
        opened: 0,
        started: 0,
        completed: 0,
        human: 0,
        bot: 0,
        unsure: 0,
        owned: 0,
    };

    /// Returns the counts of one completed check: the status of the address after it, and its layer.
    pub fn for_completed(status: Status, layer: LayerKind) -> Self {
        let is_decided = matches!(status, Status::Human | Status::Bot);
        Self {
            completed: 1,
            human: u64::from(status == Status::Human),
            bot: u64::from(status == Status::Bot),
            unsure: u64::from(!is_decided),
            owned: u64::from(layer == LayerKind::Owned),
            ..Self::ZERO
        }
    }
}

impl Add for CheckCounts {
    type Output = Self;

    fn add(self, added: Self) -> Self {
        Self {
            opened: self.opened.saturating_add(added.opened),
            started: self.started.saturating_add(added.started),
            completed: self.completed.saturating_add(added.completed),
            human: self.human.saturating_add(added.human),
            bot: self.bot.saturating_add(added.bot),
            unsure: self.unsure.saturating_add(added.unsure),
            owned: self.owned.saturating_add(added.owned),
        }
    }
}

impl AddAssign for CheckCounts {
    fn add_assign(&mut self, added: Self) {
        *self = *self + added;
    }
}

impl std::iter::Sum for CheckCounts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::ZERO, Add::add)
    }
}

/// Site under which a check is counted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum CountedSite {
    /// The origin of the page that hosts the check.
    Origin(Origin),
    /// The origin of the page is not known.
    Unknown,
    /// Origins beyond [`MAX_COUNTED_ORIGINS`].
    Others,
}

/// Key of counts that are added.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckCountKey {
    /// The context of the checks.
    pub context: ContextId,
    /// The day on which the checks were opened.
    pub day: Day,
    /// The site of the checks.
    pub site: CountedSite,
}

/// Counts of a context on one day, by site.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SiteCounts(BTreeMap<CountedSite, CheckCounts>);

impl SiteCounts {
    /// Adds counts of a site. A new origin beyond [`MAX_COUNTED_ORIGINS`] is counted as [`CountedSite::Others`].
    pub fn add(&mut self, site: CountedSite, counts: CheckCounts) {
        let is_new_origin = matches!(site, CountedSite::Origin(_)) && !self.0.contains_key(&site);
        let site = if is_new_origin && self.origin_count() >= MAX_COUNTED_ORIGINS {
            CountedSite::Others
        } else {
            site
        };
        *self.0.entry(site).or_default() += counts;
    }

    /// Adds counts of several sites.
    pub fn add_all(&mut self, sites: impl IntoIterator<Item = (CountedSite, CheckCounts)>) {
        for (site, counts) in sites {
            self.add(site, counts);
        }
    }

    /// Returns the counts of each site, in the order of the sites.
    pub fn sites(&self) -> impl ExactSizeIterator<Item = (&CountedSite, &CheckCounts)> {
        self.0.iter()
    }

    /// Returns the sum of all sites.
    pub fn total(&self) -> CheckCounts {
        self.0.values().copied().sum()
    }

    fn origin_count(&self) -> usize {
        let is_origin = |site: &&CountedSite| matches!(site, CountedSite::Origin(_));
        self.0.keys().filter(is_origin).count()
    }
}

/// Counts to add on one day.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DayAdditions {
    /// The sum, to add to the total of the day over all contexts.
    pub total: CheckCounts,
    /// Counts to add to each context, by site.
    pub contexts: BTreeMap<ContextId, BTreeMap<CountedSite, CheckCounts>>,
}

impl DayAdditions {
    /// Groups counts by the records that a store adds them to.
    pub fn by_day(
        counts: impl IntoIterator<Item = (CheckCountKey, CheckCounts)>,
    ) -> BTreeMap<Day, Self> {
        let mut days: BTreeMap<Day, Self> = BTreeMap::new();
        for (CheckCountKey { context, day, site }, counts) in counts {
            let additions = days.entry(day).or_default();
            additions.total += counts;
            let sites = additions.contexts.entry(context).or_default();
            *sites.entry(site).or_default() += counts;
        }
        days
    }
}

#[cfg(test)]
mod tests {
    use super::super::challenge::tests::challenge;
    use super::*;
    use proptest::prelude::*;

    fn site(number: usize) -> CountedSite {
        CountedSite::Origin(format!("https://quest{number}.example").parse().unwrap())
    }

    fn key(day: i64, site: CountedSite) -> CheckCountKey {
        CheckCountKey {
            context: challenge().context,
            day: Day(day),
            site,
        }
    }

    #[test]
    fn completed_check_has_one_answer() {
        use Status::{Bot, Human, Unknown, Unsure};
        for (status, answer) in [
            (Human, [1, 0, 0]),
            (Bot, [0, 1, 0]),
            (Unsure, [0, 0, 1]),
            (Unknown, [0, 0, 1]),
        ] {
            let counts = CheckCounts::for_completed(status, LayerKind::Owned);
            assert_eq!([counts.human, counts.bot, counts.unsure], answer);
            assert_eq!((counts.completed, counts.owned), (1, 1));
            let unverified = CheckCounts::for_completed(status, LayerKind::Unverified);
            assert_eq!(unverified.owned, 0);
        }
    }

    #[test]
    fn origins_beyond_the_limit_are_others() {
        let mut counts = SiteCounts::default();
        counts.add(CountedSite::Unknown, CheckCounts::OPENED);
        for number in 0..MAX_COUNTED_ORIGINS + 3 {
            counts.add(site(number), CheckCounts::OPENED);
        }
        counts.add(site(0), CheckCounts::OPENED);
        let numbers: BTreeMap<_, _> = counts.sites().map(|(site, n)| (site, n.opened)).collect();
        assert_eq!(numbers.len(), MAX_COUNTED_ORIGINS + 2);
        assert_eq!(numbers[&site(0)], 2, "a known origin keeps its counts");
        assert_eq!(numbers[&CountedSite::Others], 3);
        assert_eq!(counts.total().opened, MAX_COUNTED_ORIGINS as u64 + 5);
    }

    proptest! {
        #[test]
        fn additions_keep_every_check(keys in prop::collection::vec((0..3_i64, 0..99_usize), 0..200)) {
            let counts = keys.iter().map(|(day, number)| (key(*day, site(*number)), CheckCounts::OPENED));
            let days = DayAdditions::by_day(counts);
            let of_days: CheckCounts = days.values().map(|additions| additions.total).sum();
            let of_contexts = days.values().flat_map(|additions| additions.contexts.values());
            let of_contexts: CheckCounts = of_contexts.flat_map(BTreeMap::values).copied().sum();
            prop_assert_eq!(of_days.opened, keys.len() as u64);
            prop_assert_eq!(of_contexts, of_days);
        }
    }
}
