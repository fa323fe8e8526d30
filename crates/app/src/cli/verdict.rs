//! `voight verdict`.

use super::explain::explained;
use super::invocation::Invocation;
use crate::admin_client::Path;
use crate::exit::Failure;
use crate::output::{Table, yes_no};
use crate::session::Session;
use clap::{Args, Subcommand, ValueEnum};
use voight_domain::{ContextId, EoaAddress};
use voight_http::admin::dto::{Explanation, OverrideRequest, OverrideTo, Verdict};

/// Verdicts are read in pages of this size.
const PAGE: usize = 1000;

/// Verdicts on addresses.
#[derive(Debug, Subcommand)]
pub(super) enum VerdictCommand {
    /// Show the verdict on an address; not metered
    Get(Subject),
    /// List the verdicts of a context
    List {
        /// The context
        #[arg(long, value_name = "CONTEXT_ID")]
        context: ContextId,
    },
    /// Show what speaks for and against, and what happened
    Explain(Subject),
    /// Decide yourself; opens a new epoch and is kept in the audit log
    Override {
        #[command(flatten)]
        subject: Subject,
        /// Your decision
        #[arg(long, value_name = "VERDICT")]
        to: Decision,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

/// An address in a context.
#[derive(Debug, Args)]
pub(super) struct Subject {
    /// The context
    #[arg(long, value_name = "CONTEXT_ID")]
    context: ContextId,
    /// The address: 0x and 40 hexadecimal digits
    address: EoaAddress,
}

/// What an operator decides.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Decision {
    /// It is a human's address
    Human,
    /// It is a bot's address
    Bot,
}

impl From<Decision> for OverrideTo {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Human => Self::Human,
            Decision::Bot => Self::Bot,
        }
    }
}

impl VerdictCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), Failure> {
        let session = invocation.session()?;
        let output = invocation.output;
        match self {
            Self::Get(subject) => {
                let known: Explanation = session.client().get(&subject.path())?;
                output.data(&known.verdict, |verdict| table(std::slice::from_ref(verdict)))
            }
            Self::List { context } => output.data(&all(&session, &context)?, |verdicts| table(verdicts)),
            Self::Explain(subject) => {
                let known: Explanation = session.client().get(&subject.path())?;
                output.data(&known, explained)
            }
            Self::Override { subject, to, reason } => {
                let body = OverrideRequest { to: to.into(), reason };
                let known: Explanation = session.client().post(&subject.override_path(), &body)?;
                output.data(&known.verdict, |verdict| table(std::slice::from_ref(verdict)))
            }
        }
    }
}

impl Subject {
    fn path(&self) -> Path {
        Path::of(["contexts", self.context.as_str(), "verdicts", &self.address.to_string()])
    }

    fn override_path(&self) -> Path {
        Path::of(["contexts", self.context.as_str(), "verdicts", &self.address.to_string(), "override"])
    }
}

/// Every verdict of a context, page by page.
fn all(session: &Session, context: &ContextId) -> Result<Vec<Verdict>, Failure> {
    let mut verdicts: Vec<Verdict> = Vec::new();
    loop {
        let after = verdicts.last().map(|verdict| verdict.address.as_str());
        let path = Path::of(["contexts", context.as_str(), "verdicts"])
            .with("after", after)
            .with("limit", Some(&PAGE.to_string()));
        let page: Vec<Verdict> = session.client().get(&path)?;
        let is_last = page.len() < PAGE;
        verdicts.extend(page);
        if is_last {
            return Ok(verdicts);
        }
    }
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
