//! Credits and corrections: lines that no tier makes.

use crate::billing::Money;
use crate::vocabulary::Timestamp;

/// What an adjustment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdjustmentKind {
    /// Something given to the client: never above zero.
    Credit,
    /// A late correction, of either sign.
    Correction,
}

/// An adjustment about to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAdjustment {
    /// What it is.
    pub kind: AdjustmentKind,
    /// What it adds to an invoice: negative if the client is given something.
    pub amount: Money,
    /// Why, in the operator's words; it is printed on the invoice.
    pub reason: String,
}

/// An adjustment as it is kept. It is a line of the next invoice in its currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjustment {
    /// Its number within the client, from 1, without gaps.
    pub number: u32,
    /// When it was made.
    pub at: Timestamp,
    /// What it is.
    pub kind: AdjustmentKind,
    /// What it adds to an invoice.
    pub amount: Money,
    /// Why.
    pub reason: String,
    /// The number of the invoice that it is on; `None` while it waits.
    pub invoice: Option<u32>,
}

impl AdjustmentKind {
    /// The kind as shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Credit => "credit",
            Self::Correction => "correction",
        }
    }
}

impl NewAdjustment {
    /// The adjustment under this number, waiting for an invoice.
    pub fn numbered(self, number: u32, at: Timestamp) -> Adjustment {
        let Self { kind, amount, reason } = self;
        Adjustment { number, at, kind, amount, reason, invoice: None }
    }
}
