//! Snapshots.

use super::UploadSummary;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::services::SnapshotService;
use voight_domain::snapshot::{self, SnapshotPause, SnapshotProgress};

/// Maximum number of decimals of a token: the type of the field has 8 bits on the chain.
pub const DECIMALS_MAX: u8 = 255;
/// Number of decimals of a token unless the request names another one: that of ether.
pub const DECIMALS_DEFAULT: u8 = 18;

wire_enum! {
    /// Source of the addresses of a snapshot.
    SnapshotSource = snapshot::SnapshotSource, "snake_case" {
        /// All addresses with a verdict in the context.
        Seen,
        /// Addresses that are uploaded.
        Upload,
    }
}

wire_enum! {
    /// State of a snapshot.
    SnapshotState = snapshot::SnapshotState, "snake_case" {
        /// The addresses are uploaded or listed.
        Uploading,
        /// The addresses are looked up.
        Running,
        /// All addresses are looked up. The files can be downloaded.
        Draft,
        /// The verdicts are read again.
        Finalizing,
        /// Nothing changes any more. The files can be downloaded.
        Final,
    }
}

/// Status that receives rewards beside `human`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum IncludedStatus {
    /// Addresses without a conclusive check.
    Unknown,
    /// Addresses whose checks support neither a human nor a bot.
    Unsure,
}

/// Snapshot to create.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSnapshot {
    /// Context that this key may use.
    pub context_id: String,
    /// Source of the addresses.
    pub source: SnapshotSource,
    /// Reward of an address for which the upload lists none, in base units of the token.
    #[serde(default)]
    #[schema(pattern = "^[0-9]{1,39}$")]
    pub amount: Option<String>,
    /// Statuses that receive rewards beside `human`. A bot receives none.
    #[serde(default)]
    #[schema(max_items = 2)]
    pub include: Vec<IncludedStatus>,
}

/// Reason why the job of a snapshot does not continue for now. It is tried again.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// The key was revoked, has expired, or lacks the scope.
    KeyRefused,
    /// The client is suspended or closed.
    ClientSuspended,
    /// The key may not use the context any more, or the context is archived.
    ContextRefused,
    /// A cap of the client is reached.
    CapReached,
}

/// Snapshot with the state of its job.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct Snapshot {
    /// The id.
    #[schema(pattern = "^[0-7][0-9a-hjkmnp-tv-z]{25}$")]
    pub id: String,
    /// The context.
    pub context_id: String,
    /// Source of the addresses.
    pub source: SnapshotSource,
    /// The state.
    pub state: SnapshotState,
    /// Reason why the job does not continue for now.
    pub pause: Option<PauseReason>,
    /// Time from which a job that a cap has paused continues.
    #[schema(format = DateTime)]
    pub resumes_at: Option<String>,
    /// Number of addresses; 0 until all are listed.
    pub addresses: u64,
    /// Number of recorded lookups.
    pub units: u64,
    /// Number of addresses whose final answer differs from that of the draft.
    pub changed: u64,
    /// Reward of an address for which the upload lists none, in base units of the token.
    pub amount: Option<String>,
    /// Statuses that receive rewards beside `human`.
    pub include: Vec<IncludedStatus>,
    /// Summary of the upload. Only in the response to an upload and to its dry run.
    pub summary: Option<UploadSummary>,
    /// Time of creation.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// Time at which the draft was complete.
    #[schema(format = DateTime)]
    pub drafted_at: Option<String>,
    /// Time at which the snapshot became final.
    #[schema(format = DateTime)]
    pub finalized_at: Option<String>,
    /// Time at which the snapshot is deleted.
    #[schema(format = DateTime)]
    pub expires_at: String,
}

/// Snapshots of a client.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct Snapshots {
    /// The snapshots, in the order of their creation.
    pub snapshots: Vec<Snapshot>,
}

/// Signed manifest of a file of a snapshot.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct SignedManifest {
    /// SHA-256 of the file.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub sha256: String,
    /// Number of bytes of the file.
    pub bytes: u64,
    /// Compact JWS of type `snapshot+jwt` over the manifest.
    #[schema(pattern = "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$")]
    pub signed: String,
}

/// Confirmation of a deletion.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub struct DeletedSnapshot {
    /// The id of the snapshot that was deleted.
    pub id: String,
}

/// File of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SnapshotFormat {
    /// The rows, comma-separated.
    Csv,
    /// The rows, as lines of JSON.
    Ndjson,
    /// The rows, as Apache Parquet.
    Parquet,
    /// The Merkle tree of the rewards.
    Merkle,
    /// The rewards, comma-separated, in whole tokens.
    Airdrop,
    /// The rows whose final answer differs from that of the draft, comma-separated.
    Changes,
}

impl SnapshotFormat {
    /// All formats.
    pub const ALL: [Self; 6] = [
        Self::Csv,
        Self::Ndjson,
        Self::Parquet,
        Self::Merkle,
        Self::Airdrop,
        Self::Changes,
    ];

    /// Returns the name in requests.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
            Self::Parquet => "parquet",
            Self::Merkle => "merkle",
            Self::Airdrop => "airdrop",
            Self::Changes => "changes",
        }
    }

    /// Returns the format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// Returns the media type of the file.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Csv | Self::Airdrop | Self::Changes => "text/csv",
            Self::Ndjson => "application/x-ndjson",
            Self::Parquet => "application/vnd.apache.parquet",
            Self::Merkle => "application/json",
        }
    }

    /// Returns the extension of the name of the file.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv | Self::Airdrop | Self::Changes => "csv",
            Self::Ndjson => "ndjson",
            Self::Parquet => "parquet",
            Self::Merkle => "json",
        }
    }
}

impl From<&snapshot::Snapshot> for Snapshot {
    fn from(snapshot: &snapshot::Snapshot) -> Self {
        let SnapshotProgress {
            state,
            pause,
            addresses,
            units,
            changed,
            drafted_at,
            finalized_at,
            ..
        } = snapshot.progress;
        let (pause, resumes_at) = match pause {
            None => (None, None),
            Some(SnapshotPause::KeyRejected) => (Some(PauseReason::KeyRefused), None),
            Some(SnapshotPause::ClientSuspended) => (Some(PauseReason::ClientSuspended), None),
            Some(SnapshotPause::ContextRejected) => (Some(PauseReason::ContextRefused), None),
            Some(SnapshotPause::CapReached { resets_at }) => {
                (Some(PauseReason::CapReached), Some(resets_at))
            }
        };
        let rewards = &snapshot.rewards;
        let include = [
            rewards.includes_unknown.then_some(IncludedStatus::Unknown),
            rewards.includes_unsure.then_some(IncludedStatus::Unsure),
        ];
        Self {
            id: snapshot.id.to_string(),
            context_id: snapshot.context.to_string(),
            source: snapshot.source.into(),
            state: state.into(),
            pause,
            resumes_at: resumes_at.map(|at| at.to_string()),
            addresses,
            units,
            changed,
            amount: rewards.amount.map(|amount| amount.to_string()),
            include: include.into_iter().flatten().collect(),
            summary: None,
            created_at: snapshot.created_at.to_string(),
            drafted_at: drafted_at.map(|at| at.to_string()),
            finalized_at: finalized_at.map(|at| at.to_string()),
            expires_at: SnapshotService::expires_at(snapshot).to_string(),
        }
    }
}
