//! Output formats of an invoice.

use super::text::render_text;
use crate::cli::file::{reject_existing, unwritable};
use crate::exit::CommandError;
use crate::output::Output;
use crate::session::AdminSession;
use crate::wiring::create_private;
use clap::Args;
use serde::Serialize;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use voight_api::admin::InvoiceView;
use voight_api::route::{Call, EmptyBody, OneOrPage, Response};

/// Output format of an invoice.
#[derive(Debug, Args)]
pub(in crate::cli) struct FormatArgs {
    /// Render the invoice as an HTML page for viewing and printing
    #[arg(long)]
    html: bool,
    /// Output file of the page, which must not exist [default: standard output]
    #[arg(long, value_name = "FILE", requires = "html")]
    out: Option<PathBuf>,
}

impl FormatArgs {
    /// Fetches the invoice of the call and prints it in this format.
    pub(super) fn show<T: Serialize>(
        self,
        output: Output,
        session: &AdminSession,
        call: Call<EmptyBody, OneOrPage<T>>,
        view: impl FnOnce(&T) -> Result<InvoiceView, String>,
    ) -> Result<(), CommandError>
    where
        OneOrPage<T>: Response<Data = T>,
    {
        if !self.html {
            let invoice = session.client().call(&call)?;
            return print(output, &invoice, view(&invoice));
        }
        let mut page = Vec::new();
        let result = session
            .client()
            .download(&call.with_query("format", Some("html")))?
            .read_to_end(&mut page);
        result.map_err(|error| {
            CommandError::unreachable(format!(
                "the response was incomplete ({error}); repeat the command"
            ))
        })?;
        let Some(out) = self.out else {
            Output::raw(&page);
            return Ok(());
        };
        write_new(&out, &page)
    }
}

/// Prints an invoice or a draft, as text unless JSON is requested.
pub(super) fn print<T: Serialize>(
    output: Output,
    invoice: &T,
    view: Result<InvoiceView, String>,
) -> Result<(), CommandError> {
    let invalid =
        |error| CommandError::internal(format!("the service sent an invalid invoice ({error})"));
    let view = view.map_err(invalid)?;
    output.data(invoice, |_| render_text(&view))
}

/// Writes the page to a new file; fails if the file exists.
fn write_new(out: &Path, page: &[u8]) -> Result<(), CommandError> {
    reject_existing(out)?;
    create_private(out)
        .and_then(|mut file| file.write_all(page))
        .map_err(|error| unwritable(out, &error))
}
