//! `voight verdict`.

mod address_args;
mod calibration;
mod label;
mod replay;

pub(crate) use label::read_labels;

use super::explain::render;
use super::invocation::Invocation;
use super::paging::Paging;
use super::reference::ContextRef;
use crate::exit::CommandError;
use crate::output::{Table, yes_no};
use address_args::AddressArgs;
use calibration::CalibrationCommand;
use clap::{Subcommand, ValueEnum};
use label::{LabelCommand, LabelsCommand};
use replay::ReplayCommand;
use voight_api::admin::{Explanation, OverrideRequest, OverrideTo, Truth, Verdict, routes};

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
        #[command(flatten)]
        paging: Paging,
    },
    /// Show the findings and the event history of an address
    #[command(after_long_help = "\
Examples:
  voight verdict explain --context acme/spring 0x1111111111111111111111111111111111111111
  voight verdict explain --context spring.01k0ab3c 0x1111111111111111111111111111111111111111 --json")]
    Explain(AddressArgs),
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
        let known = |subject: &AddressArgs| -> Result<Explanation, CommandError> {
            invocation.session()?.client().call(&subject.call(&routes::EXPLAIN_VERDICT))
        };
        match self {
            Self::Get(subject) => output.data(&known(&subject)?.verdict, one),
            Self::List { context, paging } => {
                let call = routes::LIST_VERDICTS.call([context.as_str()]);
                paging.read_pages(invocation.session()?.client(), &call)?.print(invocation, table)
            }
            Self::Explain(subject) => output.data(&known(&subject)?, render),
            Self::Override { subject, to, reason } => {
                let body = OverrideRequest { verdict: to.into(), reason };
                let call = subject.call(&routes::OVERRIDE_VERDICT);
                let known = invocation.session()?.client().send(&call, &body)?;
                output.data(&known.verdict, one)
            }
            Self::Label(command) => command.run(invocation),
            Self::Labels(command) => command.run(invocation),
            Self::Calibration(command) => command.run(invocation),
            Self::Replay(command) => command.run(invocation),
        }
    }
}

fn one(verdict: &Verdict) -> Table {
    table(std::slice::from_ref(verdict))
}

fn table(verdicts: &[Verdict]) -> Table {
    let mut table = Table::new(["ADDRESS", "IS BOT", "SCORE", "EPOCH", "CHECKS", "FLAGGED"]);
    for verdict in verdicts {
        let flagged = match (verdict.owned.flagged, verdict.unverified.flagged) {
            (true, true) => "owned, unverified",
            (true, false) => "owned",
            (false, true) => "unverified",
            (false, false) if verdict.has_tombstone => "before the erase",
            (false, false) => "-",
        };
        table.row([
            verdict.address.clone(),
            yes_no(verdict.is_bot).to_owned(),
            format!("{:.2}", verdict.score),
            verdict.epoch.to_string(),
            (verdict.owned.checks + verdict.unverified.checks).to_string(),
            flagged.to_owned(),
        ]);
    }
    table
}
