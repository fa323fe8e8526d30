//! The page of an invoice, to look at and to print. It is one file: no script, nothing loaded from anywhere.

use crate::admin::dto::Invoice;
use askama::Template;

/// The page of an invoice or a draft.
#[derive(Template)]
#[template(path = "invoice.html")]
pub(crate) struct InvoicePage<'a> {
    /// What the page shows.
    pub(crate) invoice: &'a Invoice,
}
