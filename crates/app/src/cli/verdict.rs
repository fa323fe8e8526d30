//! `voight verdict`.

mod calibration;
mod label;
mod replay;
mod subject;

pub(crate) use label::read_labels;

use super::explain::render;
use super::invocation::Invocation;
use super::paging::Paging;
use super::reference::ContextRef;
use crate::admin_client::Path;
use crate::exit::CommandError;
use crate::output::{Table, yes_no};
use calibration::CalibrationCommand;
use clap::{Subcommand, ValueEnum};
use label::{LabelCommand, LabelsCommand};
use replay::ReplayCommand;
use subject::AddressArgs;
use voight_http::admin::dto::{Explanation, OverrideRequest, OverrideTo, Truth, Verdict};

/// Verdicts on addresses.
#[derive(Debug, Subcommand)]
pub(super) enum VerdictCommand {
    /// Show the verdict on an address; not metered
    Get(AddressArgs),
    /// List the verdicts of a context
    List {
        /// The context: its id, the unique beginning of it, or client/title
        #[arg(long, value_name = "CONTEXT")]
        context: ContextRef,
        #[command(flatten)]
        paging: Paging,
    },
    /// Show what speaks for and against, and what happened
    Explain(AddressArgs),
    /// Decide yourself; opens a new epoch and is kept in the audit log
    Override {
        #[command(flatten)]
        subject: AddressArgs,
        /// Your decision
        #[arg(long, value_name = "VERDICT")]
        to: HumanOrBot,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    Label(LabelCommand),
    Labels(LabelsCommand),
    Calibration(CalibrationCommand),
    Replay(ReplayCommand),
}

/// What an operator decides, or knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum HumanOrBot {
    /// It is a human's address
    Human,
    /// It is a bot's address
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
            invocation.session()?.client().get(&subject.path())
        };
        match self {
            Self::Get(subject) => output.data(&known(&subject)?.verdict, one),
            Self::List { context, paging } => {
                let path = Path::from_segments(["contexts", context.as_str(), "verdicts"]);
                paging.read_pages(invocation.session()?.client(), &path)?.print(invocation, table)
            }
            Self::Explain(subject) => output.data(&known(&subject)?, render),
            Self::Override { subject, to, reason } => {
                let body = OverrideRequest { to: to.into(), reason };
                let known: Explanation = invocation.session()?.client().post(&subject.override_path(), &body)?;
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
        let flagged = match (verdict.bound.flagged, verdict.claimed.flagged) {
            (true, true) => "bound, claimed",
            (true, false) => "bound",
            (false, true) => "claimed",
            (false, false) if verdict.tombstone => "before the erase",
            (false, false) => "-",
        };
        table.row([
            verdict.address.clone(),
            yes_no(verdict.is_bot).to_owned(),
            format!("{:.2}", verdict.score),
            verdict.epoch.to_string(),
            (verdict.bound.checks + verdict.claimed.checks).to_string(),
            flagged.to_owned(),
        ]);
    }
    table
}
