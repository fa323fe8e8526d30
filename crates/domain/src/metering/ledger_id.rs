//! Identity of a ledger.

use crate::vocabulary::{ClientId, Environment};

/// Ledger of a client in one environment. It has its own meter, rows and hash chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LedgerId {
    /// The client.
    pub client: ClientId,
    /// The environment.
    pub environment: Environment,
}

impl LedgerId {
    /// Returns the ledger of a client's live lookups.
    pub const fn live(client: ClientId) -> Self {
        Self {
            client,
            environment: Environment::Live,
        }
    }
}
