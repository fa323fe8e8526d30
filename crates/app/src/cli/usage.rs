//! `voight usage`.

mod export;

use super::invocation::Invocation;
use super::paging::Paging;
use crate::exit::CommandError;
use crate::output::{Table, list, optional};
use clap::{Args, Subcommand};
use voight_api::admin::{self, routes};

/// Show usage and cost by client, or export billable lookups.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_long_help = "\
Examples:
  voight usage
  voight usage --client acme --json
  voight usage --from 2026-11-01 --to 2026-12-01
  voight usage export --client acme --format lago --out acme.jsonl")]
pub(super) struct Usage {
    #[command(subcommand)]
    command: Option<UsageCommand>,
    /// Show only this client: its name or id
    #[arg(long, value_name = "CLIENT")]
    client: Option<String>,
    /// Start of the time range: a date (UTC) or a time, for example 2026-11-01 [default: start of the current period]
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// End of the time range, exclusive, at most 400 days after its start [default: end of the current period]
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
    #[command(flatten)]
    paging: Paging,
}

/// Subcommands of `voight usage`.
#[derive(Debug, Subcommand)]
enum UsageCommand {
    /// Export a client's billable lookups, one per row, for billing software
    Export(export::UsageExportArgs),
}

impl Usage {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        if let Some(UsageCommand::Export(command)) = self.command {
            return command.run(invocation);
        }
        let session = invocation.session()?;
        let call = routes::SHOW_USAGE
            .call([])
            .with_query("client", self.client.as_deref());
        let call = call
            .with_query("from", self.from.as_deref())
            .with_query("to", self.to.as_deref());
        let usage = session.client().call(&call)?;
        let standing = if self.from.or(self.to).is_some() {
            &[][..]
        } else {
            &STANDING
        };
        let page = self.paging.page(usage.clients)?;
        let usage = admin::Usage {
            clients: page.entries,
        };
        invocation
            .output
            .data(&usage, |usage| table(usage, standing))
    }
}

const COUNTS: [&str; 5] = ["CLIENT", "BILLABLE", "FREE", "CHARGED", "SANDBOX"];
/// Columns of the current period. The cap in money and the budget are in `client show`.
const STANDING: [&str; 4] = ["FREE LEFT", "SPENT", "CAP", "ALERTS"];

fn table(usage: &admin::Usage, standing: &[&str]) -> Table {
    let mut table = Table::default().with_numbers(1..=7).with_narrowed([8, 0]);
    table.row(COUNTS.iter().chain(standing));
    for line in &usage.clients {
        let counts =
            [line.billable, line.free, line.charged, line.sandbox].map(|count| count.to_string());
        let standing = line.current_period.iter().flat_map(cells);
        table.row(
            std::iter::once(line.name.clone())
                .chain(counts)
                .chain(standing),
        );
    }
    table
}

/// Formats the cells of the current period.
fn cells(standing: &admin::CurrentPeriod) -> [String; 4] {
    let limits = &standing.limits;
    let cap = limits.cap.map(|cap| cap.to_string());
    let alerts: Vec<_> = standing
        .alerts
        .iter()
        .map(|alert| alert.alert.clone())
        .collect();
    [
        standing.allowance_left.to_string(),
        standing.spent.to_string(),
        optional(cap.as_deref()),
        list(&alerts),
    ]
}
