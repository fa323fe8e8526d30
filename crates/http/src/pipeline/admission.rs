//! Limits and permits of an endpoint, by its callers.

use crate::concurrency_limit::ConcurrencyLimit;
use crate::state::AppState;

/// Limits and permits of the requests of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admission {
    /// A permit of platforms.
    Platforms,
    /// A permit of visitors, and one of the visitor's network.
    Visitors,
    /// No permit, for files in memory: serving one costs less than rejecting it.
    Files,
    /// No permit, also while the clock is rejected: operators may be needed to accept it or to end an overload. Their listener
    /// has few connections.
    Operators,
}

impl Admission {
    /// Returns the concurrency limit of the endpoint's callers.
    pub(super) const fn concurrency_limit(self, state: &AppState) -> Option<&ConcurrencyLimit> {
        match self {
            Self::Platforms => Some(&state.platform_permits),
            Self::Visitors => Some(&state.visitor_permits),
            Self::Files | Self::Operators => None,
        }
    }
}
