//! How often each rule fires on recordings, as `cargo xtask detect rates` measured it.

use super::Rule;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What the command wrote.
const RATES_JSON: &str = include_str!("../../rates.json");

/// How often the rules of one table fire on recordings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleRateTable {
    /// The version of the table.
    pub policy: u32,
    /// Recordings of automation.
    pub automation: SampleSize,
    /// Recordings of our own without an automation protocol. They are synthetic: no person is among them.
    pub synthetic: SampleSize,
    /// The sources of the sessions that came through the window, once each.
    #[serde(default)]
    pub window: Vec<Sources>,
    /// By the name of the rule.
    pub rules: BTreeMap<String, RuleRates>,
}

/// Sources that sessions through the window were measured with.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Sources {
    /// The revision of the sources.
    pub commit: String,
    /// The digest of the code that collected evidence; `None` where it was not noted.
    pub collection: Option<String>,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct SampleSize {
    /// Kinds of automation, or of synthetic input.
    pub families: usize,
    /// Sessions of all of them.
    pub sessions: usize,
}

/// How often one rule fired.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleRates {
    /// Families of automation on which it fired at all.
    pub automation_families: usize,
    /// Sessions of automation on which it fired.
    pub automation: usize,
    /// Synthetic sessions on which it fired.
    pub synthetic: usize,
    /// The one-sided 95 % upper bound of the share of synthetic sessions, its families taken as clusters.
    pub synthetic_bound95: f64,
}

/// What is known of this release's table. A file that cannot be read says nothing.
pub fn rates() -> &'static RuleRateTable {
    static RATES: LazyLock<RuleRateTable> = LazyLock::new(|| serde_json::from_str(RATES_JSON).unwrap_or_default());
    &RATES
}

impl Rule {
    /// How often it fired on recordings; `None` for a rule that is younger than the last measurement.
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
        let written: RuleRateTable = serde_json::from_str(RATES_JSON).unwrap();
        assert_eq!(&written, rates());
        assert_eq!(written.policy, POLICY_VERSION, "run `cargo xtask detect rates`");
        let mut names: Vec<&str> = rules().iter().map(|rule| rule.name).collect();
        names.sort_unstable();
        assert!(written.rules.keys().eq(names), "run `cargo xtask detect rates`");
    }
}
