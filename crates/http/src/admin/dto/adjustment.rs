//! Credits and corrections.

use super::Money;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::invoicing;

/// A credit or correction: a line of an invoice that no lookup makes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Adjustment {
    /// Its number within the client, from 1, without gaps.
    pub number: u32,
    /// When it was made.
    pub at: String,
    /// What it is.
    pub kind: AdjustmentKind,
    /// What it adds to an invoice: below zero if the client is given something.
    pub amount: Money,
    /// Why; it is printed on the invoice.
    pub reason: String,
}

/// What an adjustment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AdjustmentKind {
    /// Something given to the client.
    Credit,
    /// A late correction, of either sign.
    Correction,
}

/// An adjustment to keep for the client's next invoice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAdjustment {
    /// What it is.
    pub kind: AdjustmentKind,
    /// `12.50`, or `12.50 USD`. Of a credit it is what the client is given, above zero; of a correction what it has to pay,
    /// below zero if it is given something.
    pub amount: String,
    /// Why; it is printed on the invoice.
    pub reason: String,
}

impl From<&invoicing::Adjustment> for Adjustment {
    fn from(made: &invoicing::Adjustment) -> Self {
        Self {
            number: made.number,
            at: made.at.to_string(),
            kind: made.kind.into(),
            amount: made.amount.into(),
            reason: made.reason.clone(),
        }
    }
}

impl From<invoicing::AdjustmentKind> for AdjustmentKind {
    fn from(kind: invoicing::AdjustmentKind) -> Self {
        match kind {
            invoicing::AdjustmentKind::Credit => Self::Credit,
            invoicing::AdjustmentKind::Correction => Self::Correction,
        }
    }
}
