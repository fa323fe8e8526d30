//! The two forms of an invoice.

use crate::admin::dto;
use crate::envelope::success;
use crate::error::ApiError;
use crate::invoice_page::InvoicePage;
use actix_web::HttpResponse;
use actix_web::http::header;
use askama::Template as _;

/// A form of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InvoiceFormat {
    /// In the envelope.
    Json,
    /// As a page to print.
    Html,
}

impl InvoiceFormat {
    /// The form of this name; JSON without one.
    pub(super) fn from_name(name: Option<&str>) -> Result<Self, ApiError> {
        match name {
            None | Some("json") => Ok(Self::Json),
            Some("html") => Ok(Self::Html),
            Some(_) => Err(ApiError::invalid("format is json or html; the default is json.")),
        }
    }
}

/// An invoice in this form.
pub(super) fn render(invoice: &dto::Invoice, format: InvoiceFormat) -> Result<HttpResponse, ApiError> {
    Ok(match format {
        InvoiceFormat::Json => success(false, invoice),
        InvoiceFormat::Html => HttpResponse::Ok()
            .content_type("text/html; charset=utf-8")
            .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .body(InvoicePage { invoice }.render()?),
    })
}
