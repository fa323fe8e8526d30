//! Scopes of API keys.

use crate::codec::DecodeError;
use std::fmt;
use std::str::FromStr;

/// Scope: a group of operations that a key may perform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Register contexts and change their settings.
    ContextRegister,
    /// Look up verdicts, create sessions, redeem receipts.
    LookupRead,
    /// Read usage and invoices.
    UsageRead,
    /// Read the event feed.
    EventsRead,
    /// Create, read and change webhook endpoints.
    WebhooksWrite,
}

/// Error returned for a text that is not a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a scope is one of context:register, lookup:read, usage:read, events:read, webhooks:write")]
pub struct ScopeError;

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 5] = [
        Self::ContextRegister,
        Self::LookupRead,
        Self::UsageRead,
        Self::EventsRead,
        Self::WebhooksWrite,
    ];

    /// Returns the scope as written in the API and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ContextRegister => "context:register",
            Self::LookupRead => "lookup:read",
            Self::UsageRead => "usage:read",
            Self::EventsRead => "events:read",
            Self::WebhooksWrite => "webhooks:write",
        }
    }

    const fn bit(self) -> u8 {
        match self {
            Self::ContextRegister => 1,
            Self::LookupRead => 2,
            Self::UsageRead => 4,
            Self::EventsRead => 8,
            Self::WebhooksWrite => 16,
        }
    }
}

impl FromStr for Scope {
    type Err = ScopeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|scope| scope.as_str() == text)
            .ok_or(ScopeError)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Set of scopes.
///
/// ```
/// use voight_domain::Scope;
/// use voight_domain::vocabulary::ScopeSet;
///
/// let scopes: ScopeSet = [Scope::LookupRead].into_iter().collect();
/// assert!(scopes.allows(Scope::LookupRead));
/// assert!(!scopes.allows(Scope::UsageRead));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScopeSet(u8);

impl ScopeSet {
    /// Returns the set of all scopes.
    pub fn all() -> Self {
        Scope::ALL.into_iter().collect()
    }

    /// Returns `true` if `scope` is in the set.
    pub const fn allows(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Returns the scopes in the set, in their fixed order.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL
            .into_iter()
            .filter(move |scope| self.allows(*scope))
    }

    /// Returns the set as bits, for storage.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the set with these bits; an error if a bit has no scope.
    pub fn from_bits(bits: u8) -> Result<Self, DecodeError> {
        if bits & !Self::all().0 == 0 {
            Ok(Self(bits))
        } else {
            Err(DecodeError::OutOfRange("the scopes of a key"))
        }
    }
}

impl FromIterator<Scope> for ScopeSet {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | scope.bit()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_round_trip() {
        for scope in Scope::ALL {
            assert_eq!(scope.as_str().parse(), Ok(scope));
            assert!(ScopeSet::all().allows(scope));
        }
        let only_lookup: ScopeSet = [Scope::LookupRead].into_iter().collect();
        assert!(!only_lookup.allows(Scope::ContextRegister));
        assert_eq!(ScopeSet::from_bits(only_lookup.bits()), Ok(only_lookup));
        assert_eq!(ScopeSet::from_bits(31), Ok(ScopeSet::all()));
        assert!(
            ScopeSet::from_bits(32).is_err(),
            "a bit of no scope is dropped"
        );
        assert_eq!("admin".parse::<Scope>(), Err(ScopeError));
    }

    #[test]
    fn stored_key_never_gains_a_scope() {
        // Keys that had all scopes before the scope of webhooks was added.
        let stored_scopes = ScopeSet::from_bits(15).unwrap();
        assert_eq!(stored_scopes.iter().count(), 4);
        assert!(!stored_scopes.allows(Scope::WebhooksWrite));
    }
}
