//! What an assessor says of the evidence of one check.

use super::Nats;
use crate::links::RawLinkSignals;

/// The judgement of one check, before anything is known of the address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Assessment {
    /// Evidence for a bot: the sum over cause groups of the largest positive term; no prior.
    pub bot: Nats,
    /// Evidence for a human that a second channel confirms; 0 if nothing was observed.
    pub human: Nats,
    /// Whether a hard rule fired (declared automation).
    pub hard: bool,
    /// Cause groups with positive evidence whose innocent causes differ; device and network links are not among them.
    pub groups: u8,
    /// Whether there was enough to judge by. A check that abstains spends no ordinal and flags only by a hard rule.
    pub conclusive: bool,
    /// Every finding, for the operator.
    pub findings: Vec<Finding>,
    /// Which rules and model judged.
    pub versions: Versions,
    /// What may link the check to others. It is taken out before the assessment is kept.
    pub link_signals: RawLinkSignals,
}

impl Assessment {
    /// Adds what was found beside the rules. Of each group the largest term counts; `convicts` says whether the group may be
    /// one of the two that a flag needs.
    pub fn add(&mut self, mut finding: Finding, may_flag: bool) {
        let same = |other: &&mut Finding| other.counted && other.group == finding.group && other.weight > Nats::ZERO;
        let rival = self.findings.iter_mut().find(same);
        let beaten = rival.as_ref().map_or(Nats::ZERO, |rival| rival.weight);
        finding.counted = finding.weight > beaten;
        if finding.counted {
            self.bot = self.bot + finding.weight - beaten;
            match rival {
                Some(rival) => rival.counted = false,
                None => self.groups = self.groups.saturating_add(u8::from(may_flag)),
            }
        }
        self.findings.push(finding);
    }
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's name.
    pub rule: String,
    /// The innocent cause it shares with other rules of its group.
    pub group: String,
    /// Its weight: positive speaks for a bot, negative for a human.
    pub weight: Nats,
    /// Whether it is one of the closed list of hard rules.
    pub hard: bool,
    /// Whether it counted: within a group only the largest term does, and a rule in shadow never.
    pub counted: bool,
    /// What was seen, in words.
    pub reason: String,
}

/// Versions of the policy (rule table) and the behaviour model; each only grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Versions {
    /// Of the rule table.
    pub policy: u32,
    /// Of the behaviour model; 0 where none judged.
    pub model: u32,
}

impl Versions {
    /// The later of each.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { policy: self.policy.max(other.policy), model: self.model.max(other.model) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(group: &str, milli: i32) -> Finding {
        let (rule, reason) = (format!("{group} {milli}"), String::new());
        Finding { rule, group: group.into(), weight: Nats::from_milli(milli), hard: false, counted: false, reason }
    }

    fn counted(assessment: &Assessment) -> Vec<&str> {
        assessment.findings.iter().filter(|found| found.counted).map(|found| found.rule.as_str()).collect()
    }

    #[test]
    fn of_a_group_the_largest_counts_whatever_the_order() {
        let mut found = Assessment::default();
        for milli in [500, 2000, 900] {
            found.add(finding("a", milli), true);
        }
        found.add(finding("b", 700), true);
        assert_eq!((found.bot, found.groups), (Nats::from_milli(2700), 2));
        assert_eq!(counted(&found), ["a 2000", "b 700"]);
    }

    #[test]
    fn what_weighs_nothing_is_only_said_and_some_groups_convict_nobody() {
        let mut found = Assessment::default();
        found.add(finding("a", 0), true);
        found.add(finding("b", 500), false);
        assert_eq!((found.bot, found.groups), (Nats::from_milli(500), 0));
        assert_eq!(counted(&found), ["b 500"]);
    }
}
