//! Reads and decisions of operators.

use super::reason::validate_reason;
use super::{Ports, ServiceError};
use crate::billing::Money;
use crate::metering::{Alert, LedgerId, MeterRules, MeterState};
use crate::ports::{AuditRecord, Clock, Override, Store, StoreError, VerdictRecord};
use crate::registry::{
    Actor, AuditAction, AuditEntry, AuditHead, Client, Context, ContextMode, ContextSettings,
};
use crate::secrets::{AddressDigest, Secrets};
use crate::verdict::{
    Answer, Event, OverrideTo, TimelineSummary, Tombstone, Verdict, answer, effective_verdict,
    magic_answer,
};
use crate::vocabulary::{ContextId, Environment, EoaAddress};
use std::fmt::Display;
use std::sync::Arc;

/// Maximum number of alerts that are read: at most four are raised in a period.
const ALERTS: usize = 1000;
/// Maximum number of events that are read for an entry of a list of verdicts.
const SUMMARISED_EVENTS: usize = 100;

/// Use cases of operators: reads and decisions.
#[derive(Clone)]
pub struct OperatorService {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) secrets: Secrets,
    rules: MeterRules,
    pub(super) actor: Actor,
}

/// Verdict, tombstone, answers and events of an address in a context.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The context.
    pub context: Context,
    /// The digest of the address in the audit log.
    pub audit_digest: AddressDigest,
    /// The verdict, from checks since the last erasure.
    pub verdict: Verdict,
    /// The tombstone of an erasure, which the answers also take into account.
    pub tombstone: Option<Tombstone>,
    /// The public answer.
    pub answer: Answer,
    /// The answer that an enforcing context would give; it differs only in mode `observe`.
    pub enforced_answer: Answer,
    /// Events, oldest first.
    pub timeline: Vec<Event>,
}

/// Entry of a list of verdicts.
#[derive(Debug, Clone)]
pub struct VerdictListItem {
    /// The verdict, with its address.
    pub record: VerdictRecord,
    /// The tombstone of an erasure of the same address.
    pub tombstone: Option<Tombstone>,
    /// The summary of the latest events.
    pub summary: TimelineSummary,
}

/// Usage of a client in a period.
#[derive(Debug, Clone)]
pub struct ClientUsage {
    /// The client.
    pub client: Client,
    /// Billable lookups, free ones included.
    pub billable: u64,
    /// Lookups within the free allowance.
    pub free: u64,
    /// Lookups beyond the free allowance.
    pub paid: u64,
    /// Sandbox lookups, which are never billed.
    pub sandbox: u64,
    /// Remaining free lookups of the allowance.
    pub allowance_left: u64,
    /// The cost of the paid lookups so far, before credits.
    pub spent: Money,
    /// The hard cap in lookups per period.
    pub cap: Option<u64>,
    /// The hard cap in money per period.
    pub money_cap: Option<Money>,
    /// The budget per period.
    pub budget: Option<Money>,
    /// Alerts of the period and of the allowance, in the order in which they were raised.
    pub alerts: Vec<Alert>,
}

impl OperatorService {
    /// Creates the service with these ports and rules.
    pub fn new(ports: &Ports, rules: MeterRules) -> Self {
        let Ports {
            store,
            clock,
            secrets,
            ..
        } = ports.clone();
        Self {
            store,
            clock,
            secrets,
            rules,
            actor: Actor::Operator,
        }
    }

    /// Returns a service that names `actor` in the audit entries.
    #[must_use]
    pub fn acting_as(&self, actor: &Actor) -> Self {
        Self {
            actor: actor.clone(),
            ..self.clone()
        }
    }

    /// Returns at most `limit` audit records after number `after`.
    pub async fn audit_log(
        &self,
        after: u64,
        limit: usize,
    ) -> Result<Vec<AuditRecord>, StoreError> {
        self.store.audit(after, limit).await
    }

    /// Returns the head of the audit log.
    pub async fn audit_head(&self) -> Result<AuditHead, StoreError> {
        self.store.audit_head().await
    }

    /// Returns the audit entry of an action of this service's actor, now.
    pub(super) fn audit(
        &self,
        action: AuditAction,
        subject: &dyn Display,
        detail: String,
    ) -> AuditEntry {
        AuditEntry {
            at: self.clock.now(),
            actor: self.actor.clone(),
            action,
            subject: subject.to_string(),
            detail,
        }
    }

    /// Explains a verdict, with its latest `limit` events.
    pub async fn explain(
        &self,
        context: &ContextId,
        address: &EoaAddress,
        limit: usize,
    ) -> Result<Explanation, ServiceError> {
        let context = self.context(context).await?;
        let verdict = self
            .store
            .verdict(&context.id, address)
            .await?
            .unwrap_or_default();
        let tombstone = self.tombstone(&context.id, address).await?;
        let timeline = self.store.timeline(&context.id, address, limit).await?;
        let enforced_settings = ContextSettings {
            mode: ContextMode::Enforce,
            ..context.settings.clone()
        };
        let answers = |settings| match context.environment {
            Environment::Sandbox => magic_answer(address),
            Environment::Live => answer(
                &effective_verdict(Some(&verdict), tombstone.as_ref()),
                settings,
            ),
        };
        let answer = answers(&context.settings);
        let enforced_answer = answers(&enforced_settings);
        let audit_digest = self.secrets.audit_address_digest(address);
        Ok(Explanation {
            context,
            audit_digest,
            verdict,
            tombstone,
            answer,
            enforced_answer,
            timeline,
        })
    }

    /// Returns at most `limit` verdicts of a context after `after`. An erased address is not listed until it is checked
    /// again: no list can name it.
    pub async fn verdicts(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> Result<Vec<VerdictListItem>, StoreError> {
        let mut items = Vec::new();
        for record in self.store.verdicts(context, after, limit).await? {
            let tombstone = self.tombstone(context, &record.address).await?;
            items.push(self.list_item(context, record, tombstone).await?);
        }
        Ok(items)
    }

    /// Returns an entry of a list of verdicts, with the summary of its latest events.
    pub(super) async fn list_item(
        &self,
        context: &ContextId,
        record: VerdictRecord,
        tombstone: Option<Tombstone>,
    ) -> Result<VerdictListItem, StoreError> {
        let events = self
            .store
            .timeline(context, &record.address, SUMMARISED_EVENTS)
            .await?;
        Ok(VerdictListItem {
            record,
            tombstone,
            summary: TimelineSummary::from_events(&events),
        })
    }

    /// Overrides a verdict: opens a new epoch, audited with the reason.
    pub async fn override_verdict(
        &self,
        context: &ContextId,
        address: EoaAddress,
        to: OverrideTo,
        reason: String,
    ) -> Result<Explanation, ServiceError> {
        validate_reason("an override", &reason)?;
        let context = self.context(context).await?;
        if context.environment.is_test() {
            let message = "a sandbox context answers for fixed test addresses, so no verdict can be overridden";
            return Err(ServiceError::Invalid(message.into()));
        }
        let word = match to {
            OverrideTo::Human => "human",
            OverrideTo::Bot => "bot",
        };
        let detail = format!(
            "{} to {word}: {reason}",
            self.secrets.audit_address_digest(&address)
        );
        let audit = self.audit(AuditAction::VerdictOverridden, &context.id, detail);
        let change = Override {
            context: context.id.clone(),
            address,
            digest: self.secrets.address_digest(&context.id, &address),
            verdict: to,
            tau: context.settings.min_confidence.flag_threshold(),
            reason,
        };
        self.store.override_verdict(change, audit).await?;
        self.explain(&context.id, &address, 20).await
    }

    /// Returns a client's usage in the current period.
    pub async fn usage(&self, client: Client) -> Result<ClientUsage, ServiceError> {
        let now = self.clock.now();
        let sandbox = self
            .store
            .meter(LedgerId {
                client: client.id,
                environment: Environment::Sandbox,
            })
            .await?;
        let facts = self.store.billing(client.id).await?;
        let (meter, books) =
            facts.map_or((None, Vec::new()), |facts| (facts.meter, facts.price_books));
        let meter = meter.unwrap_or_else(|| MeterState::new(LedgerId::live(client.id)));
        let (billable, paid) = meter.lookups_in_current_period(now);
        let is_running = meter.is_current_period(now);
        let book = books
            .iter()
            .find(|book| is_running && meter.price_book == Some(book.digest()));
        let charges = book.unwrap_or(&self.rules.price_book).price(paid);
        let alerts = self
            .store
            .alerts(LedgerId::live(client.id), 0, ALERTS)
            .await?;
        let is_current = |alert: &Alert| {
            alert.kind.is_of_allowance() || is_running && alert.seq >= meter.period_first_seq
        };
        Ok(ClientUsage {
            client,
            billable,
            free: billable - paid,
            paid,
            sandbox: sandbox.map_or(0, |sandbox| sandbox.lookups_in_current_period(now).0),
            allowance_left: meter.allowance_left(&self.rules, now),
            spent: charges.map_err(|error| ServiceError::Invalid(error.to_string()))?,
            cap: meter.cap,
            money_cap: meter.spending.cap.map(|cap| cap.amount),
            budget: meter.spending.budget.map(|budget| budget.amount),
            alerts: alerts.into_iter().filter(is_current).collect(),
        })
    }

    pub(super) async fn tombstone(
        &self,
        context: &ContextId,
        address: &EoaAddress,
    ) -> Result<Option<Tombstone>, StoreError> {
        self.store
            .tombstone(context, self.secrets.address_digest(context, address))
            .await
    }

    pub(super) async fn context(&self, id: &ContextId) -> Result<Context, ServiceError> {
        self.store
            .context(id)
            .await?
            .ok_or_else(|| ServiceError::NotFound(format!("context {id}")))
    }
}
