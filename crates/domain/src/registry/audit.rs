//! The record of who changed what.

use crate::vocabulary::Timestamp;

/// Who made a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// An operator, through the command line or the admin listener.
    Operator,
    /// A client, through the public API with this key.
    Key(crate::vocabulary::KeyId),
    /// The service itself.
    Service,
}

/// What was done. The words are stable: they are stored and exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is its own name; the words are listed in `as_str`")]
pub enum AuditAction {
    ClientCreated,
    ClientChanged,
    KeyIssued,
    KeyRotated,
    KeyRevoked,
    KeyLeaked,
    ContextRegistered,
    ContextChanged,
    VerdictOverridden,
    TimeAccepted,
    InvoiceIssued,
    InvoicePaid,
    InvoiceVoided,
    InvoiceWrittenOff,
    AdjustmentMade,
    LimitChanged,
    ClientClosed,
}

impl AuditAction {
    /// Every action.
    pub const ALL: [Self; 17] = [
        Self::ClientCreated,
        Self::ClientChanged,
        Self::KeyIssued,
        Self::KeyRotated,
        Self::KeyRevoked,
        Self::KeyLeaked,
        Self::ContextRegistered,
        Self::ContextChanged,
        Self::VerdictOverridden,
        Self::TimeAccepted,
        Self::InvoiceIssued,
        Self::InvoicePaid,
        Self::InvoiceVoided,
        Self::InvoiceWrittenOff,
        Self::AdjustmentMade,
        Self::LimitChanged,
        Self::ClientClosed,
    ];

    /// The action as stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClientCreated => "client.created",
            Self::ClientChanged => "client.changed",
            Self::KeyIssued => "key.issued",
            Self::KeyRotated => "key.rotated",
            Self::KeyRevoked => "key.revoked",
            Self::KeyLeaked => "key.leaked",
            Self::ContextRegistered => "context.registered",
            Self::ContextChanged => "context.changed",
            Self::VerdictOverridden => "verdict.overridden",
            Self::TimeAccepted => "time.accepted",
            Self::InvoiceIssued => "invoice.issued",
            Self::InvoicePaid => "invoice.paid",
            Self::InvoiceVoided => "invoice.voided",
            Self::InvoiceWrittenOff => "invoice.written_off",
            Self::AdjustmentMade => "adjustment.made",
            Self::LimitChanged => "limit.changed",
            Self::ClientClosed => "client.closed",
        }
    }
}

/// One audit record. It never holds a secret, and an address only where the action is about one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What.
    pub action: AuditAction,
    /// On what: the id of a client, key or context.
    pub subject: String,
    /// In words: what changed, and the reason where one was given.
    pub detail: String,
}
