//! `voight client cap` and `voight client budget`.

use super::Named;
use crate::admin_client::Path;
use crate::cli::invocation::Invocation;
use crate::cli::number::natural;
use crate::exit::Failure;
use crate::output::{Table, optional};
use crate::session::Session;
use clap::Args;
use voight_http::admin::dto::{Change, Limits, LimitsPatch};

/// The hard caps of a client.
#[derive(Debug, Args)]
pub(in crate::cli) struct Cap {
    #[command(flatten)]
    client: Named,
    /// So many billable lookups in a period, the free ones included; what is beyond answers 402
    #[arg(required_unless_present_any = ["money", "clear"], allow_negative_numbers = true, value_parser = natural::<u64>)]
    lookups: Option<u64>,
    /// No more than this amount in a period, for example 50.00
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    money: Option<String>,
    /// Take both caps away
    #[arg(long, conflicts_with_all = ["lookups", "money"])]
    clear: bool,
}

/// The budget of a client.
#[derive(Debug, Args)]
pub(in crate::cli) struct Budget {
    #[command(flatten)]
    client: Named,
    /// An amount for each period, for example 200.00; lookups go on beyond it
    #[arg(required_unless_present = "clear", allow_negative_numbers = true)]
    amount: Option<String>,
    /// Take the budget away
    #[arg(long, conflicts_with = "amount")]
    clear: bool,
}

impl Cap {
    pub(super) fn run(self, invocation: &Invocation, session: &Session) -> Result<(), Failure> {
        let (cap, money_cap) = if self.clear {
            (Some(Change::Clear), Some(Change::Clear))
        } else {
            (self.lookups.map(Change::To), self.money.map(Change::To))
        };
        change(invocation, session, &self.client, &LimitsPatch { cap, money_cap, budget: None })
    }
}

impl Budget {
    pub(super) fn run(self, invocation: &Invocation, session: &Session) -> Result<(), Failure> {
        let budget = Some(self.amount.map_or(Change::Clear, Change::To));
        change(invocation, session, &self.client, &LimitsPatch { budget, ..LimitsPatch::default() })
    }
}

fn change(invocation: &Invocation, session: &Session, client: &Named, patch: &LimitsPatch) -> Result<(), Failure> {
    let limits: Limits = session.client().patch(&Path::of(["clients", &client.client, "limits"]), patch)?;
    invocation.output.data(&limits, table)
}

fn table(limits: &Limits) -> Table {
    let mut table = Table::default();
    rows(limits, &mut table);
    table
}

/// Appends the limits to a record.
pub(super) fn rows(limits: &Limits, table: &mut Table) {
    let amount = |amount: Option<String>| optional(amount.as_deref());
    table.row(["cap in lookups", &amount(limits.cap.map(|cap| cap.to_string()))]);
    table.row(["cap in money", &amount(limits.money_cap.as_ref().map(ToString::to_string))]);
    table.row(["budget", &amount(limits.budget.as_ref().map(ToString::to_string))]);
}
