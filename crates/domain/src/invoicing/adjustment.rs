//! Credits and corrections: invoice lines besides the charges of tiers.

use crate::billing::Money;
use crate::registry::{Actor, AuditAction, AuditEntry};
use crate::vocabulary::{ClientId, Timestamp};

/// Kind of an adjustment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdjustmentKind {
    /// Amount granted to the client: never above zero.
    Credit,
    /// Later correction, of either sign.
    Correction,
}

/// Adjustment to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAdjustment {
    /// The kind of the adjustment.
    pub kind: AdjustmentKind,
    /// The amount that is added to an invoice: negative in favour of the client.
    pub amount: Money,
    /// The operator's reason, which is printed on the invoice.
    pub reason: String,
}

/// Stored adjustment. It becomes a line of the next invoice in its currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjustment {
    /// The number within the client, from 1, without gaps.
    pub number: u32,
    /// The time of the adjustment.
    pub at: Timestamp,
    /// The kind of the adjustment.
    pub kind: AdjustmentKind,
    /// The amount that is added to an invoice.
    pub amount: Money,
    /// The operator's reason.
    pub reason: String,
    /// The number of the adjustment's invoice; `None` while it is pending.
    pub invoice: Option<u32>,
}

impl AdjustmentKind {
    /// Returns the kind as shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Credit => "credit",
            Self::Correction => "correction",
        }
    }
}

impl NewAdjustment {
    /// Returns the adjustment under this number, pending for the next invoice.
    pub fn numbered(self, number: u32, at: Timestamp) -> Adjustment {
        let Self {
            kind,
            amount,
            reason,
        } = self;
        Adjustment {
            number,
            at,
            kind,
            amount,
            reason,
            invoice: None,
        }
    }

    /// Returns the audit entry of the adjustment.
    pub fn audit_entry(&self, client: ClientId, actor: Actor, at: Timestamp) -> AuditEntry {
        let detail = format!("{} of {}: {}", self.kind.as_str(), self.amount, self.reason);
        AuditEntry {
            at,
            actor,
            action: AuditAction::AdjustmentMade,
            subject: client.to_string(),
            detail,
        }
    }
}
