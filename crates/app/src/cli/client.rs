//! `voight client`.

mod close;
mod contexts;
mod limits;

use super::adjustment;
use super::invocation::Invocation;
use super::paging::Paging;
use crate::admin_client::Path;
use crate::exit::CommandError;
use crate::output::{Table, day, list, optional, word};
use crate::session::AdminSession;
use clap::{Args, Subcommand};
use voight_domain::{ClientName, Origin};
use voight_http::admin::dto::{
    AdjustmentKind, Client, ClientAccount, ClientPatch, ClientStatus, NewAdjustment, NewClient,
};

/// Clients: billing accounts.
#[derive(Debug, Subcommand)]
pub(super) enum ClientCommand {
    /// Create a client
    Create {
        /// Its unique name
        name: ClientName,
    },
    /// List clients
    List(Paging),
    /// Show a client with its limits and its balance
    Show(ClientArg),
    /// Answer every call of a client with 403, until it is resumed
    Suspend(ClientArg),
    /// Take a client's calls again
    Resume(ClientArg),
    /// Show or change the origins that may host a client's checks
    Origins(Origins),
    /// Show or change which of a client's keys may use its contexts
    Contexts(contexts::Contexts),
    /// Refuse what a client looks up beyond a number of lookups, or an amount of money, in a period
    Cap(limits::CapCommand),
    /// Raise alerts at 80 % and 100 % of what a client means to spend in a period
    Budget(limits::BudgetCommand),
    /// Give a client a credit, which lowers its next invoice
    Credit(Credit),
    /// Close a client for good: its period ends now, and its last invoice is issued
    Close(close::CloseCommand),
}

/// A client that is named.
#[derive(Debug, Args)]
pub(super) struct ClientArg {
    /// Its name or id, or the unique beginning of its id
    #[arg(value_name = "NAME")]
    client: String,
}

/// A credit.
#[derive(Debug, Args)]
pub(super) struct Credit {
    #[command(flatten)]
    client: ClientArg,
    /// What the client is given, for example 12.50
    #[arg(allow_negative_numbers = true)]
    amount: String,
    /// Why; it is printed on the invoice
    #[arg(long)]
    reason: String,
}

/// The origins of a client.
#[derive(Debug, Args)]
pub(super) struct Origins {
    #[command(flatten)]
    client: ClientArg,
    /// Replace them by these, for example `https://quest.example`
    #[arg(long, value_name = "ORIGIN", num_args = 1.., value_delimiter = ',')]
    set: Vec<Origin>,
    /// Remove them all: any origin may then host the client's checks
    #[arg(long, conflicts_with = "set")]
    clear: bool,
}

impl ClientCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        if let Self::Close(close) = &self {
            close.require_yes()?;
        }
        let session = invocation.session()?;
        let client: Client = match self {
            Self::List(paging) => {
                return paging.read(session.client(), &Path::from_segments(["clients"]))?.print(invocation, table);
            }
            Self::Create { name } => {
                let body = NewClient { name: name.to_string() };
                let client: Client = session.client().post(&Path::from_segments(["clients"]), &body)?;
                let dir = invocation.globals.data_dir.as_ref().map(|dir| format!(" --data-dir {}", dir.display()));
                let dir = dir.unwrap_or_default();
                invocation.output.note(format_args!("Next: voight key create --client {:?}{dir}", client.name));
                client
            }
            Self::Show(named) => {
                let account: ClientAccount = session.client().get(&named.path())?;
                return invocation.output.data(&account, account_record);
            }
            Self::Suspend(named) => set_status(&session, &named, ClientStatus::Suspended)?,
            Self::Resume(named) => set_status(&session, &named, ClientStatus::Active)?,
            Self::Origins(origins) => origins.run(&session)?,
            Self::Contexts(contexts) => contexts.run(&session)?,
            Self::Cap(cap) => return cap.run(invocation, &session),
            Self::Budget(budget) => return budget.run(invocation, &session),
            Self::Credit(Credit { client, amount, reason }) => {
                let credit = NewAdjustment { kind: AdjustmentKind::Credit, amount, reason };
                return adjustment::make(invocation, &session, &client.client, &credit);
            }
            Self::Close(close) => return close.run(invocation, &session),
        };
        invocation.output.data(&client, record)
    }
}

impl ClientArg {
    fn path(&self) -> Path {
        Path::from_segments(["clients", &self.client])
    }
}

impl Origins {
    fn run(self, session: &AdminSession) -> Result<Client, CommandError> {
        let path = self.client.path();
        if self.set.is_empty() && !self.clear {
            return session.client().get(&path);
        }
        let origins = Some(self.set.iter().map(ToString::to_string).collect());
        session.client().patch(&path, &ClientPatch { origins, ..ClientPatch::default() })
    }
}

fn set_status(session: &AdminSession, named: &ClientArg, status: ClientStatus) -> Result<Client, CommandError> {
    session.client().patch(&named.path(), &ClientPatch { status: Some(status), ..ClientPatch::default() })
}

const fn status(client: &Client) -> &'static str {
    match client.status {
        ClientStatus::Active => "active",
        ClientStatus::Suspended => "suspended",
        ClientStatus::Closed => "closed",
    }
}

fn table(clients: &[Client]) -> Table {
    let mut table = Table::new(["NAME", "CLIENT ID", "STATUS", "ORIGINS", "CREATED"]).with_narrowed([3, 0]);
    for client in clients {
        table.row([&client.name, &client.client_id, status(client), &list(&client.origins), &day(&client.created_at)]);
    }
    table
}

/// A client with what it may use in a period, and what it owes.
fn account_record(ClientAccount { client, limits, balance }: &ClientAccount) -> Table {
    let mut table = record(client);
    limits::rows(limits, &mut table);
    let balance: Vec<_> = balance.iter().map(ToString::to_string).collect();
    table.row(["balance", &list(&balance)]);
    table
}

fn record(client: &Client) -> Table {
    let rate = client.lookup_rate.map(|rate| format!("{rate} a second"));
    let mut table = Table::default();
    table.row(["name", &client.name]);
    table.row(["client id", &client.client_id]);
    table.row(["status", status(client)]);
    table.row(["origins", &list(&client.origins)]);
    table.row(["lookup rate", &optional(rate.as_deref())]);
    table.row(["contexts for", &word(&client.contexts)]);
    table.row(["created", &client.created_at]);
    table
}
