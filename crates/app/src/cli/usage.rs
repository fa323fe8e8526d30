//! `voight usage`.

mod export;

use super::invocation::Invocation;
use crate::admin_client::Path;
use crate::exit::Failure;
use crate::output::Table;
use clap::{Args, Subcommand};
use voight_http::admin::dto;

/// Lookups of the current period, for each client.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Usage {
    #[command(subcommand)]
    command: Option<UsageCommand>,
    /// Only this client, by name or id
    #[arg(long, value_name = "CLIENT")]
    client: Option<String>,
}

/// What else there is to do with usage.
#[derive(Debug, Subcommand)]
enum UsageCommand {
    /// Write a client's billable lookups, one by one, for another program
    Export(export::Export),
}

impl Usage {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), Failure> {
        if let Some(UsageCommand::Export(command)) = self.command {
            return command.run(invocation);
        }
        let session = invocation.session()?;
        let path = Path::of(["usage"]).with("client", self.client.as_deref());
        let usage: dto::Usage = session.client().get(&path)?;
        invocation.output.data(&usage, table)
    }
}

fn table(usage: &dto::Usage) -> Table {
    let mut table = Table::new(["CLIENT", "BILLABLE", "FREE", "PAID", "SANDBOX"]);
    for line in &usage.clients {
        let counts = [line.billable, line.free, line.paid, line.sandbox].map(|count| count.to_string());
        table.row(std::iter::once(line.name.clone()).chain(counts));
    }
    table
}
