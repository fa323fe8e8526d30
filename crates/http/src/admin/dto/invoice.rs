//! Invoices and drafts of them.

use super::{Adjustment, Money, PriceBook};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::billing::{self, ChargeKind};
use voight_domain::invoicing::{self, InvoiceState, Statement};
use voight_domain::metering;
use voight_domain::registry;

/// An invoice, or the draft of one. A draft is made anew whenever it is asked for, and the same rows make the same draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Invoice {
    /// What only an invoice has; a draft has nothing of it.
    #[serde(flatten)]
    pub issued: Option<Issued>,
    /// The client.
    pub client_id: String,
    /// Its name; on an invoice, when that was issued.
    pub client: String,
    /// `draft`, `open`, `paid`, `void` or `uncollectible`.
    pub state: String,
    /// What is billed.
    pub period: Period,
    /// Lookups in the period, free ones included.
    pub billable: u64,
    /// Those that the free allowance covers.
    pub free: u64,
    /// Those beyond it.
    pub paid: u64,
    /// What they are priced by.
    pub price_book: PriceBook,
    /// A line for each tier that is reached, and for its flat fee.
    pub lines: Vec<InvoiceLine>,
    /// Credits and corrections.
    pub adjustments: Vec<Adjustment>,
    /// What was carried forward from the invoice before: below zero, or nothing.
    pub carried: Money,
    /// The sum of lines, adjustments and what was carried forward.
    pub total: Money,
    /// What is to be paid: the total, and nothing if that is below zero.
    pub due: Money,
    /// The sequence number of the period's first row in the ledger.
    pub first: u64,
    /// The sequence number of its last row.
    pub last: u64,
    /// The head of the ledger's chain after that row.
    pub head: String,
}

/// What makes a draft an invoice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Issued {
    /// `<client id>-<number>`.
    pub id: String,
    /// Its number within the client, from 1, without gaps.
    pub number: u32,
    /// When it was issued.
    pub issued_at: String,
    /// The number of the void invoice that it stands in for.
    pub replaces: Option<u32>,
    /// When it was paid, voided or given up.
    pub changed_at: Option<String>,
    /// Why it was voided.
    pub reason: Option<String>,
}

/// A period, half-open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Period {
    /// Its first instant.
    pub start: String,
    /// The first instant after it.
    pub end: String,
}

/// What a tier charges. A flat fee is a line of its own, without lookups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InvoiceLine {
    /// The tier, counted from 1.
    pub tier: usize,
    /// Its lookups.
    #[serde(flatten)]
    pub lookups: Option<LineLookups>,
    /// Its flat fee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flat_fee: Option<Money>,
    /// What it comes to.
    pub amount: Money,
}

/// The lookups of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LineLookups {
    /// The first of them, counted from 1 over the paid lookups of the period.
    pub from: u64,
    /// The last of them.
    pub to: u64,
    /// How many they are.
    pub quantity: u64,
    /// What each costs, as a decimal number of at most twelve places.
    pub unit_price: String,
}

impl Invoice {
    /// The draft of a client's invoice.
    pub fn draft(client: &registry::Client, statement: &Statement) -> Self {
        Self::from_statement(statement, &client.id.to_string(), client.name.as_str(), "draft", None)
    }

    fn from_statement(
        statement: &Statement,
        client_id: &str,
        client: &str,
        state: &str,
        issued: Option<Issued>,
    ) -> Self {
        Self {
            issued,
            client_id: client_id.to_owned(),
            client: client.to_owned(),
            state: state.to_owned(),
            period: statement.period.into(),
            billable: statement.billable,
            free: statement.free(),
            paid: statement.charged,
            price_book: (&statement.price_book).into(),
            lines: statement.lines.iter().map(InvoiceLine::from).collect(),
            adjustments: statement.adjustments.iter().map(Adjustment::from).collect(),
            carried: statement.carried_forward.into(),
            total: statement.total.into(),
            due: statement.due().into(),
            first: statement.first_seq,
            last: statement.last_seq,
            head: statement.head.to_string(),
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
            invoice.state.as_str(),
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
            issued_at: invoice.issued_at.to_string(),
            replaces: invoice.replaces,
            changed_at: super::optional(changed_at),
            reason,
        }
    }
}

impl From<metering::Period> for Period {
    fn from(period: metering::Period) -> Self {
        Self { start: period.start.to_string(), end: period.end.to_string() }
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
        let money = json!({"minor": 500, "currency": "USD", "display": "5.00"});
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
