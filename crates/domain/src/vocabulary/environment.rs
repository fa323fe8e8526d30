//! Environments: live and sandbox.

use std::str::FromStr;

/// Environment of a key, a context or a ledger row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Environment {
    /// Real checks; lookups are billed.
    Live,
    /// Magic addresses only; lookups are metered separately and never billed.
    Sandbox,
}

/// Error returned for a text that is not an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the environment is live or test")]
pub struct EnvironmentError;

impl Environment {
    /// Both environments.
    pub const ALL: [Self; 2] = [Self::Live, Self::Sandbox];

    /// Returns the label in API keys and elsewhere: `live` or `test`.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Sandbox => "test",
        }
    }

    /// Returns the environment whose [`is_test`](Self::is_test) is `is_test`.
    pub const fn from_is_test(is_test: bool) -> Self {
        if is_test { Self::Sandbox } else { Self::Live }
    }

    /// Returns `true` if answers are marked as test answers.
    pub const fn is_test(self) -> bool {
        matches!(self, Self::Sandbox)
    }
}

impl FromStr for Environment {
    type Err = EnvironmentError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|environment| environment.label() == word)
            .ok_or(EnvironmentError)
    }
}
