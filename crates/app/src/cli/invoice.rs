//! `voight invoice`.

mod page;
mod paper;

use super::adjustment;
use super::confirm::Yes;
use super::invocation::Invocation;
use super::paging::Paging;
use crate::admin_client::Path;
use crate::exit::CommandError;
use crate::output::{Table, day};
use crate::session::AdminSession;
use clap::{Args, Subcommand};
use page::FormatArgs;
use paper::render_text;
use serde::Serialize;
use serde_json::json;
use voight_domain::metering::Month;
use voight_http::admin::dto::{AdjustmentKind, CloseRequest, Invoice, InvoiceSummary, NewAdjustment, VoidRequest};

/// Invoices.
#[derive(Debug, Subcommand)]
pub(super) enum InvoiceCommand {
    /// Show what a period comes to as long as it is on no invoice
    Preview(Preview),
    /// Issue an invoice for every period that is over and on none
    Close {
        /// Only of this client, by name or id
        #[arg(long, value_name = "CLIENT")]
        client: Option<String>,
        /// The period that has to be over, by the month in which it began, for example 2026-11
        #[arg(long, value_name = "MONTH")]
        period: Option<Month>,
    },
    /// List invoices
    List {
        /// Only of this client, by name or id
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
    /// Mark an invoice as paid, for good
    Pay(Final),
    /// Void an invoice, for good; its period is on the next invoice that is issued
    Void {
        #[command(flatten)]
        invoice: Final,
        /// Why; it is printed on the invoice
        #[arg(long)]
        reason: String,
    },
    /// Mark an invoice as uncollectible, for good
    WriteOff(Final),
    /// Keep a correction for the next invoice
    Adjust(Adjust),
    /// List the credits and corrections that wait for the next invoice
    Adjustments {
        /// The client's name or id
        #[arg(long, value_name = "CLIENT")]
        client: String,
        #[command(flatten)]
        paging: Paging,
    },
}

/// An invoice that is named.
#[derive(Debug, Args)]
pub(super) struct InvoiceArg {
    /// Its id, `<client id>-<number>`; the client's name may stand for the client's id: acme-1
    #[arg(value_name = "ID")]
    invoice: String,
}

/// An invoice whose state is changed for good: only an open one changes.
#[derive(Debug, Args)]
pub(super) struct Final {
    #[command(flatten)]
    named: InvoiceArg,
    #[command(flatten)]
    yes: Yes,
}

/// A period that is on no invoice.
#[derive(Debug, Args)]
pub(super) struct Preview {
    /// The client's name or id
    #[arg(long, value_name = "CLIENT")]
    client: String,
    /// The month in which the period began, for example 2026-11 [default: the latest one]
    #[arg(long, value_name = "MONTH")]
    period: Option<Month>,
    #[command(flatten)]
    page: FormatArgs,
}

/// A correction.
#[derive(Debug, Args)]
pub(super) struct Adjust {
    /// The client's name or id
    #[arg(long, value_name = "CLIENT")]
    client: String,
    /// What the client has to pay, for example 12.50; below zero, -12.50, what it gets back
    #[arg(allow_hyphen_values = true)]
    amount: String,
    /// Why; it is printed on the invoice
    #[arg(long)]
    reason: String,
}

impl InvoiceCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        match &self {
            Self::Pay(invoice) => invoice.confirm("marking as paid")?,
            Self::Void { invoice, .. } => invoice.confirm("voiding")?,
            Self::WriteOff(invoice) => invoice.confirm("writing off")?,
            _ => {}
        }
        let session = invocation.session()?;
        let output = invocation.output;
        match self {
            Self::Preview(preview) => {
                let path = preview.path();
                preview.page.show(invocation, &session, path)
            }
            Self::Show { invoice, page } => {
                page.show(invocation, &session, Path::from_segments(["invoices", &invoice.invoice]))
            }
            Self::Close { client, period } => {
                let body = CloseRequest { client, period: period.map(|period| period.to_string()) };
                let issued: Vec<InvoiceSummary> =
                    session.client().post(&Path::from_segments(["invoices", "close"]), &body)?;
                output.data(&issued, |issued| list(issued))?;
                if issued.is_empty() {
                    output.note("There was nothing to close: every period that is over is on an invoice.");
                }
                Ok(())
            }
            Self::List { client, paging } => {
                let path = Path::from_segments(["invoices"]).with_query("client", client.as_deref());
                paging.read(session.client(), &path)?.print(invocation, list)
            }
            Self::Pay(invoice) => invoice.named.change(invocation, &session, "pay", &json!({})),
            Self::Void { invoice, reason } => {
                invoice.named.change(invocation, &session, "void", &VoidRequest { reason })
            }
            Self::WriteOff(invoice) => invoice.named.change(invocation, &session, "write-off", &json!({})),
            Self::Adjust(Adjust { client, amount, reason }) => {
                let correction = NewAdjustment { kind: AdjustmentKind::Correction, amount, reason };
                adjustment::make(invocation, &session, &client, &correction)
            }
            Self::Adjustments { client, paging } => adjustment::list(invocation, &session, &client, &paging),
        }
    }
}

impl Preview {
    fn path(&self) -> Path {
        let period = self.period.map(|period| period.to_string());
        Path::from_segments(["invoices", "preview"])
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

impl InvoiceArg {
    fn change(
        &self,
        invocation: &Invocation,
        session: &AdminSession,
        change: &str,
        body: &impl Serialize,
    ) -> Result<(), CommandError> {
        let path = Path::from_segments(["invoices", &self.invoice, change]);
        let invoice: Invoice = session.client().post(&path, body)?;
        invocation.output.data(&invoice, render_text)
    }
}

/// Invoices, one a line.
pub(super) fn list(invoices: &[InvoiceSummary]) -> Table {
    let headings = ["ID", "CLIENT", "STATE", "FROM", "BEFORE", "TOTAL", "DUE"];
    let mut table = Table::new(headings).with_numbers([5, 6]).with_narrowed([1]);
    for invoice in invoices {
        let amounts = [&invoice.total, &invoice.due].map(ToString::to_string);
        let days = [&invoice.period.start, &invoice.period.end].map(|time| day(time));
        let texts = [&invoice.id, &invoice.client, &invoice.state];
        table.row(texts.into_iter().chain(&days).chain(&amounts));
    }
    table
}
