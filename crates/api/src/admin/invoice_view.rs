//! Renders an invoice as text for people. The strings are not escaped.

use super::{Adjustment, AdjustmentKind, Invoice, InvoiceLine, InvoiceStatus, Issued, PriceMode};
use voight_domain::Timestamp;
use voight_domain::billing::Money;
use voight_domain::metering::Day;

const DAY_MILLIS: i64 = 86_400_000;

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

impl Invoice {
    /// Returns the title of the invoice.
    pub fn title(&self) -> String {
        match &self.issued {
            Some(issued) => format!("Invoice {}", issued.id),
            None => "Draft of an invoice".to_owned(),
        }
    }

    /// Returns the notice for the top of the document; `None` for an open invoice.
    pub fn notice(&self) -> Option<String> {
        let Some(issued) = &self.issued else {
            return Some(
                "DRAFT. This is not an invoice, and nothing is to be paid yet: it is what the lookups so far come to. \
                 The invoice is issued when the period is closed."
                    .to_owned(),
            );
        };
        let Issued { changed_at, reason, .. } = issued;
        let at = changed_at.map(day)?;
        match self.state {
            InvoiceStatus::Void => Some(format!(
                "VOID since {at}. Nothing is to be paid by this invoice. Reason: {}",
                reason.as_deref().unwrap_or_default()
            )),
            InvoiceStatus::Paid => Some(format!("PAID, noted on {at}.")),
            InvoiceStatus::Uncollectible => Some(format!("UNCOLLECTIBLE, given up on {at}.")),
            InvoiceStatus::Draft | InvoiceStatus::Open => None,
        }
    }

    /// Returns client, dates and price book as pairs of a name and a value.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![("Client", self.client.clone()), ("Client id", self.client_id.clone())];
        facts.push(("Period", self.period_text()));
        if let Some(issued) = &self.issued {
            facts.push(("Issued", day(issued.issued_at).to_string()));
            facts.extend(issued.replaces.map(|number| ("Replaces", format!("invoice {}-{number}", self.client_id))));
        }
        facts.push(("State", self.state.to_string()));
        facts.push(("Price book", self.price_book_text()));
        facts
    }

    /// Returns the lines that add up to the total.
    pub fn entries(&self) -> Vec<InvoiceViewLine> {
        let free = InvoiceViewLine {
            quantity: with_thousands_separators(self.free),
            unit_price: "free".to_owned(),
            ..entry("Lookups within the free allowance", self.nothing())
        };
        let lines = self.lines.iter().map(line);
        let adjustments = self.adjustments.iter().map(adjustment);
        let carried = (self.carried_forward.minor != 0)
            .then(|| entry("Balance carried forward", self.carried_forward.formatted.clone()));
        std::iter::once(free).chain(lines).chain(adjustments).chain(carried).collect()
    }

    /// Returns the sums as pairs of a name and an amount. The last one is the amount due.
    pub fn sums(&self) -> Vec<(String, String)> {
        let mut sums = vec![("Total".to_owned(), self.total.formatted.clone())];
        if self.total.minor < 0 {
            sums.push(("Carried forward to the next invoice".to_owned(), self.total.formatted.clone()));
        }
        sums.push((format!("Amount due in {}", self.due.currency), self.due.formatted.clone()));
        sums
    }

    /// Returns instructions for verifying the invoice.
    pub fn check_in_words(&self) -> String {
        format!(
            "To check it, work it out again from its rows: `voight audit export --client {}` writes them with their prices, and \
             `voight audit verify-export FILE` needs no service for the rest. The guide is docs/guides/verify-an-invoice.md.",
            self.client_id
        )
    }

    /// Returns the range of ledger rows, from the first to the last.
    pub fn rows_in_words(&self) -> String {
        if self.last_seq < self.first_seq {
            return "none yet".to_owned();
        }
        format!("{} to {}", with_thousands_separators(self.first_seq), with_thousands_separators(self.last_seq))
    }

    fn price_book_text(&self) -> String {
        let book = &self.price_book;
        let mode = match book.mode {
            PriceMode::Graduated => "graduated",
            PriceMode::Volume => "volume",
        };
        let example = if book.is_example { " (an example, for the operator to replace)" } else { "" };
        format!("{}, version {}, {mode}, in {}{example}", book.name, book.version, book.currency)
    }

    fn period_text(&self) -> String {
        format!("{} to {} (UTC)", moment(self.period.start), self.last_moment())
    }

    /// Returns the last day of the period, or the moment at which the period was cut short.
    fn last_moment(&self) -> String {
        let end = self.period.end;
        let last = Timestamp::from_millis(end.as_millis() - 1);
        if is_midnight(end) { day(last).to_string() } else { moment(end) }
    }

    /// Returns the amount zero in the currency of the invoice.
    fn nothing(&self) -> String {
        Money::zero(self.total.currency).amount_text()
    }
}

fn line(line: &InvoiceLine) -> InvoiceViewLine {
    let amount = line.amount.formatted.clone();
    match &line.lookups {
        Some(lookups) => InvoiceViewLine {
            quantity: with_thousands_separators(lookups.quantity),
            unit_price: lookups.unit_price.clone(),
            ..entry(
                format!(
                    "Paid lookups {} to {} (tier {})",
                    with_thousands_separators(lookups.from),
                    with_thousands_separators(lookups.to),
                    line.tier
                ),
                amount,
            )
        },
        None => entry(format!("Flat fee of tier {}", line.tier), amount),
    }
}

fn adjustment(made: &Adjustment) -> InvoiceViewLine {
    let kind = match made.kind {
        AdjustmentKind::Credit => "Credit",
        AdjustmentKind::Correction => "Correction",
    };
    entry(format!("{kind}: {}", made.reason), made.amount.formatted.clone())
}

fn entry(what: impl Into<String>, amount: String) -> InvoiceViewLine {
    InvoiceViewLine { what: what.into(), quantity: String::new(), unit_price: String::new(), amount }
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
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let day = day(time);
    if is_midnight(time) { day.to_string() } else { format!("{day} {hour:02}:{minute:02}:{second:02}") }
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

    #[test]
    fn times_are_as_exact_as_people_need_them() {
        let time = |text: &str| text.parse().unwrap();
        assert_eq!(moment(time("2026-11-01T00:00:00Z")), "2026-11-01");
        assert_eq!(moment(time("2026-11-21T21:45:53.547Z")), "2026-11-21 21:45:53");
        assert_eq!(moment(time("2026-11-21T00:00:00.547Z")), "2026-11-21 00:00:00");
        assert_eq!(day(time("2026-11-21T21:45:53.547Z")).to_string(), "2026-11-21");
    }

    #[test]
    fn large_numbers_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (100_001, "100,001"), (1_001_010, "1,001,010")]
        {
            assert_eq!(with_thousands_separators(number), text);
        }
    }
}
