//! `voight client close`.

use super::{ClientArg, record};
use crate::cli::confirm::Yes;
use crate::cli::invocation::Invocation;
use crate::cli::invoice;
use crate::exit::CommandError;
use crate::session::AdminSession;
use clap::Args;
use voight_api::admin::{ClientStatus, ClosedClient, routes};

/// Arguments of `voight client close`.
#[derive(Debug, Args)]
pub(in crate::cli) struct CloseCommand {
    #[command(flatten)]
    client: ClientArg,
    #[command(flatten)]
    yes: Yes,
}

impl CloseCommand {
    /// Rejects the command unless `--yes` is set or a terminal can ask for confirmation.
    pub(super) fn require_yes(&self) -> Result<(), CommandError> {
        self.yes.require("closing a client")
    }

    pub(super) fn run(
        self,
        invocation: &Invocation,
        session: &AdminSession,
    ) -> Result<(), CommandError> {
        let client = session.client().call(&self.client.show())?.client;
        if client.status != ClientStatus::Closed {
            let act = format!(
                "permanently closing the client {:?} and issuing its last invoice",
                client.name
            );
            self.yes.confirm(&act, &[&client.name])?;
        }
        let closing = session
            .client()
            .call(&routes::CLOSE_CLIENT.call([&client.client_id]))?;
        invocation.output.data(&closing, text)?;
        if closing.invoices.is_empty() {
            invocation
                .output
                .note("No invoice was issued: all lookups of the client are invoiced already.");
        }
        Ok(())
    }
}

fn text(closed_client: &ClosedClient) -> String {
    let client = record(&closed_client.client);
    if closed_client.invoices.is_empty() {
        client.to_string()
    } else {
        format!("{client}\n{}", invoice::list(&closed_client.invoices))
    }
}
