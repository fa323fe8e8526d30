//! Invoices and draft invoices.

use super::{Adjustment, Money, PriceBook};
use serde::{Deserialize, Serialize};
use std::fmt;
use utoipa::ToSchema;
use voight_domain::Timestamp;
use voight_domain::billing::{self, ChargeKind};
use voight_domain::invoicing::{self, InvoiceState, Statement};
use voight_domain::metering;
use voight_domain::registry;

/// Invoice or draft invoice. A draft is computed for each request; the same rows produce the same draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Invoice {
    /// Members that only an issued invoice has; a draft has none of them.
    #[serde(flatten)]
    pub issued: Option<Issued>,
    /// Client id.
    pub client_id: String,
    /// Client name; on an invoice, the name at the time of issue.
    pub client: String,
    /// State: `draft`, `open`, `paid`, `void` or `uncollectible`.
    #[schema(value_type = String)]
    pub state: InvoiceStatus,
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
    pub chain_head: String,
}

/// State of an invoice or a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InvoiceStatus {
    /// Nothing is issued yet.
    Draft,
    /// Issued, and neither paid nor given up.
    Open,
    /// Paid.
    Paid,
    /// Void: another invoice replaces it.
    Void,
    /// Not expected to be paid.
    Uncollectible,
}

impl fmt::Display for InvoiceStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Draft => "draft",
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Void => "void",
            Self::Uncollectible => "uncollectible",
        })
    }
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

/// Members of an issued invoice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Issued {
    /// Invoice id: `<client id>-<number>`.
    pub id: String,
    /// Invoice number within the client, from 1, without gaps.
    pub number: u32,
    /// Time of issue.
    #[serde(with = "crate::text")]
    #[schema(value_type = String)]
    pub issued_at: Timestamp,
    /// Number of the void invoice that this invoice replaces.
    pub replaces: Option<u32>,
    /// Time at which the invoice was paid, voided or marked as uncollectible.
    #[serde(default, with = "crate::text::option")]
    #[schema(value_type = Option<String>)]
    pub changed_at: Option<Timestamp>,
    /// Reason for voiding the invoice.
    pub reason: Option<String>,
}

/// Billing period, half-open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Period {
    /// Start of the period, inclusive.
    #[serde(with = "crate::text")]
    #[schema(value_type = String)]
    pub start: Timestamp,
    /// End of the period, exclusive.
    #[serde(with = "crate::text")]
    #[schema(value_type = String)]
    pub end: Timestamp,
}

/// Charge of a tier. A flat fee is a separate line without lookups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InvoiceLine {
    /// Number of the tier, from 1.
    pub tier: usize,
    /// Lookups of the line.
    #[serde(flatten)]
    pub lookups: Option<LineLookups>,
    /// Flat fee of the tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flat_fee: Option<Money>,
    /// Amount of the line.
    pub amount: Money,
}

/// Lookups of an invoice line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LineLookups {
    /// First lookup, counted from 1 over the paid lookups of the period.
    pub from: u64,
    /// Last lookup.
    pub to: u64,
    /// Number of lookups.
    pub quantity: u64,
    /// Price of one lookup, a decimal number with at most twelve decimal places.
    pub unit_price: String,
}

impl Invoice {
    /// Builds the draft of a client's invoice.
    pub fn draft(client: &registry::Client, statement: &Statement) -> Self {
        Self::from_statement(statement, &client.id.to_string(), client.name.as_str(), InvoiceStatus::Draft, None)
    }

    fn from_statement(
        statement: &Statement,
        client_id: &str,
        client: &str,
        state: InvoiceStatus,
        issued: Option<Issued>,
    ) -> Self {
        Self {
            issued,
            client_id: client_id.to_owned(),
            client: client.to_owned(),
            state,
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

impl From<&invoicing::Invoice> for Invoice {
    fn from(invoice: &invoicing::Invoice) -> Self {
        let id = invoice.id;
        Self::from_statement(
            &invoice.statement,
            &id.client.to_string(),
            invoice.name.as_str(),
            (&invoice.state).into(),
            Some(invoice.into()),
        )
    }
}

impl From<&invoicing::Invoice> for Issued {
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
        }
    }
}

impl From<metering::Period> for Period {
    fn from(period: metering::Period) -> Self {
        Self { start: period.start, end: period.end }
    }
}

impl From<&billing::ChargeLine> for InvoiceLine {
    fn from(line: &billing::ChargeLine) -> Self {
        let amount = Money::from(line.amount);
        let (lookups, flat_fee) = match line.kind {
            ChargeKind::Lookups { first, last, unit_price } => {
                let (quantity, unit_price) = (last - first + 1, unit_price.to_string());
                (Some(LineLookups { from: first, to: last, quantity, unit_price }), None)
            }
            ChargeKind::FlatFee => (None, Some(amount.clone())),
        };
        Self { tier: line.tier, lookups, flat_fee, amount }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use voight_domain::billing::Currency;

    #[test]
    fn a_flat_fee_is_a_line_without_lookups() {
        let amount = billing::Money { minor: 500, currency: Currency::USD };
        let fee = InvoiceLine::from(&billing::ChargeLine { tier: 2, kind: ChargeKind::FlatFee, amount });
        let money = json!({"minor": 500, "currency": "USD", "formatted": "5.00"});
        let shown = serde_json::to_value(&fee).unwrap();
        assert_eq!(shown, json!({"tier": 2, "flat_fee": money, "amount": money}));
        assert_eq!(serde_json::from_value::<InvoiceLine>(shown).unwrap(), fee);
    }

    #[test]
    fn a_line_of_lookups_is_read_as_it_is_written() {
        let kind = ChargeKind::Lookups { first: 100_001, last: 100_010, unit_price: "0.001".parse().unwrap() };
        let amount = billing::Money { minor: 1, currency: Currency::USD };
        let line = InvoiceLine::from(&billing::ChargeLine { tier: 2, kind, amount });
        let shown = serde_json::to_value(&line).unwrap();
        assert_eq!((&shown["from"], &shown["to"], &shown["quantity"]), (&json!(100_001), &json!(100_010), &json!(10)));
        assert_eq!(serde_json::from_value::<InvoiceLine>(shown).unwrap(), line);
    }
}
