//! Formats of an invoice.

use crate::envelope::success;
use crate::error::ApiError;
use crate::invoice_page::InvoicePage;
use actix_web::HttpResponse;
use actix_web::http::header;
use askama::Template as _;
use voight_api::admin;

/// Format of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InvoiceFormat {
    /// JSON in the envelope.
    Json,
    /// HTML page for printing.
    Html,
}

impl InvoiceFormat {
    /// Parses the name of a format; the default is JSON.
    pub(super) fn from_name(name: Option<&str>) -> Result<Self, ApiError> {
        match name {
            None | Some("json") => Ok(Self::Json),
            Some("html") => Ok(Self::Html),
            Some(_) => Err(ApiError::invalid("format is json or html; the default is json.")),
        }
    }
}

/// Renders an invoice in a format.
pub(super) fn render(invoice: &admin::Invoice, format: InvoiceFormat) -> Result<HttpResponse, ApiError> {
    Ok(match format {
        InvoiceFormat::Json => success(invoice),
        InvoiceFormat::Html => HttpResponse::Ok()
            .content_type("text/html; charset=utf-8")
            .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .body(InvoicePage { invoice }.render()?),
    })
}
