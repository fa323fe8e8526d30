//! `voight snapshot take`.

use super::list_args::ListArgs;
use super::public_client::PublicClient;
use super::{ConnectionArgs, view};
use crate::cli::invocation::Invocation;
use crate::exit::{CommandError, Exit};
use clap::{Args, ValueEnum};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;
use voight_api::public::{
    DeletedSnapshot, IncludedStatus, NewSnapshot, Snapshot, SnapshotSource, SnapshotState,
    UploadSummary,
};
use voight_api::route::Method;

/// Pause between two requests for the state.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Create a snapshot, upload its addresses and wait for the draft.
#[derive(Debug, Args)]
pub(in crate::cli) struct Take {
    /// Context id
    #[arg(long, value_name = "CONTEXT")]
    context: String,
    /// File with the addresses: .csv, .tsv, .ndjson, .jsonl or .json (Merkle tree dump), also with .gz or .zst; or .parquet
    #[arg(long, value_name = "FILE", required_unless_present = "seen")]
    addresses: Option<PathBuf>,
    /// Take all addresses with a verdict in the context
    #[arg(long, conflicts_with = "addresses")]
    seen: bool,
    #[command(flatten)]
    list: ListArgs,
    /// Reward of each address of a list without amounts, in base units of the token
    #[arg(long, value_name = "UNITS")]
    amount: Option<String>,
    /// Reward addresses with this status, too
    #[arg(long, value_name = "STATUS", value_delimiter = ',')]
    include: Vec<Included>,
    /// Read the file, print its summary, and change and bill nothing
    #[arg(long, conflicts_with = "seen")]
    dry_run: bool,
    /// Return at once instead of waiting for the draft
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    connection: ConnectionArgs,
}

/// Status that receives rewards beside human.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Included {
    /// Addresses without a conclusive check
    Unknown,
    /// Addresses whose checks support neither a human nor a bot
    Unsure,
}

impl Take {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let upload = self.addresses.as_deref().map(Upload::open).transpose()?;
        let client = PublicClient::open(invocation, &self.connection)?;
        let include = self.include.iter().map(|status| match status {
            Included::Unknown => IncludedStatus::Unknown,
            Included::Unsure => IncludedStatus::Unsure,
        });
        let request = NewSnapshot {
            context_id: self.context,
            source: if upload.is_some() {
                SnapshotSource::Upload
            } else {
                SnapshotSource::Seen
            },
            amount: self.amount,
            include: include.collect(),
        };
        let mut snapshot: Snapshot = client.create(&request)?;
        if !self.dry_run {
            invocation
                .output
                .note(format_args!("snapshot {}", snapshot.id));
        }
        if let Some(upload) = upload {
            if self.dry_run {
                let summary = dry_run(&client, &snapshot, upload, &self.list)?;
                return invocation.output.data(&summary, view::summary);
            }
            snapshot = upload_to(&client, &snapshot, upload, &self.list)?;
            if let Some(summary) = &snapshot.summary {
                invocation.output.note(view::summary(summary));
            }
        }
        if !self.no_wait {
            snapshot = Snapshot {
                summary: snapshot.summary.clone(),
                ..wait(&client, snapshot)?
            };
        }
        invocation.output.data(&snapshot, view::one)
    }
}

/// Uploads the addresses of a snapshot. A snapshot whose upload is rejected is deleted, because the next attempt creates another.
fn upload_to(
    client: &PublicClient,
    snapshot: &Snapshot,
    Upload { file, headers }: Upload,
    list: &ListArgs,
) -> Result<Snapshot, CommandError> {
    client
        .upload(&list.upload_path(&snapshot.id, false), file, &headers)
        .inspect_err(|failure| {
            if failure.exit == Exit::Usage {
                let _ = delete(client, snapshot);
            }
        })
}

/// Returns the summary of an upload, and deletes the snapshot, which has looked nothing up.
fn dry_run(
    client: &PublicClient,
    snapshot: &Snapshot,
    Upload { file, headers }: Upload,
    list: &ListArgs,
) -> Result<UploadSummary, CommandError> {
    let upload_result =
        client.upload::<Snapshot>(&list.upload_path(&snapshot.id, true), file, &headers);
    let delete_result = delete(client, snapshot);
    let summary = upload_result?.summary;
    delete_result?;
    summary.ok_or_else(|| {
        CommandError::unreachable(
            "the service sent no summary; it is older than this command".to_owned(),
        )
    })
}

fn delete(client: &PublicClient, snapshot: &Snapshot) -> Result<DeletedSnapshot, CommandError> {
    client.call(Method::Delete, &format!("/{}", snapshot.id))
}

/// Waits until the job of a snapshot has ended or is paused.
pub(super) fn wait(
    client: &PublicClient,
    mut snapshot: Snapshot,
) -> Result<Snapshot, CommandError> {
    while snapshot.pause.is_none()
        && !matches!(snapshot.state, SnapshotState::Draft | SnapshotState::Final)
    {
        sleep(POLL_INTERVAL);
        snapshot = client.call(Method::Get, &format!("/{}", snapshot.id))?;
    }
    Ok(snapshot)
}

/// File to upload, with the headers of its format.
struct Upload {
    file: File,
    headers: Vec<(&'static str, &'static str)>,
}

impl Upload {
    fn open(path: &Path) -> Result<Self, CommandError> {
        let headers = headers(path).ok_or_else(|| {
            let message = format!(
                "{} has no known extension; name a file .csv, .tsv, .ndjson, .jsonl or .json (a Merkle tree dump), also with .gz or .zst behind it, or .parquet",
                path.display()
            );
            CommandError::new(Exit::Usage, message)
        })?;
        let file = File::open(path).map_err(|error| {
            CommandError::new(
                Exit::Usage,
                format!("{} cannot be read ({error})", path.display()),
            )
        })?;
        Ok(Self { file, headers })
    }
}

/// Returns the headers of a file by its extensions.
fn headers(path: &Path) -> Option<Vec<(&'static str, &'static str)>> {
    let extension = |path: &Path| {
        path.extension()
            .and_then(|text| text.to_str())
            .map(str::to_ascii_lowercase)
    };
    let encoding = match extension(path)?.as_str() {
        "gz" => Some("gzip"),
        "zst" => Some("zstd"),
        _ => None,
    };
    let inner = if encoding.is_some() {
        path.with_extension("")
    } else {
        path.to_owned()
    };
    let media_type = match extension(&inner)?.as_str() {
        "csv" | "tsv" => "text/csv",
        "ndjson" | "jsonl" => "application/x-ndjson",
        "json" => "application/json",
        "parquet" => "application/vnd.apache.parquet",
        _ => return None,
    };
    let encoding = encoding.map(|encoding| ("content-encoding", encoding));
    Some(
        [Some(("content-type", media_type)), encoding]
            .into_iter()
            .flatten()
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extension_determines_the_headers() {
        let csv = ("content-type", "text/csv");
        let lines = ("content-type", "application/x-ndjson");
        for (name, expected) in [
            ("a.csv", Some(vec![csv])),
            ("a.CSV.GZ", Some(vec![csv, ("content-encoding", "gzip")])),
            (
                "dir.csv/a.jsonl.zst",
                Some(vec![lines, ("content-encoding", "zstd")]),
            ),
            ("a.ndjson", Some(vec![lines])),
            ("a.tsv", Some(vec![csv])),
            (
                "tree.json",
                Some(vec![("content-type", "application/json")]),
            ),
            (
                "a.parquet",
                Some(vec![("content-type", "application/vnd.apache.parquet")]),
            ),
            ("a.gz", None),
            ("a.txt", None),
            ("csv", None),
        ] {
            assert_eq!(headers(Path::new(name)), expected, "{name}");
        }
    }
}
