//! Leave-one-family-out evaluation of the rule weights.
//!
//! The weight of each cause group is estimated from its rate in all other families and in the checks of people's movements,
//! capped as in the service; then the family is evaluated with these weights.

use super::address_history::layer_after_one_check;
use super::check_group::CheckGroup;
use super::family::EvaluatedFamily;
use crate::stats::float;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use voight_domain::verdict::{Assessment, Nats};

/// Family evaluated with the weights of the others.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LeaveOneOutRow {
    /// Name of the family.
    pub name: String,
    /// Number of sessions.
    pub sessions: usize,
    /// Number of flagged sessions.
    pub flagged: usize,
}

/// Returns a row for each family.
pub(super) fn measure(families: &[EvaluatedFamily], people: &[CheckGroup]) -> Vec<LeaveOneOutRow> {
    let calm = GroupRates::from_groups(people.iter());
    let row = |(at, family): (usize, &EvaluatedFamily)| {
        let other_groups = families
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .map(|(_, other)| &other.group);
        let other_rates = GroupRates::from_groups(other_groups);
        let weigh =
            |group: &str, cap: Nats| other_rates.log_ratio(group, &calm).min(cap).max(Nats::ZERO);
        let flagged_count = family
            .group
            .checks
            .iter()
            .filter(|assessment| layer_after_one_check(&reweighed(assessment, weigh)).flagged)
            .count();
        LeaveOneOutRow {
            name: family.group.name.clone(),
            sessions: family.group.checks.len(),
            flagged: flagged_count,
        }
    };
    families.iter().enumerate().map(row).collect()
}

/// Rate at which each cause group was evidence for a bot.
struct GroupRates {
    checks: f64,
    rule_hits: BTreeMap<String, f64>,
}

impl GroupRates {
    fn from_groups<'p>(check_groups: impl Iterator<Item = &'p CheckGroup>) -> Self {
        let mut rates = Self {
            checks: 0.0,
            rule_hits: BTreeMap::new(),
        };
        for check_group in check_groups {
            rates.checks += 1.0;
            for assessment in &check_group.checks {
                for group in groups(assessment).into_keys() {
                    // Each family and each person has weight 1, regardless of its number of checks.
                    *rates.rule_hits.entry(group.to_owned()).or_default() +=
                        1.0 / float(check_group.checks.len());
                }
            }
        }
        rates
    }

    /// Returns the log ratio of the rates, with half a match added to both.
    fn log_ratio(&self, group: &str, other: &Self) -> Nats {
        let rate = |rates: &Self| {
            (rates.rule_hits.get(group).copied().unwrap_or(0.0) + 0.5) / (rates.checks + 1.0)
        };
        Nats::from_f64((rate(self) / rate(other)).ln())
    }
}

/// Returns the counted weight of each group that is evidence for a bot.
fn groups(assessment: &Assessment) -> BTreeMap<&str, Nats> {
    let counted_findings = assessment
        .findings
        .iter()
        .filter(|finding| finding.counted && finding.weight > Nats::ZERO);
    counted_findings
        .map(|finding| (finding.group.as_str(), finding.weight))
        .collect()
}

/// Replaces the weights of the groups. Hard rules keep their weight; other groups get at most the cap.
fn reweighed(assessment: &Assessment, weigh: impl Fn(&str, Nats) -> Nats) -> Assessment {
    let hard: BTreeSet<&str> = assessment
        .findings
        .iter()
        .filter(|finding| finding.hard)
        .map(|finding| finding.group.as_str())
        .collect();
    let weight = |(group, own): (&str, Nats)| {
        if hard.contains(group) {
            own
        } else {
            weigh(group, own)
        }
    };
    Assessment {
        bot: groups(assessment).into_iter().map(weight).sum(),
        ..assessment.clone()
    }
}
