//! Rates at which each rule fires on recordings, as `cargo xtask detect rates` measures them.

use super::Rule;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Output of the command.
const RATES_JSON: &str = include_str!("../../rates.json");

/// Rates at which the rules of one table fire on recordings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleRateTable {
    /// Version of the rule table.
    pub policy: u32,
    /// Size of the automation recordings.
    pub automation: SampleSize,
    /// Size of our own recordings without an automation protocol. They are synthetic and contain no person.
    pub synthetic: SampleSize,
    /// Sources of the sessions that were recorded through the window, without duplicates.
    #[serde(default)]
    pub window: Vec<Sources>,
    /// Rates by rule name.
    pub rules: BTreeMap<String, RuleRates>,
}

/// Sources with which sessions were recorded through the window.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Sources {
    /// Commit of the sources.
    pub commit: String,
    /// Digest of the code that collected evidence; `None` if it was not recorded.
    pub collection: Option<String>,
}

/// Size of a sample.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct SampleSize {
    /// Number of families of automation, or of synthetic input.
    pub families: usize,
    /// Number of sessions of all families.
    pub sessions: usize,
}

/// Rates of one rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleRates {
    /// Number of automation families on which the rule fired at least once.
    pub automation_families: usize,
    /// Number of automation sessions on which the rule fired.
    pub automation: usize,
    /// Number of synthetic sessions on which the rule fired.
    pub synthetic: usize,
    /// One-sided 95 % upper bound of the share of synthetic sessions, clustered by family.
    pub synthetic_bound95: f64,
}

/// Returns the rates of this release's rule table; an unreadable file yields empty rates.
pub fn rates() -> &'static RuleRateTable {
    static RATES: LazyLock<RuleRateTable> =
        LazyLock::new(|| serde_json::from_str(RATES_JSON).unwrap_or_default());
    &RATES
}

impl Rule {
    /// Returns the rates of the rule; `None` if it was added after the last measurement.
    pub fn rates(&self) -> Option<RuleRates> {
        rates().rules.get(self.name).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{POLICY_VERSION, rules};

    #[test]
    fn the_file_is_of_this_table() {
        let rate_table: RuleRateTable = serde_json::from_str(RATES_JSON).unwrap();
        assert_eq!(&rate_table, rates());
        assert_eq!(
            rate_table.policy, POLICY_VERSION,
            "run `cargo xtask detect rates`"
        );
        let mut names: Vec<&str> = rules().iter().map(|rule| rule.name).collect();
        names.sort_unstable();
        assert!(
            rate_table.rules.keys().eq(names),
            "run `cargo xtask detect rates`"
        );
    }
}
