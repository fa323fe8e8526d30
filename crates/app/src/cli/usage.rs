//! `voight usage`.

mod export;

use super::invocation::Invocation;
use super::paging::Paging;
use crate::admin_client::Path;
use crate::exit::CommandError;
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
    /// Lookups from then on, in place of the current period's: a date (UTC) or a time, for example 2026-11-01
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Lookups before then, at most 400 days later
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
    #[command(flatten)]
    paging: Paging,
}

/// What else there is to do with usage.
#[derive(Debug, Subcommand)]
enum UsageCommand {
    /// Write a client's billable lookups, one by one, for another program
    Export(export::Export),
}

impl Usage {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        if let Some(UsageCommand::Export(command)) = self.command {
            return command.run(invocation);
        }
        let session = invocation.session()?;
        let path = Path::from_segments(["usage"]).with_query("client", self.client.as_deref());
        let path = path.with_query("from", self.from.as_deref()).with_query("to", self.to.as_deref());
        let usage: dto::Usage = session.client().get(&path)?;
        let of_span = self.from.or(self.to).is_some();
        let page = self.paging.page(usage.clients)?;
        let usage = dto::Usage { clients: page.entries };
        invocation.output.data(&usage, |usage| table(usage, of_span))
    }
}

const COUNTS: [&str; 5] = ["CLIENT", "BILLABLE", "FREE", "PAID", "SANDBOX"];
/// Where a client stands. Its cap in money and its budget are in `client show`.
const STANDING: [&str; 4] = ["FREE LEFT", "SPENT", "CAP", "ALERTS"];

fn table(usage: &dto::Usage, of_span: bool) -> Table {
    let standing = if of_span { &[][..] } else { &STANDING };
    let mut table = Table::default().with_numbers(1..=7).with_narrowed([8, 0]);
    table.row(COUNTS.iter().chain(standing));
    for line in &usage.clients {
        let counts = [line.billable, line.free, line.paid, line.sandbox].map(|count| count.to_string());
        let standing = line.standing.iter().flat_map(cells);
        table.row(std::iter::once(line.name.clone()).chain(counts).chain(standing));
    }
    table
}

/// The cells of where a client stands.
fn cells(standing: &dto::CurrentPeriod) -> [String; 4] {
    let limits = &standing.limits;
    let cap = limits.cap.map(|cap| cap.to_string());
    let alerts: Vec<_> = standing.alerts.iter().map(|alert| alert.alert.clone()).collect();
    [standing.allowance_left.to_string(), standing.spent.to_string(), optional(cap.as_deref()), list(&alerts)]
}
