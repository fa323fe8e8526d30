//! Wording of invoices and draft invoices, for text and pages. The strings are not escaped.

use super::{
    Adjustment, AdjustmentKind, DraftInvoice, Invoice, InvoiceLine, InvoiceStatus, PriceMode,
    Statement,
};
use crate::text::parsed;
use voight_domain::Timestamp;
use voight_domain::billing::{Currency, Money};
use voight_domain::invoicing::{self, InvoiceId, InvoiceState};
use voight_domain::metering::Day;

/// Instructions for verifying an invoice. The export is requested from the operator, because a client has no admin token.
const VERIFICATION: &str = "To verify it, request the export of your ledger from the operator and run `voight audit verify-export FILE`, \
which computes the invoice again from its rows and needs no server. `GET /api/v1/usage/export` with your API key lists the lookups. \
The guide is /docs/guides/verify-an-invoice.html at the address of the service.";

const DAY_MILLIS: i64 = 86_400_000;

/// Invoice or draft invoice as people read it. It is built from the values of the domain, or from a response of the admin API.
#[derive(Debug, Clone)]
pub struct InvoiceView {
    client_id: String,
    client: String,
    /// Issue of the invoice; `None` for a draft.
    issue: Option<Issue>,
    statement: Statement,
}

/// Issue of an invoice, and its state.
#[derive(Debug, Clone)]
struct Issue {
    id: InvoiceId,
    issued_at: Timestamp,
    replaces: Option<u32>,
    state: InvoiceState,
}

/// Line of an invoice view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceViewLine {
    /// Description of the line.
    pub what: String,
    /// Number of lookups, if the line charges lookups.
    pub quantity: String,
    /// Price of one lookup.
    pub unit_price: String,
    /// Amount of the line.
    pub amount: String,
}

impl From<&invoicing::Invoice> for InvoiceView {
    fn from(invoice: &invoicing::Invoice) -> Self {
        let invoicing::Invoice {
            id,
            issued_at,
            replaces,
            ..
        } = *invoice;
        let client_id = id.client.to_string();
        let client = invoice.name.to_string();
        let statement = (&invoice.statement).into();
        let issue = Some(Issue {
            id,
            issued_at,
            replaces,
            state: invoice.state.clone(),
        });
        Self {
            client_id,
            client,
            issue,
            statement,
        }
    }
}

impl TryFrom<&Invoice> for InvoiceView {
    type Error = String;

    fn try_from(invoice: &Invoice) -> Result<Self, String> {
        let Invoice {
            issued_at,
            replaces,
            ..
        } = *invoice;
        let client_id = invoice.client_id.clone();
        let client = invoice.client.clone();
        let statement = invoice.statement.clone();
        let state = match (invoice.state, invoice.changed_at, &invoice.reason) {
            (InvoiceStatus::Open, _, _) => InvoiceState::Open,
            (InvoiceStatus::Paid, Some(at), _) => InvoiceState::Paid(at),
            (InvoiceStatus::Void, Some(at), Some(reason)) => InvoiceState::Void {
                at,
                reason: reason.clone(),
            },
            (InvoiceStatus::Uncollectible, Some(at), _) => InvoiceState::Uncollectible(at),
            (state, ..) => {
                return Err(format!(
                    "state: an invoice is {state:?} without a time or a reason"
                ));
            }
        };
        let issue = Some(Issue {
            id: parsed("id", &invoice.id)?,
            issued_at,
            replaces,
            state,
        });
        Ok(Self {
            client_id,
            client,
            issue,
            statement,
        })
    }
}

impl From<&DraftInvoice> for InvoiceView {
    fn from(draft: &DraftInvoice) -> Self {
        let DraftInvoice {
            client_id,
            client,
            statement,
            ..
        } = draft.clone();
        Self {
            client_id,
            client,
            issue: None,
            statement,
        }
    }
}

impl InvoiceView {
    /// Returns the title of the document.
    pub fn title(&self) -> String {
        match &self.issue {
            Some(issue) => format!("Invoice {}", issue.id),
            None => "Draft of an invoice".to_owned(),
        }
    }

    /// Returns the state: `draft`, `open`, `paid`, `void` or `uncollectible`.
    pub fn state(&self) -> &'static str {
        self.issue
            .as_ref()
            .map_or("draft", |issue| issue.state.as_str())
    }

    /// Returns the notice for the top of the document; `None` for an open invoice.
    pub fn notice(&self) -> Option<String> {
        let Some(issue) = &self.issue else {
            return Some(
                "DRAFT. This is not an invoice, and nothing is to be paid yet: it is what the lookups so far come to. \
                 The invoice is issued when the period is closed."
                    .to_owned(),
            );
        };
        match &issue.state {
            InvoiceState::Open => None,
            InvoiceState::Void { at, reason } => Some(format!(
                "VOID since {}. Nothing is to be paid by this invoice. Reason: {reason}",
                day(*at)
            )),
            InvoiceState::Paid(at) => Some(format!("PAID, noted on {}.", day(*at))),
            InvoiceState::Uncollectible(at) => {
                Some(format!("UNCOLLECTIBLE, given up on {}.", day(*at)))
            }
        }
    }

    /// Returns client, dates and price book as pairs of a name and a value.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![
            ("Client", self.client.clone()),
            ("Client id", self.client_id.clone()),
        ];
        facts.push(("Period", self.period_text()));
        if let Some(issue) = &self.issue {
            facts.push(("Issued", day(issue.issued_at).to_string()));
            let predecessor = issue
                .replaces
                .map(|number| InvoiceId { number, ..issue.id });
            facts.extend(predecessor.map(|id| ("Replaces", format!("invoice {id}"))));
        }
        facts.push(("State", self.state().to_owned()));
        facts.push(("Price book", self.price_book_text()));
        facts
    }

    /// Returns the lines that add up to the total.
    pub fn entries(&self) -> Vec<InvoiceViewLine> {
        let Statement {
            free,
            lines,
            adjustments,
            carried_forward,
            ..
        } = &self.statement;
        let free = InvoiceViewLine {
            quantity: with_thousands_separators(*free),
            unit_price: "free".to_owned(),
            ..entry(
                "Lookups within the free allowance",
                Money::zero(self.currency()),
            )
        };
        let lines = lines
            .iter()
            .map(charge)
            .chain(adjustments.iter().map(adjustment));
        let balance = (carried_forward.minor != 0)
            .then(|| entry("Balance carried forward", carried_forward.into()));
        std::iter::once(free).chain(lines).chain(balance).collect()
    }

    /// Returns the sums as pairs of a name and an amount. The last one is the amount due.
    pub fn sums(&self) -> Vec<(String, String)> {
        let [total, due] = [&self.statement.total, &self.statement.due].map(Money::from);
        let mut sums = vec![("Total".to_owned(), total.amount_text())];
        if total.minor < 0 {
            sums.push((
                "Carried forward to the next invoice".to_owned(),
                total.amount_text(),
            ));
        }
        sums.push((format!("Amount due in {}", due.currency), due.amount_text()));
        sums
    }

    /// Returns the currency of all amounts.
    pub const fn currency(&self) -> Currency {
        self.statement.total.currency
    }

    /// Returns instructions for the client to verify the invoice, without access to the admin API.
    pub const fn verification_text(&self) -> &'static str {
        VERIFICATION
    }

    /// Returns the range of ledger rows, from the first to the last.
    pub fn rows_text(&self) -> String {
        let Statement {
            first_seq,
            last_seq,
            ..
        } = self.statement;
        if last_seq < first_seq {
            return "none yet".to_owned();
        }
        format!(
            "{} to {}",
            with_thousands_separators(first_seq),
            with_thousands_separators(last_seq)
        )
    }

    /// Returns the chain head of the ledger after the last row.
    pub fn chain_head(&self) -> &str {
        &self.statement.chain_head
    }

    fn price_book_text(&self) -> String {
        let book = &self.statement.price_book;
        let mode = match book.mode {
            PriceMode::Graduated => "graduated",
            PriceMode::Volume => "volume",
        };
        let example = if book.is_example {
            " (an example, for the operator to replace)"
        } else {
            ""
        };
        format!(
            "{}, version {}, {mode}, in {}{example}",
            book.name, book.version, book.currency
        )
    }

    fn period_text(&self) -> String {
        format!(
            "{} to {} (UTC)",
            moment(self.statement.period.start),
            self.last_moment()
        )
    }

    /// Returns the last day of the period, or the moment at which the period was cut short.
    fn last_moment(&self) -> String {
        let end = self.statement.period.end;
        let last = Timestamp::from_millis(end.as_millis() - 1);
        if is_midnight(end) {
            day(last).to_string()
        } else {
            moment(end)
        }
    }
}

fn charge(line: &InvoiceLine) -> InvoiceViewLine {
    match line {
        InvoiceLine::Lookups {
            tier,
            from,
            to,
            quantity,
            unit_price,
            amount,
        } => {
            let [from, to] = [from, to].map(|number| with_thousands_separators(*number));
            InvoiceViewLine {
                quantity: with_thousands_separators(*quantity),
                unit_price: unit_price.to_string(),
                ..entry(
                    format!("Paid lookups {from} to {to} (tier {tier})"),
                    amount.into(),
                )
            }
        }
        InvoiceLine::FlatFee { tier, amount, .. } => {
            entry(format!("Flat fee of tier {tier}"), amount.into())
        }
    }
}

fn adjustment(adjustment: &Adjustment) -> InvoiceViewLine {
    let kind = match adjustment.kind {
        AdjustmentKind::Credit => "Credit",
        AdjustmentKind::Correction => "Correction",
    };
    entry(
        format!("{kind}: {}", adjustment.reason),
        (&adjustment.amount).into(),
    )
}

fn entry(label: impl Into<String>, amount: Money) -> InvoiceViewLine {
    let description = label.into();
    let amount = amount.amount_text();
    InvoiceViewLine {
        what: description,
        quantity: String::new(),
        unit_price: String::new(),
        amount,
    }
}

/// Returns the date of a time.
const fn day(time: Timestamp) -> Day {
    Day(time.day())
}

const fn is_midnight(time: Timestamp) -> bool {
    time.as_millis().rem_euclid(DAY_MILLIS) == 0
}

/// Formats a time to the second; a midnight as its date.
fn moment(time: Timestamp) -> String {
    let seconds = time.as_millis().rem_euclid(DAY_MILLIS) / 1000;
    let hour = seconds / 3600;
    let minute = seconds / 60 % 60;
    let second = seconds % 60;
    let day = day(time);
    if is_midnight(time) {
        day.to_string()
    } else {
        format!("{day} {hour:02}:{minute:02}:{second:02}")
    }
}

/// Formats a whole number with a comma between groups of three digits.
fn with_thousands_separators(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::public::routes::PUBLIC_ROUTES;

    #[test]
    fn times_are_as_exact_as_people_need_them() {
        let time = |text: &str| text.parse().unwrap();
        assert_eq!(moment(time("2026-11-01T00:00:00Z")), "2026-11-01");
        assert_eq!(
            moment(time("2026-11-21T21:45:53.547Z")),
            "2026-11-21 21:45:53"
        );
        assert_eq!(
            moment(time("2026-11-21T00:00:00.547Z")),
            "2026-11-21 00:00:00"
        );
        assert_eq!(
            day(time("2026-11-21T21:45:53.547Z")).to_string(),
            "2026-11-21"
        );
    }

    #[test]
    fn client_can_follow_the_verification_text() {
        let commands = VERIFICATION.split('`').skip(1).step_by(2);
        for command in commands {
            let route = command.strip_prefix("GET ");
            let is_public =
                route.is_some_and(|path| PUBLIC_ROUTES.iter().any(|route| route.path == path));
            assert!(
                is_public || command.starts_with("voight audit verify-export "),
                "{command}"
            );
        }
    }

    #[test]
    fn large_numbers_are_grouped() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (100_001, "100,001"),
            (1_001_010, "1,001,010"),
        ] {
            assert_eq!(with_thousands_separators(number), text);
        }
    }
}
