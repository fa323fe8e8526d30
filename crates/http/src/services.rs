//! The use cases that the handlers call, wired by the app.

use std::sync::Arc;
use voight_domain::metering::MeterRules;
use voight_domain::ports::{Assessor, Candidates, Clock, Entropy, Store};
use voight_domain::secrets::Secrets;
use voight_domain::services::{
    AdminTokens, Billing, Checks, Ledgers, Lookups, Operator, Receipts, Registrar, Replays, WorkPolicy,
};

/// What the use cases stand on.
pub struct Ports {
    /// Every storage port.
    pub store: Arc<dyn Store>,
    /// Judges evidence.
    pub assessor: Arc<dyn Assessor>,
    /// Makes assessors of policies that judge nobody yet.
    pub candidates: Arc<dyn Candidates>,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
}

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
    /// Named admin tokens.
    pub admin_tokens: AdminTokens,
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

impl Services {
    /// Every use case over the same ports, with these keys, metered by `rules`; a check costs its visitor work by `work`.
    pub fn over(ports: Ports, secrets: Secrets, rules: MeterRules, work: WorkPolicy) -> Self {
        let Ports { store, assessor, candidates, clock, entropy } = ports;
        let checks = Checks::new(
            store.clone(),
            store.clone(),
            store.clone(),
            assessor,
            clock.clone(),
            entropy.clone(),
            secrets.clone(),
            work,
        );
        let operator = Operator::new(store.clone(), clock.clone(), secrets.clone(), rules.clone());
        Self {
            registrar: Registrar::new(store.clone(), clock.clone(), entropy.clone(), secrets.clone()),
            lookups: Lookups::new(store.clone(), entropy.clone(), secrets.clone(), rules.clone()),
            ledgers: Ledgers::new(store.clone(), store.clone(), clock.clone(), secrets.clone(), rules.anchor),
            replays: Replays::new(operator.clone(), checks.clone(), candidates),
            checks,
            receipts: Receipts::new(store.clone(), secrets.clone()),
            admin_tokens: AdminTokens::new(store.clone(), clock.clone(), entropy.clone(), secrets.clone()),
            billing: Billing::new(store.clone(), clock.clone(), rules),
            operator,
            store,
            secrets,
            clock,
            entropy,
        }
    }
}
