//! The page of an invoice, to look at and to print. It is one file: no script, nothing loaded from anywhere.

use crate::admin::dto::{Invoice, InvoiceEntry};
use voight_browser::{escape, fill};

const TEMPLATE: &str = include_str!("../assets/invoice.html");

/// The page of an invoice or a draft. Everything in it that somebody wrote is text and never markup.
pub(crate) fn invoice_page(invoice: &Invoice) -> String {
    fill(TEMPLATE, |name, out| match name {
        "title" => escape(&invoice.title(), out),
        "state" => escape(&invoice.state, out),
        "notice" => notice(invoice.notice().as_deref(), out),
        "facts" => invoice.facts().iter().for_each(|(name, value)| fact(name, value, out)),
        "currency" => escape(&invoice.total.currency, out),
        "entries" => invoice.entries().iter().for_each(|entry| row(entry, out)),
        "sums" => invoice.sums().iter().for_each(|(name, amount)| sum(name, amount, out)),
        "rows" => escape(&invoice.rows_in_words(), out),
        "head" => escape(&invoice.head, out),
        "check" => escape(&invoice.check_in_words().replace('`', ""), out),
        _ => {}
    })
}

fn notice(text: Option<&str>, out: &mut String) {
    if let Some(text) = text {
        element("p", " class=\"notice\"", text, out);
    }
}

fn fact(name: &str, value: &str, out: &mut String) {
    element("dt", "", name, out);
    element("dd", "", value, out);
}

fn row(entry: &InvoiceEntry, out: &mut String) {
    out.push_str("<tr>");
    element("td", "", &entry.what, out);
    for number in [&entry.quantity, &entry.unit_price, &entry.amount] {
        element("td", "", number, out);
    }
    out.push_str("</tr>\n");
}

fn sum(name: &str, amount: &str, out: &mut String) {
    out.push_str("<tr>");
    element("th", " scope=\"row\" colspan=\"3\"", name, out);
    element("td", "", amount, out);
    out.push_str("</tr>\n");
}

/// An element that holds nothing but text.
fn element(name: &str, attributes: &str, text: &str, out: &mut String) {
    out.push('<');
    out.push_str(name);
    out.push_str(attributes);
    out.push('>');
    escape(text, out);
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}
