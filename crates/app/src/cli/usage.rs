//! `voight usage`.

mod export;

use super::invocation::Invocation;
use crate::admin_client::Path;
use crate::exit::Failure;
use crate::output::{Table, list, optional};
use clap::{Args, Subcommand};
use voight_http::admin::dto;

/// Lookups of the current period, and what they cost, for each client.
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
    let headings =
        ["CLIENT", "BILLABLE", "FREE", "PAID", "SANDBOX", "FREE LEFT", "SPENT", "CAP", "MONEY CAP", "BUDGET", "ALERTS"];
    let mut table = Table::new(headings).with_numbers(1..=9);
    for line in &usage.clients {
        let counts = [line.billable, line.free, line.paid, line.sandbox, line.allowance_left];
        let limits = &line.limits;
        let cap = limits.cap.map(|cap| cap.to_string());
        let amounts = [limits.money_cap.as_ref(), limits.budget.as_ref()].map(|amount| amount.map(ToString::to_string));
        let alerts: Vec<_> = line.alerts.iter().map(|alert| alert.alert.clone()).collect();
        let cells = std::iter::once(line.name.clone())
            .chain(counts.map(|count| count.to_string()))
            .chain([line.spent.to_string(), optional(cap.as_deref())])
            .chain(amounts.map(|amount| optional(amount.as_deref())))
            .chain([list(&alerts)]);
        table.row(cells);
    }
    table
}
