//! Credits and corrections.

use super::Money;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::invoicing;

/// Credit or correction: an invoice line that is not caused by lookups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Adjustment {
    /// Number within the client, from 1, without gaps.
    pub number: u32,
    /// Time of creation.
    #[schema(format = DateTime)]
    pub at: String,
    /// Kind of adjustment.
    pub kind: AdjustmentKind,
    /// Amount that is added to the invoice; negative in favour of the client.
    pub amount: Money,
    /// Reason, printed on the invoice.
    pub reason: String,
}

wire_enum! {
    /// Kind of adjustment.
    AdjustmentKind = invoicing::AdjustmentKind, "snake_case" {
        /// Credit in favour of the client.
        Credit,
        /// Late correction, positive or negative.
        Correction,
    }
}

/// Adjustment for the client's next invoice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAdjustment {
    /// Kind of adjustment.
    pub kind: AdjustmentKind,
    /// Amount: `12.50`, or `12.50 USD`. Positive for a credit. For a correction, positive if the client has to pay it and
    /// negative if it is in favour of the client.
    pub amount: String,
    /// Reason, printed on the invoice.
    pub reason: String,
}

impl From<&invoicing::Adjustment> for Adjustment {
    fn from(adjustment: &invoicing::Adjustment) -> Self {
        Self {
            number: adjustment.number,
            at: adjustment.at.to_string(),
            kind: adjustment.kind.into(),
            amount: adjustment.amount.into(),
            reason: adjustment.reason.clone(),
        }
    }
}
