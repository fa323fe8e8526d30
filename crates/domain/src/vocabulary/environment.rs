//! Live and sandbox.

/// Whether a key, a context or a ledger row is live or belongs to the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Environment {
    /// Real checks, metered for billing.
    Live,
    /// Magic addresses only; metered apart, never billed.
    Sandbox,
}

impl Environment {
    /// The word inside an API key: `live` or `test`.
    pub const fn key_word(self) -> &'static str {
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
