//! Invoices and draft invoices.

use super::{Adjustment, Money, PriceBook};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::Timestamp;
use voight_domain::billing::{self, ChargeKind, UnitPrice};
use voight_domain::invoicing::{self, InvoiceState};
use voight_domain::metering;
use voight_domain::registry;

/// Issued invoice. Only its state changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Invoice {
    /// Invoice id: `<client id>-<number>`.
    pub id: String,
    /// Invoice number within the client, from 1, without gaps.
    pub number: u32,
    /// Time of issue.
    #[serde(with = "crate::text")]
    #[schema(value_type = String, format = DateTime)]
    pub issued_at: Timestamp,
    /// Number of the void invoice that this invoice replaces.
    #[schema(required)]
    pub replaces: Option<u32>,
    /// Time at which the invoice was paid, voided or marked as uncollectible.
    #[serde(default, with = "crate::text::option")]
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub changed_at: Option<Timestamp>,
    /// Reason for voiding the invoice.
    #[schema(required)]
    pub reason: Option<String>,
    /// Client id.
    pub client_id: String,
    /// Client name at the time of issue.
    pub client: String,
    /// State of the invoice.
    pub state: InvoiceStatus,
    /// Priced usage of the period.
    #[serde(flatten)]
    #[schema(inline)]
    pub statement: Statement,
}

/// Draft of the invoice of a period. It is computed for each request; the same rows produce the same draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DraftInvoice {
    /// Client id.
    pub client_id: String,
    /// Client name.
    pub client: String,
    /// State: `draft`.
    pub state: DraftStatus,
    /// Priced usage of the period.
    #[serde(flatten)]
    #[schema(inline)]
    pub statement: Statement,
}

/// Priced usage of a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Statement {
    /// Billing period.
    pub period: Period,
    /// Lookups in the period, including free ones.
    pub billable: u64,
    /// Lookups that the free allowance covers.
    pub free: u64,
    /// Lookups beyond the free allowance.
    pub charged: u64,
    /// Price book of the period.
    pub price_book: PriceBook,
    /// One line for each tier that was reached, and one for its flat fee.
    pub lines: Vec<InvoiceLine>,
    /// Credits and corrections.
    pub adjustments: Vec<Adjustment>,
    /// Amount carried forward from the previous invoice: negative or zero.
    pub carried_forward: Money,
    /// Sum of lines, adjustments and the amount carried forward.
    pub total: Money,
    /// Amount due: the total, or zero if the total is negative.
    pub due: Money,
    /// Sequence number of the first ledger row of the period.
    pub first_seq: u64,
    /// Sequence number of the last ledger row of the period.
    pub last_seq: u64,
    /// Chain head of the ledger after the last row.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub chain_head: String,
}

/// State of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum InvoiceStatus {
    /// Issued, and neither paid nor given up.
    Open,
    /// Paid.
    Paid,
    /// Void: another invoice replaces it.
    Void,
    /// Not expected to be paid.
    Uncollectible,
}

/// State of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DraftStatus {
    /// Nothing is issued yet.
    Draft,
}

impl From<&InvoiceState> for InvoiceStatus {
    fn from(state: &InvoiceState) -> Self {
        match state {
            InvoiceState::Open => Self::Open,
            InvoiceState::Paid(_) => Self::Paid,
            InvoiceState::Void { .. } => Self::Void,
            InvoiceState::Uncollectible(_) => Self::Uncollectible,
        }
    }
}

/// Billing period, half-open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Period {
    /// Start of the period, inclusive.
    #[serde(with = "crate::text")]
    #[schema(value_type = String, format = DateTime)]
    pub start: Timestamp,
    /// End of the period, exclusive.
    #[serde(with = "crate::text")]
    #[schema(value_type = String, format = DateTime)]
    pub end: Timestamp,
}

/// Charge of a tier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum InvoiceLine {
    /// Charge for lookups.
    Lookups {
        /// Number of the tier, from 1.
        tier: usize,
        /// First lookup, counted from 1 over the paid lookups of the period.
        from: u64,
        /// Last lookup.
        to: u64,
        /// Number of lookups.
        quantity: u64,
        /// Price of one lookup, a decimal number with at most twelve decimal places.
        #[serde(with = "crate::text")]
        #[schema(value_type = String, pattern = "^[0-9]+(?:\\.[0-9]+)?$")]
        unit_price: UnitPrice,
        /// Amount of the line.
        amount: Money,
    },
    /// Flat fee of a tier that was reached.
    FlatFee {
        /// Number of the tier, from 1.
        tier: usize,
        /// Flat fee of the tier.
        flat_fee: Money,
        /// Amount of the line.
        amount: Money,
    },
}

impl DraftInvoice {
    /// Builds the draft of a client's invoice.
    pub fn new(client: &registry::Client, statement: &invoicing::Statement) -> Self {
        Self {
            client_id: client.id.to_string(),
            client: client.name.to_string(),
            state: DraftStatus::Draft,
            statement: statement.into(),
        }
    }
}

impl From<&invoicing::Invoice> for Invoice {
    fn from(invoice: &invoicing::Invoice) -> Self {
        let (changed_at, reason) = match &invoice.state {
            InvoiceState::Open => (None, None),
            InvoiceState::Paid(at) | InvoiceState::Uncollectible(at) => (Some(*at), None),
            InvoiceState::Void { at, reason } => (Some(*at), Some(reason.clone())),
        };
        Self {
            id: invoice.id.to_string(),
            number: invoice.id.number,
            issued_at: invoice.issued_at,
            replaces: invoice.replaces,
            changed_at,
            reason,
            client_id: invoice.id.client.to_string(),
            client: invoice.name.to_string(),
            state: (&invoice.state).into(),
            statement: (&invoice.statement).into(),
        }
    }
}

impl From<&invoicing::Statement> for Statement {
    fn from(statement: &invoicing::Statement) -> Self {
        Self {
            period: statement.period.into(),
            billable: statement.billable,
            free: statement.free(),
            charged: statement.charged,
            price_book: (&statement.price_book).into(),
            lines: statement.lines.iter().map(InvoiceLine::from).collect(),
            adjustments: statement.adjustments.iter().map(Adjustment::from).collect(),
            carried_forward: statement.carried_forward.into(),
            total: statement.total.into(),
            due: statement.due().into(),
            first_seq: statement.first_seq,
            last_seq: statement.last_seq,
            chain_head: statement.head.to_string(),
        }
    }
}

impl From<metering::Period> for Period {
    fn from(period: metering::Period) -> Self {
        Self {
            start: period.start,
            end: period.end,
        }
    }
}

impl From<&billing::ChargeLine> for InvoiceLine {
    fn from(line: &billing::ChargeLine) -> Self {
        let tier = line.tier;
        let amount = Money::from(line.amount);
        match line.kind {
            ChargeKind::Lookups {
                first,
                last,
                unit_price,
            } => Self::Lookups {
                tier,
                from: first,
                to: last,
                quantity: last - first + 1,
                unit_price,
                amount,
            },
            ChargeKind::FlatFee => Self::FlatFee {
                tier,
                flat_fee: amount.clone(),
                amount,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use voight_domain::billing::Currency;

    #[test]
    fn flat_fee_is_a_line_without_lookups() {
        let amount = billing::Money {
            minor: 500,
            currency: Currency::USD,
        };
        let fee = InvoiceLine::from(&billing::ChargeLine {
            tier: 2,
            kind: ChargeKind::FlatFee,
            amount,
        });
        let money = json!({"minor": 500, "currency": "USD", "formatted": "5.00"});
        let fee_json = serde_json::to_value(&fee).unwrap();
        assert_eq!(
            fee_json,
            json!({"tier": 2, "flat_fee": money, "amount": money})
        );
        assert_eq!(
            serde_json::from_value::<InvoiceLine>(fee_json).unwrap(),
            fee
        );
    }

    #[test]
    fn line_of_lookups_is_parsed_as_formatted() {
        let kind = ChargeKind::Lookups {
            first: 100_001,
            last: 100_010,
            unit_price: "0.001".parse().unwrap(),
        };
        let amount = billing::Money {
            minor: 1,
            currency: Currency::USD,
        };
        let line = InvoiceLine::from(&billing::ChargeLine {
            tier: 2,
            kind,
            amount,
        });
        let line_json = serde_json::to_value(&line).unwrap();
        assert_eq!(
            (&line_json["from"], &line_json["to"], &line_json["quantity"]),
            (&json!(100_001), &json!(100_010), &json!(10))
        );
        assert_eq!(
            serde_json::from_value::<InvoiceLine>(line_json).unwrap(),
            line
        );
    }
}
