//! One invoice or draft, as JSON in the envelope or as a page: `GET /admin/v1/invoices/{invoice}` returns an invoice, and
//! `GET /admin/v1/invoices/preview` the draft invoice of a client's period that has no invoice yet.

use super::invoice_id;
use crate::admin::error::parsed;
use crate::admin::query::{DraftQuery, FormatQuery};
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Query;
use crate::invoice_page::InvoicePage;
use crate::state::AppState;
use actix_web::http::header;
use actix_web::{HttpResponse, web};
use askama::Template as _;
use serde::Serialize;
use voight_api::admin::{DraftInvoice, Invoice, InvoiceView};

pub(super) async fn show(
    invoice: web::Path<String>,
    query: Query<FormatQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let format = InvoiceFormat::from_name(query.format.as_deref())?;
    let invoice = state
        .services
        .billing
        .invoice(invoice_id(&state, &invoice).await?)
        .await?;
    format.render(&Invoice::from(&invoice), &(&invoice).into())
}

pub(super) async fn preview(
    query: Query<DraftQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let format = InvoiceFormat::from_name(query.format.as_deref())?;
    let month = query
        .period
        .as_deref()
        .map(|text| parsed("period", text))
        .transpose()?;
    let client = state.services.registrar.find_client(&query.client).await?;
    let draft = DraftInvoice::new(
        &client,
        &state
            .services
            .billing
            .preview(&client, month)
            .await?
            .statement,
    );
    format.render(&draft, &(&draft).into())
}

/// Format of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InvoiceFormat {
    /// JSON in the envelope.
    Json,
    /// HTML page for printing.
    Html,
}

impl InvoiceFormat {
    /// Parses the name of a format; the default is JSON.
    fn from_name(name: Option<&str>) -> Result<Self, ApiError> {
        match name {
            None | Some("json") => Ok(Self::Json),
            Some("html") => Ok(Self::Html),
            Some(_) => Err(ApiError::invalid(
                "format is json or html; the default is json.",
            )),
        }
    }

    fn render<T: Serialize>(
        self,
        json: &T,
        invoice: &InvoiceView,
    ) -> Result<HttpResponse, ApiError> {
        Ok(match self {
            Self::Json => success(json),
            Self::Html => HttpResponse::Ok()
                .content_type("text/html; charset=utf-8")
                .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
                .body(InvoicePage { invoice }.render()?),
        })
    }
}
