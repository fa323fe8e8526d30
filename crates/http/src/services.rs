//! Use cases that the handlers call, wired by the app.

use std::sync::Arc;
use voight_domain::metering::MeterRules;
use voight_domain::ports::{Assessor, Clock, Entropy, PolicyLoader, Store};
use voight_domain::secrets::Secrets;
use voight_domain::services::{
    AdminTokens, BillingService, CheckPorts, CheckService, LedgerService, LookupService, OperatorService,
    ProofOfWorkPolicy, ReceiptService, RegistryService, ReplayService,
};

/// Ports of the use cases.
pub struct Ports {
    /// All storage ports.
    pub store: Arc<dyn Store>,
    /// Evaluates evidence.
    pub assessor: Arc<dyn Assessor>,
    /// Loads candidate policies for replays.
    pub candidates: Arc<dyn PolicyLoader>,
    /// Wall clock.
    pub clock: Arc<dyn Clock>,
    /// Source of randomness.
    pub entropy: Arc<dyn Entropy>,
}

/// Use cases of the handlers. They hold ports, never an adapter.
#[derive(Clone)]
pub struct Services {
    /// Clients, keys and contexts.
    pub registrar: RegistryService,
    /// Lookups.
    pub lookups: LookupService,
    /// Usage, ledger heads and exports.
    pub ledgers: LedgerService,
    /// Checks.
    pub checks: CheckService,
    /// Receipts of checks.
    pub receipts: ReceiptService,
    /// Statements, invoices, credits and limits.
    pub billing: BillingService,
    /// Reads and changes by operators.
    pub operator: OperatorService,
    /// Named admin tokens.
    pub admin_tokens: AdminTokens,
    /// Re-evaluation of stored evidence.
    pub replays: ReplayService,
    /// All storage ports, for health and plain reads.
    pub store: Arc<dyn Store>,
    /// Signing keys and keyed hashes.
    pub secrets: Secrets,
    /// Wall clock.
    pub clock: Arc<dyn Clock>,
    /// Source of randomness, for request ids.
    pub entropy: Arc<dyn Entropy>,
}

impl Services {
    /// Creates the use cases over the same ports with these secrets. `rules` define the metering, `work` the proof of work of a
    /// check.
    pub fn new(ports: Ports, secrets: Secrets, rules: MeterRules, work: ProofOfWorkPolicy) -> Self {
        let Ports { store, assessor, candidates, clock, entropy } = ports;
        let check_ports = CheckPorts {
            registry: store.clone(),
            checks: store.clone(),
            evidence: store.clone(),
            assessor,
            clock: clock.clone(),
            entropy: entropy.clone(),
        };
        let checks = CheckService::new(check_ports, secrets.clone(), work);
        let operator = OperatorService::new(store.clone(), clock.clone(), secrets.clone(), rules.clone());
        Self {
            registrar: RegistryService::new(store.clone(), clock.clone(), entropy.clone(), secrets.clone()),
            lookups: LookupService::new(store.clone(), entropy.clone(), secrets.clone(), rules.clone()),
            ledgers: LedgerService::new(
                store.clone(),
                store.clone(),
                clock.clone(),
                secrets.clone(),
                rules.period_start_day,
            ),
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
