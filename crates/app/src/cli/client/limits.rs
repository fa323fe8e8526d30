//! `voight client cap` and `voight client budget`.

use super::ClientArg;
use crate::cli::invocation::Invocation;
use crate::cli::number::natural;
use crate::exit::CommandError;
use crate::output::{Table, optional};
use crate::session::AdminSession;
use clap::Args;
use voight_api::admin::{Limits, LimitsPatch, NullablePatch, routes};

/// Arguments of `voight client cap`.
#[derive(Debug, Args)]
pub(in crate::cli) struct CapCommand {
    #[command(flatten)]
    client: ClientArg,
    /// Maximum number of billable lookups in a period, free ones included
    #[arg(required_unless_present_any = ["money", "clear"], allow_negative_numbers = true, value_parser = natural::<u64>)]
    lookups: Option<u64>,
    /// Maximum cost of a period, for example 50.00
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    money: Option<String>,
    /// Remove both caps
    #[arg(long, conflicts_with_all = ["lookups", "money"])]
    clear: bool,
}

/// Arguments of `voight client budget`.
#[derive(Debug, Args)]
pub(in crate::cli) struct BudgetCommand {
    #[command(flatten)]
    client: ClientArg,
    /// Budget for each period, for example 200.00
    #[arg(required_unless_present = "clear", allow_negative_numbers = true)]
    amount: Option<String>,
    /// Remove the budget
    #[arg(long, conflicts_with = "amount")]
    clear: bool,
}

impl CapCommand {
    pub(super) fn run(
        self,
        invocation: &Invocation,
        session: &AdminSession,
    ) -> Result<(), CommandError> {
        let (cap, money_cap) = if self.clear {
            (Some(NullablePatch::Clear), Some(NullablePatch::Clear))
        } else {
            (
                self.lookups.map(NullablePatch::Set),
                self.money.map(NullablePatch::Set),
            )
        };
        change(
            invocation,
            session,
            &self.client,
            &LimitsPatch {
                cap,
                money_cap,
                budget: None,
            },
        )
    }
}

impl BudgetCommand {
    pub(super) fn run(
        self,
        invocation: &Invocation,
        session: &AdminSession,
    ) -> Result<(), CommandError> {
        let budget = Some(self.amount.map_or(NullablePatch::Clear, NullablePatch::Set));
        change(
            invocation,
            session,
            &self.client,
            &LimitsPatch {
                budget,
                ..LimitsPatch::default()
            },
        )
    }
}

fn change(
    invocation: &Invocation,
    session: &AdminSession,
    client: &ClientArg,
    patch: &LimitsPatch,
) -> Result<(), CommandError> {
    let limits = session
        .client()
        .send(&routes::CHANGE_LIMITS.call([&client.client]), patch)?;
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
    table.row([
        "cap in lookups",
        &amount(limits.cap.map(|cap| cap.to_string())),
    ]);
    table.row([
        "cap in money",
        &amount(limits.money_cap.as_ref().map(ToString::to_string)),
    ]);
    table.row([
        "budget",
        &amount(limits.budget.as_ref().map(ToString::to_string)),
    ]);
}
