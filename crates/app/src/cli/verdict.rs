//! `voight verdict`.

mod address_args;
mod calibration;
mod label;
mod replay;

pub(crate) use label::read_labels;

use super::explain::render;
use super::instant::parse_instant;
use super::invocation::Invocation;
use super::number::positive;
use super::paging::Paging;
use super::reference::ContextRef;
use crate::exit::CommandError;
use crate::output::{Table, minute, optional, yes_no};
use address_args::AddressArgs;
use calibration::CalibrationCommand;
use clap::{Subcommand, ValueEnum};
use label::{LabelCommand, LabelsCommand};
use replay::ReplayCommand;
use std::iter;
use voight_api::admin::{
    Explanation, FoundVerdict, ListedVerdict, OverrideRequest, OverrideTo, Truth, Verdict,
    VerdictLink, routes,
};
use voight_domain::{EoaAddress, Timestamp};

/// Commands of `voight verdict`.
#[derive(Debug, Subcommand)]
pub(super) enum VerdictCommand {
    /// Show the verdict on an address. The lookup is not billed
    Get(AddressArgs),
    /// List the verdicts of a context
    List {
        /// Context id, a unique prefix of it, or client/title
        #[arg(long, value_name = "CONTEXT")]
        context: ContextRef,
        /// List only addresses with an event since this date (UTC) or time, for example 2026-11-01
        #[arg(long, value_name = "TIME", value_parser = parse_instant)]
        since: Option<Timestamp>,
        #[command(flatten)]
        paging: Paging,
    },
    /// Find the verdicts on an address in all contexts
    Find {
        /// Ethereum address, 0x and 40 hexadecimal digits
        address: EoaAddress,
        #[command(flatten)]
        paging: Paging,
    },
    /// Show the findings and the event history of an address, newest event first
    #[command(after_long_help = "\
Examples:
  voight verdict explain --context acme/spring 0x1111111111111111111111111111111111111111 --last 1
  voight verdict explain --context acme/spring 0x1111111111111111111111111111111111111111
  voight verdict explain --context spring.01k0ab3c 0x1111111111111111111111111111111111111111 --json")]
    Explain {
        #[command(flatten)]
        subject: AddressArgs,
        /// Print only the newest N events
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = positive)]
        last: Option<usize>,
    },
    /// Override the verdict of an address. Starts a new epoch; the change is written to the audit log
    #[command(after_long_help = "\
Examples:
  voight verdict override --context acme/spring 0x1111111111111111111111111111111111111111 --to human --reason \"ticket 4711\"
  voight verdict override --context acme/spring 0x1111111111111111111111111111111111111111 --to bot --reason \"resold account\"")]
    Override {
        #[command(flatten)]
        subject: AddressArgs,
        /// New verdict
        #[arg(long, value_name = "VERDICT")]
        to: HumanOrBot,
        /// Reason, written to the audit log. It must not contain an address
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    Label(LabelCommand),
    Labels(LabelsCommand),
    Calibration(CalibrationCommand),
    Replay(ReplayCommand),
}

/// Verdict of an override, or ground truth of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum HumanOrBot {
    /// Operated by a human
    Human,
    /// Operated by a bot
    Bot,
}

impl From<HumanOrBot> for OverrideTo {
    fn from(decision: HumanOrBot) -> Self {
        match decision {
            HumanOrBot::Human => Self::Human,
            HumanOrBot::Bot => Self::Bot,
        }
    }
}

impl From<HumanOrBot> for Truth {
    fn from(decision: HumanOrBot) -> Self {
        match decision {
            HumanOrBot::Human => Self::Human,
            HumanOrBot::Bot => Self::Bot,
        }
    }
}

impl VerdictCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let output = invocation.output;
        let explain = |subject: &AddressArgs| -> Result<Explanation, CommandError> {
            invocation
                .session()?
                .client()
                .call(&subject.call(&routes::EXPLAIN_VERDICT))
        };
        match self {
            Self::Get(subject) => output.data(&explain(&subject)?.verdict, one),
            Self::List {
                context,
                since,
                paging,
            } => {
                let call = routes::LIST_VERDICTS.call([context.as_str()]);
                let is_recent =
                    since.map(|since| move |listed: &ListedVerdict| has_event_since(listed, since));
                let is_recent = is_recent
                    .as_ref()
                    .map(|is_recent| is_recent as &dyn Fn(&ListedVerdict) -> bool);
                paging
                    .read_pages_of(invocation.session()?.client(), &call, is_recent)?
                    .print(invocation, table)
            }
            Self::Find { address, paging } => {
                let address = address.to_string();
                let call = routes::FIND_VERDICTS
                    .call([])
                    .with_query("address", Some(&address));
                paging
                    .read_pages(invocation.session()?.client(), &call)?
                    .print(invocation, found_table)
            }
            Self::Explain { subject, last } => {
                let mut explanation = explain(&subject)?;
                let omitted_events = explanation
                    .timeline
                    .len()
                    .saturating_sub(last.unwrap_or(usize::MAX));
                explanation.timeline.drain(..omitted_events);
                output.data(&explanation, render)
            }
            Self::Override {
                subject,
                to,
                reason,
            } => {
                let body = OverrideRequest {
                    verdict: to.into(),
                    reason,
                };
                let call = subject.call(&routes::OVERRIDE_VERDICT);
                let changed_verdict = invocation.session()?.client().send(&call, &body)?;
                output.data(&changed_verdict.verdict, one)
            }
            Self::Label(command) => command.run(invocation),
            Self::Labels(command) => command.run(invocation),
            Self::Calibration(command) => command.run(invocation),
            Self::Replay(command) => command.run(invocation),
        }
    }
}

/// Returns `true` if the latest event of the address is at `since` or later. A time that cannot be parsed counts as later.
fn has_event_since(listed_verdict: &ListedVerdict, since: Timestamp) -> bool {
    let last_event_at = listed_verdict.last_event_at.as_deref();
    last_event_at.is_some_and(|at| at.parse::<Timestamp>().map_or(true, |at| at >= since))
}

fn one(verdict: &Verdict) -> Table {
    let mut table = Table::new(["ADDRESS", "IS BOT", "SCORE", "EPOCH", "CHECKS", "FLAGGED"]);
    table.row(iter::once(verdict.address.clone()).chain(cells(verdict)));
    table
}

fn table(verdicts: &[ListedVerdict]) -> Table {
    let rows = verdicts
        .iter()
        .map(|listed_verdict| (&listed_verdict.verdict.address, listed_verdict));
    table_by("ADDRESS", rows)
}

fn found_table(found_verdicts: &[FoundVerdict]) -> Table {
    let rows = found_verdicts
        .iter()
        .map(|found_verdict| (&found_verdict.context_id, &found_verdict.verdict));
    table_by("CONTEXT", rows)
}

/// Returns a table of verdicts, each with a first cell under `heading`.
fn table_by<'a>(
    heading: &str,
    rows: impl Iterator<Item = (&'a String, &'a ListedVerdict)>,
) -> Table {
    let headings = [
        heading, "IS BOT", "SCORE", "EPOCH", "CHECKS", "FLAGGED", "TIME", "RULE", "LINK",
    ];
    let mut table = Table::new(headings).with_narrowed([7, 8, 5, 0]);
    for (first_cell, listed_verdict) in rows {
        let time = listed_verdict
            .last_event_at
            .as_deref()
            .map_or_else(|| "-".to_owned(), minute);
        let rule = optional(listed_verdict.rule.as_deref());
        table.row(
            iter::once(first_cell.clone())
                .chain(cells(&listed_verdict.verdict))
                .chain([time, rule, link(listed_verdict.link.as_ref())]),
        );
    }
    table
}

/// Returns the cells of a verdict after the first one.
fn cells(verdict: &Verdict) -> [String; 5] {
    let flagged_layers = match (verdict.owned.flagged, verdict.unverified.flagged) {
        (true, true) => "owned, unverified",
        (true, false) => "owned",
        (false, true) => "unverified",
        (false, false) if verdict.has_tombstone => "before the erase",
        (false, false) => "-",
    };
    [
        yes_no(verdict.is_bot).to_owned(),
        format!("{:.2}", verdict.score),
        verdict.epoch.to_string(),
        (verdict.owned.checks + verdict.unverified.checks).to_string(),
        flagged_layers.to_owned(),
    ]
}

/// Formats the exceeded limit of a cluster as a cell: `device 4 of 3`.
fn link(link: Option<&VerdictLink>) -> String {
    link.map_or_else(
        || "-".to_owned(),
        |link| format!("{} {} of {}", link.cluster, link.rank, link.limit),
    )
}
