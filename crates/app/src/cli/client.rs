//! `voight client`.

mod close;
mod contexts;
mod limits;

use super::adjustment;
use super::invocation::Invocation;
use super::paging::Paging;
use crate::exit::CommandError;
use crate::output::{Table, day, list, optional, word};
use crate::session::AdminSession;
use clap::{Args, Subcommand};
use voight_api::admin::{
    AdjustmentKind, Client, ClientAccount, ClientPatch, ClientStatus, NewAdjustment, NewClient,
    routes,
};
use voight_api::route::{Call, EmptyBody, One};
use voight_domain::{ClientName, Origin};

/// Commands of `voight client`.
#[derive(Debug, Subcommand)]
pub(super) enum ClientCommand {
    /// Create a client
    #[command(after_long_help = "\
Examples:
  voight client create acme
  voight client create \"Acme Games\" --json")]
    Create {
        /// Unique name of the client
        name: ClientName,
    },
    /// List all clients
    List(Paging),
    /// Show a client with its limits and its balance
    Show(ClientArg),
    /// Suspend a client: all its API calls fail with 403 until it is resumed
    Suspend(ClientArg),
    /// Resume a suspended client
    Resume(ClientArg),
    /// Show or set the origins that may embed the client's checks
    Origins(Origins),
    /// Show or set which keys of a client may use its contexts
    Contexts(contexts::Contexts),
    /// Set a hard limit on the lookups or the cost of a billing period. Lookups over the limit fail with 402
    Cap(limits::CapCommand),
    /// Set a soft budget for a billing period. Alerts are raised at 80 % and 100 % of it; lookups are not blocked
    Budget(limits::BudgetCommand),
    /// Give a client a credit, which is deducted from its next invoice
    Credit(Credit),
    /// Close a client: end its period now and issue its last invoice. This cannot be undone
    Close(close::CloseCommand),
}

/// Argument that names a client.
#[derive(Debug, Args)]
pub(super) struct ClientArg {
    /// Client name or id, or a unique prefix of the id
    #[arg(value_name = "NAME")]
    client: String,
}

/// Arguments of `voight client credit`.
#[derive(Debug, Args)]
pub(super) struct Credit {
    #[command(flatten)]
    client: ClientArg,
    /// Amount of the credit, for example 12.50
    #[arg(allow_negative_numbers = true)]
    amount: String,
    /// Reason, printed on the invoice
    #[arg(long)]
    reason: String,
}

/// Arguments of `voight client origins`.
#[derive(Debug, Args)]
pub(super) struct Origins {
    #[command(flatten)]
    client: ClientArg,
    /// Replace the list of origins, for example with `https://quest.example`
    #[arg(long, value_name = "ORIGIN", num_args = 1.., value_delimiter = ',')]
    set: Vec<Origin>,
    /// Clear the list of origins: any origin may then embed the client's checks
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
                return paging
                    .read(session.client(), &routes::LIST_CLIENTS.call([]))?
                    .print(invocation, table);
            }
            Self::Create { name } => {
                let body = NewClient {
                    name: name.to_string(),
                };
                let client = session
                    .client()
                    .send(&routes::CREATE_CLIENT.call([]), &body)?;
                let dir = invocation
                    .globals
                    .data_dir
                    .as_ref()
                    .map(|dir| format!(" --data-dir {}", dir.display()));
                let dir = dir.unwrap_or_default();
                invocation.output.note(format_args!(
                    "Next: voight key create --client {:?}{dir}",
                    client.name
                ));
                client
            }
            Self::Show(named) => {
                let account = session.client().call(&named.show())?;
                return invocation.output.data(&account, account_record);
            }
            Self::Suspend(named) => set_status(&session, &named, ClientStatus::Suspended)?,
            Self::Resume(named) => set_status(&session, &named, ClientStatus::Active)?,
            Self::Origins(origins) => origins.run(&session)?,
            Self::Contexts(contexts) => contexts.run(&session)?,
            Self::Cap(cap) => return cap.run(invocation, &session),
            Self::Budget(budget) => return budget.run(invocation, &session),
            Self::Credit(Credit {
                client,
                amount,
                reason,
            }) => {
                let credit = NewAdjustment {
                    kind: AdjustmentKind::Credit,
                    amount,
                    reason,
                };
                return adjustment::make(invocation, &session, &client.client, &credit);
            }
            Self::Close(close) => return close.run(invocation, &session),
        };
        invocation.output.data(&client, record)
    }
}

impl ClientArg {
    fn show(&self) -> Call<EmptyBody, One<ClientAccount>> {
        routes::SHOW_CLIENT.call([&self.client])
    }

    fn change(&self, session: &AdminSession, patch: &ClientPatch) -> Result<Client, CommandError> {
        session
            .client()
            .send(&routes::CHANGE_CLIENT.call([&self.client]), patch)
    }
}

impl Origins {
    fn run(self, session: &AdminSession) -> Result<Client, CommandError> {
        if self.set.is_empty() && !self.clear {
            return Ok(session.client().call(&self.client.show())?.client);
        }
        let origins = Some(self.set.iter().map(ToString::to_string).collect());
        self.client.change(
            session,
            &ClientPatch {
                origins,
                ..ClientPatch::default()
            },
        )
    }
}

fn set_status(
    session: &AdminSession,
    client_arg: &ClientArg,
    status: ClientStatus,
) -> Result<Client, CommandError> {
    client_arg.change(
        session,
        &ClientPatch {
            status: Some(status),
            ..ClientPatch::default()
        },
    )
}

const fn status(client: &Client) -> &'static str {
    match client.status {
        ClientStatus::Active => "active",
        ClientStatus::Suspended => "suspended",
        ClientStatus::Closed => "closed",
    }
}

fn table(clients: &[Client]) -> Table {
    let mut table =
        Table::new(["NAME", "CLIENT ID", "STATUS", "ORIGINS", "CREATED"]).with_narrowed([3, 0]);
    for client in clients {
        table.row([
            &client.name,
            &client.client_id,
            status(client),
            &list(&client.origins),
            &day(&client.created_at),
        ]);
    }
    table
}

/// Formats a client with its limits and its balance.
fn account_record(
    ClientAccount {
        client,
        limits,
        balance,
    }: &ClientAccount,
) -> Table {
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
