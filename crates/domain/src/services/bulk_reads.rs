//! Audit entries of bulk reads, written before the first record is returned.

use super::OperatorService;
use crate::metering::{LedgerId, Period};
use crate::ports::StoreError;
use crate::registry::AuditAction;
use crate::vocabulary::{ClientId, ContextId, EoaAddress};
use std::fmt::Display;

/// Read of many records at once, described without an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BulkRead {
    action: AuditAction,
    subject: String,
    detail: String,
}

/// Openings of the rows of a ledger export: the addresses behind their commitments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Openings {
    /// The openings that are retained.
    Included,
    /// No opening.
    Omitted,
}

impl BulkRead {
    /// Describes an export of a ledger, with or without the addresses behind its commitments.
    pub fn of_ledger(ledger: LedgerId, openings: Openings) -> Self {
        let openings = match openings {
            Openings::Included => "with openings",
            Openings::Omitted => "without openings",
        };
        Self::new(
            AuditAction::LedgerExported,
            &ledger.client,
            format!("{}, {openings}", ledger.environment.label()),
        )
    }

    /// Describes an export in `format` of a ledger's lookups within `span`.
    pub fn of_usage(ledger: LedgerId, format: &str, span: Period) -> Self {
        let Period { start, end } = span;
        let environment = ledger.environment.label();
        Self::new(
            AuditAction::UsageExported,
            &ledger.client,
            format!("{environment}, {format}, {start} to {end}"),
        )
    }

    /// Describes a dump of the store with this identity.
    pub fn of_store(identity: &str) -> Self {
        Self::new(AuditAction::StoreDumped, &identity, String::new())
    }

    /// Describes the page of a context's verdicts after this address.
    pub fn of_verdicts(context: &ContextId, after: Option<EoaAddress>, limit: usize) -> Self {
        Self::new(AuditAction::VerdictsListed, context, page(after, limit))
    }

    /// Describes the page of a context's labels after this address.
    pub fn of_labels(context: &ContextId, after: Option<EoaAddress>, limit: usize) -> Self {
        Self::new(AuditAction::LabelsListed, context, page(after, limit))
    }

    /// Describes an export of the recordings of a context's addresses with this label.
    pub fn of_recordings(context: &ContextId, label: &str) -> Self {
        Self::new(
            AuditAction::RecordingsExported,
            context,
            format!("labelled {label}"),
        )
    }

    /// Describes a stream of the events of a client, or of all clients.
    pub fn of_events(client: Option<ClientId>) -> Self {
        match client {
            Some(client) => Self::new(AuditAction::EventsStreamed, &client, String::new()),
            None => Self::new(
                AuditAction::EventsStreamed,
                &"events",
                "of all clients".into(),
            ),
        }
    }

    /// Describes a replay that changes nothing: it lists the addresses whose answer would change.
    pub fn of_replay(context: &ContextId, policy: u32) -> Self {
        Self::new(
            AuditAction::ReplayPreviewed,
            context,
            format!("by policy {policy}"),
        )
    }

    fn new(action: AuditAction, subject: &dyn Display, detail: String) -> Self {
        Self {
            action,
            subject: subject.to_string(),
            detail,
        }
    }
}

impl OperatorService {
    /// Writes the audit entry of a bulk read. The read must not begin unless this succeeds.
    pub async fn audit_read(&self, read: BulkRead) -> Result<(), StoreError> {
        let BulkRead {
            action,
            subject,
            detail,
        } = read;
        self.store
            .append_audit(self.audit(action, &subject, detail))
            .await
    }
}

fn page(after: Option<EoaAddress>, limit: usize) -> String {
    format!(
        "{} page, at most {limit}",
        if after.is_none() { "first" } else { "further" }
    )
}
