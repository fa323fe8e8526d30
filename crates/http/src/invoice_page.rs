//! HTML page of an invoice, for display and printing. The page is one file without scripts or external resources.

use askama::Template;
use voight_api::admin::InvoiceView;

/// Page of an invoice or a draft invoice.
#[derive(Template)]
#[template(path = "invoice.html")]
pub(crate) struct InvoicePage<'a> {
    /// Invoice that the page shows.
    pub(crate) invoice: &'a InvoiceView,
}
