//! All use cases over the same ports.

use super::{
    AdminTokenService, BillingService, CheckCountService, CheckService, DeliveryService,
    EndpointService, EventService, LedgerService, LookupService, MaintenanceService,
    OperatorService, Ports, ProofOfWorkPolicy, ReceiptService, RegistryService, ReplayService,
    SnapshotService, UserService,
};
use crate::metering::MeterRules;
use crate::retention::RetentionPolicy;

/// Policies that an operator configures.
#[derive(Debug, Clone, Default)]
pub struct Policies {
    /// Allowance, billing periods and prices.
    pub metering: MeterRules,
    /// Proof of work of a check.
    pub proof_of_work: ProofOfWorkPolicy,
    /// Retention of evidence and addresses.
    pub retention: RetentionPolicy,
}

/// Use cases of the service.
#[derive(Clone)]
pub struct Services {
    /// Clients, keys and contexts.
    pub registry: RegistryService,
    /// Lookups.
    pub lookups: LookupService,
    /// Usage, ledger heads and exports.
    pub ledgers: LedgerService,
    /// Checks.
    pub checks: CheckService,
    /// Counts of checks.
    pub check_counts: CheckCountService,
    /// Receipts of checks.
    pub receipts: ReceiptService,
    /// Statements, invoices, credits and limits.
    pub billing: BillingService,
    /// Reads and changes by operators.
    pub operator: OperatorService,
    /// Named admin tokens.
    pub admin_tokens: AdminTokenService,
    /// Users of the console.
    pub users: UserService,
    /// Re-evaluation of stored evidence.
    pub replays: ReplayService,
    /// Snapshots.
    pub snapshots: SnapshotService,
    /// Event feeds.
    pub events: EventService,
    /// Webhook endpoints.
    pub endpoints: EndpointService,
    /// Deliveries to webhook endpoints.
    pub deliveries: DeliveryService,
    /// Health, backup and background jobs of the store.
    pub maintenance: MaintenanceService,
}

impl Services {
    /// Creates the use cases over these ports.
    pub fn new(ports: &Ports, policies: Policies) -> Self {
        let Policies {
            metering: rules,
            proof_of_work,
            retention,
        } = policies;
        let Ports {
            store,
            candidates,
            entropy,
            secrets,
            ..
        } = ports.clone();
        let checks = CheckService::new(ports, proof_of_work);
        let operator = OperatorService::new(ports, rules.clone());
        Self {
            registry: RegistryService::new(ports),
            lookups: LookupService::new(store, entropy, secrets, rules.clone()),
            ledgers: LedgerService::new(ports, rules.period_start_day),
            replays: ReplayService::new(operator.clone(), checks.clone(), candidates),
            maintenance: MaintenanceService::new(checks.clone(), retention),
            check_counts: CheckCountService::new(ports, &checks),
            checks,
            receipts: ReceiptService::new(ports),
            admin_tokens: AdminTokenService::new(ports),
            users: UserService::new(ports),
            snapshots: SnapshotService::new(ports, rules.clone()),
            events: EventService::new(ports),
            endpoints: EndpointService::new(ports),
            deliveries: DeliveryService::new(ports),
            billing: BillingService::new(ports, rules),
            operator,
        }
    }
}
