//! The use cases that the handlers call, wired by the app.

use std::sync::Arc;
use voight_domain::metering::MeterRules;
use voight_domain::ports::{Assessor, Clock, Entropy, PolicyLoader, Store};
use voight_domain::secrets::Secrets;
use voight_domain::services::{
    AdminTokens, BillingService, CheckService, LedgerService, LookupService, OperatorService, ProofOfWorkPolicy,
    ReceiptService, RegistryService, ReplayService,
};

/// What the use cases stand on.
pub struct Ports {
    /// Every storage port.
    pub store: Arc<dyn Store>,
    /// Judges evidence.
    pub assessor: Arc<dyn Assessor>,
    /// Makes assessors of policies that judge nobody yet.
    pub candidates: Arc<dyn PolicyLoader>,
    /// The wall clock.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
}

/// Everything a handler may reach. It holds ports, never an adapter.
#[derive(Clone)]
pub struct Services {
    /// Clients, keys, contexts.
    pub registrar: RegistryService,
    /// Lookups.
    pub lookups: LookupService,
    /// Usage, heads, exports.
    pub ledgers: LedgerService,
    /// Checks.
    pub checks: CheckService,
    /// Receipts of checks.
    pub receipts: ReceiptService,
    /// Statements, invoices, credits and limits.
    pub billing: BillingService,
    /// Operators' reads and decisions.
    pub operator: OperatorService,
    /// Named admin tokens.
    pub admin_tokens: AdminTokens,
    /// Stored evidence judged again.
    pub replays: ReplayService,
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
    pub fn new(ports: Ports, secrets: Secrets, rules: MeterRules, work: ProofOfWorkPolicy) -> Self {
        let Ports { store, assessor, candidates, clock, entropy } = ports;
        let checks = CheckService::new(
            store.clone(),
            store.clone(),
            store.clone(),
            assessor,
            clock.clone(),
            entropy.clone(),
            secrets.clone(),
            work,
        );
        let operator = OperatorService::new(store.clone(), clock.clone(), secrets.clone(), rules.clone());
        Self {
            registrar: RegistryService::new(store.clone(), clock.clone(), entropy.clone(), secrets.clone()),
            lookups: LookupService::new(store.clone(), entropy.clone(), secrets.clone(), rules.clone()),
            ledgers: LedgerService::new(store.clone(), store.clone(), clock.clone(), secrets.clone(), rules.anchor),
            replays: ReplayService::new(operator.clone(), checks.clone(), candidates),
            checks,
            receipts: ReceiptService::new(store.clone(), secrets.clone()),
            admin_tokens: AdminTokens::new(store.clone(), clock.clone(), entropy.clone(), secrets.clone()),
            billing: BillingService::new(store.clone(), clock.clone(), rules),
            operator,
            store,
            secrets,
            clock,
            entropy,
        }
    }
}
