//! Renders an invoice as plain text.

use crate::output::{Table, printable};
use std::fmt::Write as _;
use voight_api::admin::InvoiceView;

/// Renders the complete invoice.
pub(super) fn render_text(invoice: &InvoiceView) -> String {
    let mut text = format!("{}\n", printable(&invoice.title()));
    if let Some(notice) = invoice.notice() {
        let _ = writeln!(text, "{}", printable(&notice));
    }
    let _ = write!(
        text,
        "\n{}\n{}\n",
        header_table(invoice),
        line_table(invoice)
    );
    let _ = writeln!(text, "Rows of the ledger  {}", invoice.rows_text());
    let _ = writeln!(text, "Head of its chain   {}", invoice.chain_head());
    text.push_str(invoice.verification_text());
    text
}

fn header_table(invoice: &InvoiceView) -> Table {
    let mut table = Table::default();
    for (name, value) in invoice.facts() {
        table.row([name, &value]);
    }
    table
}

fn line_table(invoice: &InvoiceView) -> Table {
    let heading = format!("AMOUNT IN {}", invoice.currency());
    let mut table = Table::new(["WHAT", "LOOKUPS", "UNIT PRICE", &heading]).with_numbers(1..=3);
    for entry in invoice.entries() {
        table.row([entry.what, entry.quantity, entry.unit_price, entry.amount]);
    }
    for (name, amount) in invoice.sums() {
        table.row([name, String::new(), String::new(), amount]);
    }
    table
}
