//! `voight snapshot`.

mod download;
mod list_args;
mod public_client;
mod take;
mod view;

use super::invocation::Invocation;
use crate::exit::CommandError;
use clap::{Args, Subcommand};
use public_client::PublicClient;
use voight_api::public::{DeletedSnapshot, Snapshot, Snapshots};
use voight_api::route::Method;

/// Commands of `voight snapshot`.
#[derive(Debug, Subcommand)]
pub(super) enum SnapshotCommand {
    /// Create a snapshot, upload its addresses and wait for the draft
    ///
    /// Each address is one lookup of the client of the API key. --dry-run prints what would be looked up and how the file is read,
    /// and bills nothing. Columns are found by their names, never by their positions; amounts need a unit.
    ///
    /// If the command is interrupted, the job continues in the service: `voight snapshot show` prints its state.
    #[command(after_long_help = "Examples:\n  \
        voight snapshot take --context quest.01k0ab3c --addresses recipients.csv --decimals 18 --dry-run\n  \
        voight snapshot take --context quest.01k0ab3c --addresses votes.csv --address-column voter --amount 5000000\n  \
        voight snapshot take --context quest.01k0ab3c --seen --amount 1000000000000000000")]
    Take(take::Take),
    /// List the snapshots of the API key's client
    List(ConnectionArgs),
    /// Show the state of a snapshot
    Show(OneSnapshot),
    /// Read the verdicts of a draft again and make the snapshot final. Nothing is billed
    Finalize(OneSnapshot),
    /// Download a file of a snapshot
    ///
    /// Formats: csv, ndjson and parquet (the rows), merkle (tree of the rewards for a claim contract), airdrop (CSV of addresses and
    /// whole tokens), changes (rows whose final answer differs from that of the draft).
    Download(download::Download),
    /// Delete a snapshot. Its lookups stay billed
    Delete(OneSnapshot),
}

/// Connection to the public API.
#[derive(Debug, Args)]
pub(super) struct ConnectionArgs {
    /// URL of the public listener [default: that of the configuration]
    #[arg(long, value_name = "URL")]
    api: Option<String>,
    /// File with the API key [default: `VOIGHT_API_KEY`]
    #[arg(long, value_name = "FILE")]
    key_file: Option<std::path::PathBuf>,
}

/// Snapshot of a command.
#[derive(Debug, Args)]
pub(super) struct OneSnapshot {
    /// Snapshot id
    #[arg(value_name = "SNAPSHOT")]
    id: String,
    #[command(flatten)]
    connection: ConnectionArgs,
}

impl SnapshotCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        match self {
            Self::Take(command) => command.run(invocation),
            Self::Download(command) => command.run(invocation),
            Self::List(connection) => {
                let snapshots: Snapshots =
                    PublicClient::open(invocation, &connection)?.call(Method::Get, "")?;
                invocation
                    .output
                    .data(&snapshots.snapshots, |snapshots| view::list(snapshots))
            }
            Self::Show(one) => {
                let client = PublicClient::open(invocation, &one.connection)?;
                let snapshot: Snapshot = client.call(Method::Get, &format!("/{}", one.id))?;
                invocation.output.data(&snapshot, view::one)
            }
            Self::Finalize(one) => {
                let client = PublicClient::open(invocation, &one.connection)?;
                let snapshot = client.call(Method::Post, &format!("/{}/finalize", one.id))?;
                invocation
                    .output
                    .data(&take::wait(&client, snapshot)?, view::one)
            }
            Self::Delete(one) => {
                let client = PublicClient::open(invocation, &one.connection)?;
                let deleted_snapshot: DeletedSnapshot =
                    client.call(Method::Delete, &format!("/{}", one.id))?;
                invocation
                    .output
                    .data(&deleted_snapshot, |deleted_snapshot| {
                        format!("deleted snapshot {}", deleted_snapshot.id)
                    })
            }
        }
    }
}
