//! Amounts of an invoice: its lines, credits and corrections.

use crate::admin::AdjustmentKind;
use crate::text::parsed;
use serde::{Deserialize, Serialize};
use voight_domain::billing::{ChargeKind, ChargeLine, Money};
use voight_domain::invoicing::Adjustment;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoneyText {
    minor: i64,
    currency: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineText {
    tier: usize,
    /// Lookups that are charged; absent for the flat fee of the tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    lookups: Option<LookupsText>,
    amount: MoneyText,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LookupsText {
    from: u64,
    to: u64,
    unit_price: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AdjustmentText {
    number: u32,
    at: String,
    kind: AdjustmentKind,
    amount: MoneyText,
    reason: String,
}

impl From<Money> for MoneyText {
    fn from(money: Money) -> Self {
        Self {
            minor: money.minor,
            currency: money.currency.to_string(),
        }
    }
}

impl TryFrom<MoneyText> for Money {
    type Error = String;

    fn try_from(text: MoneyText) -> Result<Self, Self::Error> {
        Ok(Self {
            minor: text.minor,
            currency: parsed("currency", &text.currency)?,
        })
    }
}

impl From<&ChargeLine> for LineText {
    fn from(line: &ChargeLine) -> Self {
        let lookups = match line.kind {
            ChargeKind::Lookups {
                first,
                last,
                unit_price,
            } => Some(LookupsText {
                from: first,
                to: last,
                unit_price: unit_price.to_string(),
            }),
            ChargeKind::FlatFee => None,
        };
        Self {
            tier: line.tier,
            lookups,
            amount: line.amount.into(),
        }
    }
}

impl TryFrom<LineText> for ChargeLine {
    type Error = String;

    fn try_from(text: LineText) -> Result<Self, Self::Error> {
        let kind = match text.lookups {
            Some(LookupsText {
                from,
                to,
                unit_price,
            }) => ChargeKind::Lookups {
                first: from,
                last: to,
                unit_price: parsed("unit_price", &unit_price)?,
            },
            None => ChargeKind::FlatFee,
        };
        Ok(Self {
            tier: text.tier,
            kind,
            amount: text.amount.try_into()?,
        })
    }
}

impl From<&Adjustment> for AdjustmentText {
    fn from(adjustment: &Adjustment) -> Self {
        Self {
            number: adjustment.number,
            at: adjustment.at.to_string(),
            kind: adjustment.kind.into(),
            amount: adjustment.amount.into(),
            reason: adjustment.reason.clone(),
        }
    }
}

impl TryFrom<AdjustmentText> for Adjustment {
    type Error = String;

    fn try_from(text: AdjustmentText) -> Result<Self, Self::Error> {
        let number = text.number;
        let at = parsed("at", &text.at)?;
        let reason = text.reason;
        Ok(Self {
            number,
            at,
            kind: text.kind.into(),
            amount: text.amount.try_into()?,
            reason,
            invoice: None,
        })
    }
}
