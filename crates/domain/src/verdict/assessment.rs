//! Assessment of the evidence of one check.

use super::Nats;
use crate::linkage::RawLinkSignals;

/// Assessment of one check, independent of the verdict on its address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Assessment {
    /// Evidence for a bot: the sum over cause groups of the largest positive term; no prior.
    pub bot: Nats,
    /// Evidence for a human that a second channel confirms; 0 if there is none.
    pub human: Nats,
    /// `true` if a hard rule fired (declared automation).
    pub hard: bool,
    /// Number of cause groups with positive evidence and different innocent causes.
    ///
    /// Device and network links are not included.
    pub groups: u8,
    /// `true` if the evidence was sufficient. An inconclusive check does not increase the ordinal and can flag only by
    /// a hard rule.
    pub conclusive: bool,
    /// All findings, for the operator.
    pub findings: Vec<Finding>,
    /// Versions of the rule table and the model that assessed the check.
    pub versions: Versions,
    /// Signals that may link the check to others. They are removed before the assessment is stored.
    pub link_signals: RawLinkSignals,
}

impl Assessment {
    /// Adds a finding from outside of the rule table. Only the largest term of a group counts.
    pub fn add(&mut self, mut finding: Finding, role: GroupRole) {
        let same = |other: &&mut Finding| {
            other.counted && other.group == finding.group && other.weight > Nats::ZERO
        };
        let rival = self.findings.iter_mut().find(same);
        let beaten = rival.as_ref().map_or(Nats::ZERO, |rival| rival.weight);
        finding.counted = finding.weight > beaten;
        if finding.counted {
            self.bot = self.bot + finding.weight - beaten;
            match rival {
                Some(rival) => rival.counted = false,
                None => {
                    self.groups = self
                        .groups
                        .saturating_add(u8::from(role == GroupRole::Convicting));
                }
            }
        }
        self.findings.push(finding);
    }
}

/// Role of a cause group in a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupRole {
    /// The group may be one of the two that a flag needs.
    Convicting,
    /// The group only adds to the weight.
    Supporting,
}

/// Finding of an assessment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The name of the rule.
    pub rule: String,
    /// The group of rules that share one innocent cause.
    pub group: String,
    /// The weight: positive is evidence for a bot, negative for a human.
    pub weight: Nats,
    /// `true` for a hard rule.
    pub hard: bool,
    /// `true` if the finding counts: only the largest term of a group does, and a shadow rule never.
    pub counted: bool,
    /// The observation as text.
    pub reason: String,
}

/// Versions of the policy (rule table) and the behaviour model; each only increases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Versions {
    /// Version of the rule table.
    pub policy: u32,
    /// Version of the behaviour model; 0 if no model was used.
    pub model: u32,
}

impl Versions {
    /// Returns the later version of each.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            policy: self.policy.max(other.policy),
            model: self.model.max(other.model),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(group: &str, milli: i32) -> Finding {
        let rule = format!("{group} {milli}");
        let reason = String::new();
        Finding {
            rule,
            group: group.into(),
            weight: Nats::from_milli(milli),
            hard: false,
            counted: false,
            reason,
        }
    }

    fn counted(assessment: &Assessment) -> Vec<&str> {
        assessment
            .findings
            .iter()
            .filter(|finding| finding.counted)
            .map(|finding| finding.rule.as_str())
            .collect()
    }

    #[test]
    fn largest_finding_of_a_group_counts() {
        let mut assessment = Assessment::default();
        for milli in [500, 2000, 900] {
            assessment.add(finding("a", milli), GroupRole::Convicting);
        }
        assessment.add(finding("b", 700), GroupRole::Convicting);
        assert_eq!(
            (assessment.bot, assessment.groups),
            (Nats::from_milli(2700), 2)
        );
        assert_eq!(counted(&assessment), ["a 2000", "b 700"]);
    }

    #[test]
    fn weightless_findings_do_not_flag() {
        let mut assessment = Assessment::default();
        assessment.add(finding("a", 0), GroupRole::Convicting);
        assessment.add(finding("b", 500), GroupRole::Supporting);
        assert_eq!(
            (assessment.bot, assessment.groups),
            (Nats::from_milli(500), 0)
        );
        assert_eq!(counted(&assessment), ["b 500"]);
    }
}
