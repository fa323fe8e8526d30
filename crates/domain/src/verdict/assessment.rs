//! What an assessor says of the evidence of one check.

use super::Nats;

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
    pub covered: bool,
    /// Every finding, for the operator.
    pub findings: Vec<Finding>,
    /// Which rules and model judged.
    pub versions: Versions,
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
