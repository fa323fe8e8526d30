//! Detection policy: the rules and their weights, of this release or as an operator changed them.

mod change;
mod error;
mod file;
#[cfg(test)]
mod tests;

pub use change::RuleChange;
pub use error::PolicyError;

use crate::rules::{FIRST_CUSTOM_VERSION, POLICY_VERSION, Rule, rules};
use file::PolicyFile;
use std::borrow::Cow;

/// Rules that assess a check, and the version that a verdict names.
#[derive(Debug, Clone)]
pub struct DetectionPolicy {
    version: u32,
    rules: Cow<'static, [Rule]>,
}

impl DetectionPolicy {
    /// Returns the rule table of this release.
    pub fn built_in() -> Self {
        Self {
            version: POLICY_VERSION,
            rules: Cow::Borrowed(rules()),
        }
    }

    /// Reads a policy file and applies its changes to the rule table of this release.
    ///
    /// The format is `{"version": 1000, "rules": {"NAME": CHANGE, …}}`, where a change is `"off"`, `"shadow"`, or a weight in
    /// nats.
    ///
    /// # Errors
    ///
    /// One sentence that names the error and the correction.
    pub fn read(bytes: &[u8]) -> Result<Self, PolicyError> {
        let PolicyFile { version, rules } = PolicyFile::read(bytes)?;
        if version < FIRST_CUSTOM_VERSION {
            return Err(PolicyError::taken(version));
        }
        let start = Self {
            version,
            ..Self::built_in()
        };
        rules.into_iter().try_fold(start, |policy, (name, change)| {
            policy.apply_change(&name, change)
        })
    }

    /// Replaces the change of one rule. The version is not changed.
    ///
    /// # Errors
    ///
    /// The rule is unknown, or the weight is not between 0 and the rule's cap.
    pub fn apply_change(self, name: &str, change: RuleChange) -> Result<Self, PolicyError> {
        let rule = rules()
            .iter()
            .find(|rule| rule.name == name)
            .ok_or_else(|| PolicyError::unknown(name))?;
        let changed_rule = change.apply_to(rule)?;
        let current_row = |rule: &Rule| {
            self.rules
                .iter()
                .copied()
                .find(|candidate| candidate.name == rule.name)
        };
        let row = |rule: &Rule| {
            if rule.name == name {
                changed_rule
            } else {
                current_row(rule)
            }
        };
        Ok(Self {
            version: self.version,
            rules: rules().iter().filter_map(row).collect(),
        })
    }

    /// Returns the version that a verdict names.
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// Returns the rules that are not off, in the order of the table.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}
