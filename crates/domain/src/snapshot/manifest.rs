//! Signed manifest of a file of a snapshot.

use super::{Snapshot, SnapshotState};
use crate::secrets::Signer;

/// The JWS type of a manifest.
pub const MANIFEST_TYPE: &str = "snapshot+jwt";

/// File of a snapshot, to be signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotManifest<'a> {
    /// The name of the format: lower-case letters.
    pub format: &'a str,
    /// The SHA-256 of the file, in hexadecimal digits.
    pub sha256: &'a str,
    /// The number of bytes of the file.
    pub bytes: u64,
    /// The number of rows with the status `human`.
    pub human: u64,
    /// The number of rows with the status `bot`.
    pub bot: u64,
    /// The number of rows with the status `unsure`.
    pub unsure: u64,
    /// The number of rows with the status `unknown`.
    pub unknown: u64,
}

impl SnapshotManifest<'_> {
    /// Returns the signed token: a compact JWS whose claims are those of the file, of the snapshot and of the ledger row of
    /// its last lookup. The signature is deterministic, so the same file gives the same token.
    pub fn to_token(&self, snapshot: &Snapshot, signer: &Signer) -> String {
        signer.sign(MANIFEST_TYPE, &self.payload(snapshot))
    }

    fn payload(&self, snapshot: &Snapshot) -> String {
        let Self {
            format,
            sha256,
            bytes,
            human,
            bot,
            unsure,
            unknown,
        } = self;
        let Snapshot {
            id,
            client,
            context,
            created_at,
            progress,
            ..
        } = snapshot;
        let environment = snapshot.environment.label();
        let state = if progress.state == SnapshotState::Final {
            "final"
        } else {
            "draft"
        };
        let taken_at = progress
            .finalized_at
            .or(progress.drafted_at)
            .unwrap_or(*created_at);
        let ledger = progress
            .last_row
            .map(|(seq, head)| format!(r#"{{"seq":{seq},"head":"{head}"}}"#));
        let ledger = ledger.as_deref().unwrap_or("null");
        // Every value is a parsed type whose alphabet has neither quotes nor backslashes, so no escaping is needed.
        format!(
            r#"{{"snapshot":"{id}","client":"{client}","environment":"{environment}","context":"{context}","state":"{state}","taken_at":"{taken_at}","units":{},"ledger":{ledger},"file":{{"format":"{format}","sha256":"{sha256}","bytes":{bytes}}},"rows":{{"human":{human},"bot":{bot},"unsure":{unsure},"unknown":{unknown}}}}}"#,
            progress.units,
        )
    }
}
