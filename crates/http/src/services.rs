//! The use cases that the handlers call, wired by the app.

use std::sync::Arc;
use voight_domain::ports::{Clock, Entropy, Store};
use voight_domain::secrets::Secrets;
use voight_domain::services::{Billing, Checks, Ledgers, Lookups, Operator, Receipts, Registrar, Replays};

/// Everything a handler may reach. It holds ports, never an adapter.
#[derive(Clone)]
pub struct Services {
    /// Clients, keys, contexts.
    pub registrar: Registrar,
    /// Lookups.
    pub lookups: Lookups,
    /// Usage, heads, exports.
    pub ledgers: Ledgers,
    /// Checks.
    pub checks: Checks,
    /// Receipts of checks.
    pub receipts: Receipts,
    /// Statements, invoices, credits and limits.
    pub billing: Billing,
    /// Operators' reads and decisions.
    pub operator: Operator,
    /// Stored evidence judged again.
    pub replays: Replays,
    /// Every storage port, for health and plain reads.
    pub store: Arc<dyn Store>,
    /// Public keys and keyed hashes.
    pub secrets: Secrets,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// Randomness, for request ids.
    pub entropy: Arc<dyn Entropy>,
}
