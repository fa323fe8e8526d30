//! `voight client close`.

use super::{Named, record};
use crate::admin_client::Path;
use crate::cli::confirm::confirm;
use crate::cli::invocation::Invocation;
use crate::cli::invoice;
use crate::exit::Failure;
use crate::session::Session;
use clap::Args;
use voight_http::admin::dto::{Client, ClientStatus, ClosedClient};

/// A client to close for good.
#[derive(Debug, Args)]
pub(in crate::cli) struct Close {
    #[command(flatten)]
    client: Named,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl Close {
    pub(super) fn run(self, invocation: &Invocation, session: &Session) -> Result<(), Failure> {
        let client: Client = session.client().get(&self.client.path())?;
        if !self.yes && client.status != ClientStatus::Closed {
            confirm(&format!("Close the client {:?} for good and issue its last invoice?", client.name))?;
        }
        let path = Path::of(["clients", &client.client_id, "close"]);
        let closed: ClosedClient = session.client().post(&path, &serde_json::json!({}))?;
        invocation.output.data(&closed, text)?;
        if closed.invoices.is_empty() {
            invocation.output.note("No invoice was issued: everything that it has used is on one already.");
        }
        Ok(())
    }
}

fn text(closed: &ClosedClient) -> String {
    let client = record(&closed.client);
    if closed.invoices.is_empty() {
        client.to_string()
    } else {
        format!("{client}\n{}", invoice::list(&closed.invoices))
    }
}
