//! Renders an invoice as text for people. The strings are not escaped.

use super::{Adjustment, AdjustmentKind, Invoice, InvoiceLine, Issued, PriceMode};
use voight_domain::Timestamp;
use voight_domain::billing::Money;

const MIDNIGHT: &str = "T00:00:00Z";
/// Length of a time to the second, in characters.
const SECONDS: usize = "2026-11-21T10:00:00".len();

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
        let at = day(changed_at.as_deref().unwrap_or_default());
        match self.state.as_str() {
            "void" => Some(format!(
                "VOID since {at}. Nothing is to be paid by this invoice. Reason: {}",
                reason.as_deref().unwrap_or_default()
            )),
            "paid" => Some(format!("PAID, noted on {at}.")),
            "uncollectible" => Some(format!("UNCOLLECTIBLE, given up on {at}.")),
            _ => None,
        }
    }

    /// Returns client, dates and price book as pairs of a name and a value.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![("Client", self.client.clone()), ("Client id", self.client_id.clone())];
        facts.push(("Period", self.period_text()));
        if let Some(issued) = &self.issued {
            facts.push(("Issued", day(&issued.issued_at).to_owned()));
            facts.extend(issued.replaces.map(|number| ("Replaces", format!("invoice {}-{number}", self.client_id))));
        }
        facts.push(("State", self.state.clone()));
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
        format!("{} to {} (UTC)", moment(&self.period.start), self.last_moment())
    }

    /// Returns the last day of the period, or the moment at which the period was cut short.
    fn last_moment(&self) -> String {
        let end = self.period.end.as_str();
        let before = |end: Timestamp| Timestamp::from_millis(end.as_millis() - 1).to_string();
        match end.parse().map(before) {
            Ok(last) if end.ends_with(MIDNIGHT) => day(&last).to_owned(),
            _ => moment(end),
        }
    }

    /// Returns the amount zero in the currency of the invoice.
    fn nothing(&self) -> String {
        self.total.currency.parse().map_or_else(|_| "0".to_owned(), |currency| Money::zero(currency).amount_text())
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
fn day(time: &str) -> &str {
    time.split_once('T').map_or(time, |(day, _)| day)
}

/// Formats a time to the second; a midnight as its date.
fn moment(time: &str) -> String {
    let seconds = |time: &str| time.get(..SECONDS).unwrap_or(time).replace('T', " ");
    if time.ends_with(MIDNIGHT) { day(time).to_owned() } else { seconds(time) }
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
        assert_eq!(moment("2026-11-01T00:00:00Z"), "2026-11-01");
        assert_eq!(moment("2026-11-21T21:45:53.547Z"), "2026-11-21 21:45:53");
        assert_eq!(day("2026-11-21T21:45:53.547Z"), "2026-11-21");
    }

    #[test]
    fn large_numbers_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (100_001, "100,001"), (1_001_010, "1,001,010")]
        {
            assert_eq!(with_thousands_separators(number), text);
        }
    }
}
