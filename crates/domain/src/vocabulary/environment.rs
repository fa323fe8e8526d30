//! Live and sandbox.

use std::str::FromStr;

/// Whether a key, a context or a ledger row is live or belongs to the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Environment {
    /// Real checks, metered for billing.
    Live,
    /// Magic addresses only; metered apart, never billed.
    Sandbox,
}

/// Why text is not an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the environment is live or test")]
pub struct EnvironmentError;

impl Environment {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Live, Self::Sandbox];

    /// The word for it, in API keys and elsewhere: `live` or `test`.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Sandbox => "test",
        }
    }

    /// Whether answers are marked as test answers.
    pub const fn is_test(self) -> bool {
        matches!(self, Self::Sandbox)
    }
}

impl FromStr for Environment {
    type Err = EnvironmentError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|environment| environment.label() == word).ok_or(EnvironmentError)
    }
}
