//! Invoice as JSON.

use super::amount::{AdjustmentText, LineText, MoneyText};
use crate::text::{hex, parsed};
use serde::{Deserialize, Serialize};
use voight_domain::billing::{ChargeLine, Money, PriceBookDigest};
use voight_domain::invoicing::{Adjustment, InvoiceState};
use voight_domain::ledger_audit::ListedInvoice;
use voight_domain::metering::Period;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InvoiceJson {
    id: String,
    name: String,
    issued_at: String,
    state: StateText,
    #[serde(skip_serializing_if = "Option::is_none")]
    replaces: Option<u32>,
    start: String,
    end: String,
    first: u64,
    last: u64,
    head: String,
    billable: u64,
    paid: u64,
    price_book: String,
    lines: Vec<LineText>,
    adjustments: Vec<AdjustmentText>,
    carried: MoneyText,
    total: MoneyText,
}

/// State of an invoice, with the time of the last change.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum StateText {
    Open,
    Paid { at: String },
    Void { at: String, reason: String },
    Uncollectible { at: String },
}

impl From<&ListedInvoice> for InvoiceJson {
    fn from(invoice: &ListedInvoice) -> Self {
        Self {
            id: invoice.id.to_string(),
            name: invoice.name.clone(),
            issued_at: invoice.issued_at.to_string(),
            state: (&invoice.state).into(),
            replaces: invoice.replaces,
            start: invoice.period.start.to_string(),
            end: invoice.period.end.to_string(),
            first: invoice.first,
            last: invoice.last,
            head: invoice.head.to_string(),
            billable: invoice.billable,
            paid: invoice.paid,
            price_book: invoice.book.to_string(),
            lines: invoice.lines.iter().map(LineText::from).collect(),
            adjustments: invoice
                .adjustments
                .iter()
                .map(AdjustmentText::from)
                .collect(),
            carried: invoice.carried.into(),
            total: invoice.total.into(),
        }
    }
}

impl TryFrom<InvoiceJson> for ListedInvoice {
    type Error = String;

    fn try_from(text: InvoiceJson) -> Result<Self, Self::Error> {
        Ok(Self {
            id: parsed("id", &text.id)?,
            name: text.name,
            issued_at: parsed("issued_at", &text.issued_at)?,
            state: text.state.try_into()?,
            replaces: text.replaces,
            period: Period {
                start: parsed("start", &text.start)?,
                end: parsed("end", &text.end)?,
            },
            first: text.first,
            last: text.last,
            head: parsed("head", &text.head)?,
            billable: text.billable,
            paid: text.paid,
            book: PriceBookDigest(hex("price_book", &text.price_book)?),
            lines: text
                .lines
                .into_iter()
                .map(ChargeLine::try_from)
                .collect::<Result<_, _>>()?,
            adjustments: text
                .adjustments
                .into_iter()
                .map(Adjustment::try_from)
                .collect::<Result<_, _>>()?,
            carried: Money::try_from(text.carried)?,
            total: Money::try_from(text.total)?,
        })
    }
}

impl From<&InvoiceState> for StateText {
    fn from(state: &InvoiceState) -> Self {
        match state {
            InvoiceState::Open => Self::Open,
            InvoiceState::Paid(at) => Self::Paid { at: at.to_string() },
            InvoiceState::Void { at, reason } => Self::Void {
                at: at.to_string(),
                reason: reason.clone(),
            },
            InvoiceState::Uncollectible(at) => Self::Uncollectible { at: at.to_string() },
        }
    }
}

impl TryFrom<StateText> for InvoiceState {
    type Error = String;

    fn try_from(text: StateText) -> Result<Self, Self::Error> {
        Ok(match text {
            StateText::Open => Self::Open,
            StateText::Paid { at } => Self::Paid(parsed("at", &at)?),
            StateText::Void { at, reason } => Self::Void {
                at: parsed("at", &at)?,
                reason,
            },
            StateText::Uncollectible { at } => Self::Uncollectible(parsed("at", &at)?),
        })
    }
}
