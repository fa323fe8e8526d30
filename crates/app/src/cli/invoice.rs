//! `voight invoice`.

mod format;
mod text;

use super::adjustment;
use super::confirm::Yes;
use super::invocation::Invocation;
use super::paging::Paging;
use crate::exit::CommandError;
use crate::output::{Output, Table, word};
use crate::session::AdminSession;
use clap::{Args, Subcommand};
use format::{FormatArgs, print};
use voight_api::admin::{
    AdjustmentKind, CloseRequest, DraftInvoice, InvoiceSummary, NewAdjustment, VoidRequest, routes,
};
use voight_api::route::{Call, EmptyBody, OneOrPage};
use voight_domain::metering::{Day, Month};

/// Commands of `voight invoice`.
#[derive(Debug, Subcommand)]
pub(super) enum InvoiceCommand {
    /// Show the statement of a period that is not invoiced yet
    Preview(Preview),
    /// Issue invoices for all completed periods that have none. An issued invoice cannot be changed
    #[command(after_long_help = "\
Examples:
  voight invoice close
  voight invoice close --client acme --period 2026-11")]
    Close {
        /// Close only periods of this client: its name or id
        #[arg(long, value_name = "CLIENT")]
        client: Option<String>,
        /// Close only the period that began in this month, for example 2026-11. It must have ended
        #[arg(long, value_name = "MONTH")]
        period: Option<Month>,
    },
    /// List invoices
    List {
        /// List only invoices of this client: its name or id
        #[arg(long, value_name = "CLIENT")]
        client: Option<String>,
        #[command(flatten)]
        paging: Paging,
    },
    /// Show an invoice
    Show {
        #[command(flatten)]
        invoice: InvoiceArg,
        #[command(flatten)]
        page: FormatArgs,
    },
    /// Mark an invoice as paid. This cannot be undone
    MarkPaid(Final),
    /// Void an invoice. Its period is included in the next invoice that is issued. This cannot be undone
    Void {
        #[command(flatten)]
        invoice: Final,
        /// Reason, printed on the invoice
        #[arg(long)]
        reason: String,
    },
    /// Mark an invoice as uncollectible. This cannot be undone
    WriteOff(Final),
    /// Add a correction to the next invoice of a client
    Adjust(Adjust),
    /// List credits and corrections that are not invoiced yet
    Adjustments {
        /// Client name or id
        #[arg(long, value_name = "CLIENT")]
        client: String,
        #[command(flatten)]
        paging: Paging,
    },
}

/// Argument that names an invoice.
#[derive(Debug, Args)]
pub(super) struct InvoiceArg {
    /// Invoice id, `<client id>-<number>` or `<client name>-<number>`, for example acme-1
    #[arg(value_name = "ID")]
    invoice: String,
}

/// Arguments of a final change of an invoice. Only an open invoice can be changed.
#[derive(Debug, Args)]
pub(super) struct Final {
    #[command(flatten)]
    named: InvoiceArg,
    #[command(flatten)]
    yes: Yes,
}

/// Arguments of `voight invoice preview`.
#[derive(Debug, Args)]
pub(super) struct Preview {
    /// Client name or id
    #[arg(long, value_name = "CLIENT")]
    client: String,
    /// Month in which the period began, for example 2026-11 [default: the latest period]
    #[arg(long, value_name = "MONTH")]
    period: Option<Month>,
    #[command(flatten)]
    page: FormatArgs,
}

/// Arguments of `voight invoice adjust`.
#[derive(Debug, Args)]
pub(super) struct Adjust {
    /// Client name or id
    #[arg(long, value_name = "CLIENT")]
    client: String,
    /// Amount to charge, for example 12.50; a negative amount, for example -12.50, is refunded
    #[arg(allow_hyphen_values = true)]
    amount: String,
    /// Reason, printed on the invoice
    #[arg(long)]
    reason: String,
}

impl InvoiceCommand {
    /// Asks for confirmation of a change that cannot be undone.
    fn confirm(&self) -> Result<(), CommandError> {
        match self {
            Self::MarkPaid(invoice) => invoice.confirm("marking as paid"),
            Self::Void { invoice, .. } => invoice.confirm("voiding"),
            Self::WriteOff(invoice) => invoice.confirm("writing off"),
            _ => Ok(()),
        }
    }

    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        self.confirm()?;
        let session = invocation.session()?;
        let output = invocation.output;
        match self {
            Self::Preview(preview) => {
                let call = preview.call();
                preview
                    .page
                    .show(output, &session, call, |draft| Ok(draft.into()))
            }
            Self::Show { invoice, page } => {
                let call = routes::SHOW_INVOICE.call([&invoice.invoice]);
                page.show(output, &session, call, |invoice| invoice.try_into())
            }
            Self::Close { client, period } => {
                let period = period.map(|period| period.to_string());
                close(output, &session, &CloseRequest { client, period })
            }
            Self::List { client, paging } => {
                let call = routes::LIST_INVOICES
                    .call([])
                    .with_query("client", client.as_deref());
                paging
                    .read(session.client(), &call)?
                    .print(invocation, list)
            }
            Self::MarkPaid(invoice) => {
                let invoice_view = session
                    .client()
                    .call(&routes::PAY_INVOICE.call([&invoice.named.invoice]))?;
                print(output, &invoice_view, (&invoice_view).try_into())
            }
            Self::Void { invoice, reason } => {
                let call = routes::VOID_INVOICE.call([&invoice.named.invoice]);
                let invoice_view = session.client().send(&call, &VoidRequest { reason })?;
                print(output, &invoice_view, (&invoice_view).try_into())
            }
            Self::WriteOff(invoice) => {
                let invoice_view = session
                    .client()
                    .call(&routes::WRITE_OFF_INVOICE.call([&invoice.named.invoice]))?;
                print(output, &invoice_view, (&invoice_view).try_into())
            }
            Self::Adjust(adjust) => {
                let correction = NewAdjustment {
                    kind: AdjustmentKind::Correction,
                    amount: adjust.amount,
                    reason: adjust.reason,
                };
                adjustment::make(invocation, &session, &adjust.client, &correction)
            }
            Self::Adjustments { client, paging } => {
                adjustment::list(invocation, &session, &client, &paging)
            }
        }
    }
}

impl Preview {
    fn call(&self) -> Call<EmptyBody, OneOrPage<DraftInvoice>> {
        let period = self.period.map(|period| period.to_string());
        routes::PREVIEW_INVOICE
            .call([])
            .with_query("client", Some(&self.client))
            .with_query("period", period.as_deref())
    }
}

impl Final {
    fn confirm(&self, act: &str) -> Result<(), CommandError> {
        let id = &self.named.invoice;
        self.yes.confirm(&format!("{act} the invoice {id}"), &[id])
    }
}

/// Closes the periods that have ended, and prints the invoices that were issued.
fn close(
    output: Output,
    session: &AdminSession,
    request: &CloseRequest,
) -> Result<(), CommandError> {
    let issued_invoices = session
        .client()
        .send(&routes::CLOSE_PERIODS.call([]), request)?;
    output.data(&issued_invoices, |invoices| list(invoices))?;
    if issued_invoices.is_empty() {
        output.note("No invoice was issued: every period that has ended has an invoice.");
    }
    Ok(())
}

/// Formats invoices as a table, one per line.
pub(super) fn list(invoices: &[InvoiceSummary]) -> Table {
    let headings = ["ID", "CLIENT", "STATE", "FROM", "BEFORE", "TOTAL", "DUE"];
    let mut table = Table::new(headings).with_numbers([5, 6]).with_narrowed([1]);
    for invoice in invoices {
        let amounts = [&invoice.total, &invoice.due].map(ToString::to_string);
        let days =
            [invoice.period.start, invoice.period.end].map(|time| Day(time.day()).to_string());
        let state = word(&invoice.state);
        let texts = [&invoice.id, &invoice.client, &state];
        table.row(texts.into_iter().chain(&days).chain(&amounts));
    }
    table
}
