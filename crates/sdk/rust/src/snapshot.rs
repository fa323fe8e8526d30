//! Snapshots: the verdicts of long lists of addresses.

use std::collections::HashMap;
use std::time::Duration;

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use tokio::time::sleep;

use crate::call::{ATTEMPT, Deadline, Request, TRANSFER, fill};
use crate::generated::{
    CREATE_SNAPSHOT, FINALIZE_SNAPSHOT, GET_SNAPSHOT, GET_SNAPSHOT_FILE, GET_SNAPSHOT_MANIFEST,
    IncludedStatus, NewSnapshot, Operation, SignedManifest, Snapshot, SnapshotSource,
    SnapshotState, UPLOAD_ADDRESSES,
};
use crate::{Client, Error, options};

/// Default timeout of the calls that wait for a job of a snapshot.
const TIMEOUT: Duration = Duration::from_mins(10);
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Settings of a snapshot.
#[derive(Debug, Clone, Default)]
pub struct SnapshotOptions<'a> {
    /// Context that the key has registered.
    pub context_id: &'a str,
    /// Required: a repeated call with this key continues the same snapshot, and nothing is billed twice.
    pub idempotency_key: &'a str,
    /// File with a column `address` and perhaps `amount`; without it, all addresses with a verdict in the context are taken.
    pub addresses: Option<Vec<u8>>,
    /// Columns and unit of the file, where it does not state them.
    pub upload: UploadOptions<'a>,
    /// `true` to read the file and return the snapshot with its `summary`. Nothing is looked up or billed; a call without it
    /// continues.
    pub dry_run: bool,
    /// Reward of each address of a list without amounts, in base units of the token.
    pub amount: Option<String>,
    /// Statuses that receive rewards beside `human`.
    pub include: Vec<IncludedStatus>,
    /// Timeout until the draft is complete; ten minutes by default.
    pub timeout: Option<Duration>,
}

/// Settings of an upload of addresses.
#[derive(Debug, Clone, Copy, Default)]
pub struct UploadOptions<'a> {
    /// `text/csv` by default, `application/x-ndjson`, `application/vnd.apache.parquet`, or `application/json` for a Merkle tree
    /// dump.
    pub content_type: Option<&'static str>,
    /// Column of the addresses, by name or number from 1 on, if its name is no known one.
    pub address_column: Option<&'a str>,
    /// Column of the amounts, by name or number from 1 on, if its name is no known one.
    pub amount_column: Option<&'a str>,
    /// `true` to read no amounts from the file.
    pub no_amounts: bool,
    /// Unit of the amounts in the file, which a file with amounts needs: `base` or `tokens`.
    pub unit: Option<&'a str>,
    /// Decimals of the token. Without a unit, the amounts in the file are tokens.
    pub decimals: Option<u8>,
}

impl UploadOptions<'_> {
    fn query(&self, is_dry_run: bool) -> Vec<(&'static str, String)> {
        let decimals = self.decimals.map(|decimals| decimals.to_string());
        [
            ("address_column", self.address_column),
            ("amount_column", self.amount_column),
            ("no_amounts", self.no_amounts.then_some("true")),
            ("unit", self.unit),
            ("decimals", decimals.as_deref()),
            ("dry_run", is_dry_run.then_some("true")),
        ]
        .into_iter()
        .filter_map(|(name, value)| value.map(|value| (name, value.to_owned())))
        .collect()
    }
}

/// File of a snapshot.
#[derive(Debug, Clone, Copy, Default)]
pub struct File<'a> {
    /// `csv`, `ndjson`, `parquet`, `merkle`, `airdrop` or `changes`.
    pub format: &'a str,
    /// Decimals of the token, for the format `airdrop`.
    pub decimals: Option<u8>,
}

fn by_id(operation: Operation, id: &str) -> Result<Request<'static>, Error> {
    Ok(Request {
        path: fill(operation, &HashMap::from([("id", id)]))?,
        ..Request::new(operation)
    })
}

impl File<'_> {
    fn request(&self, operation: Operation, id: &str) -> Result<Request<'static>, Error> {
        let mut query = vec![("format", self.format.to_owned())];
        query.extend(
            self.decimals
                .map(|decimals| ("decimals", decimals.to_string())),
        );
        Ok(Request {
            query,
            ..by_id(operation, id)?
        })
    }
}

impl Client {
    /// Creates a snapshot, uploads its addresses, and waits until the draft is complete.
    ///
    /// # Errors
    ///
    /// `snapshot_paused` while a cap or a suspension stops the job, `timeout` if it takes too long; else the error of the service.
    pub async fn take_snapshot(&self, options: &SnapshotOptions<'_>) -> Result<Snapshot, Error> {
        let key = options::idempotency_key(Some(options.idempotency_key)).map_err(|_| {
            Error::invalid(
                "idempotency_key",
                "a key of your own for this snapshot, such as payout-2026-11",
            )
        })?;
        options::context(options.context_id)?;
        let source = if options.addresses.is_some() {
            SnapshotSource::Upload
        } else {
            SnapshotSource::Seen
        };
        let new_snapshot = NewSnapshot {
            context_id: options.context_id.to_owned(),
            source,
            amount: options.amount.clone(),
            include: Some(options.include.clone()),
        };
        let deadline = Deadline::new(options.timeout.unwrap_or(TIMEOUT), TRANSFER);
        let request = Request::json(CREATE_SNAPSHOT, &new_snapshot)?.idempotent(key);
        let mut snapshot: Snapshot = self.data(&request, deadline).await?;
        if let (Some(addresses), SnapshotState::Uploading) = (&options.addresses, snapshot.state) {
            let body = Some((
                addresses.clone(),
                options.upload.content_type.unwrap_or("text/csv"),
            ));
            let query = options.upload.query(options.dry_run);
            let upload = Request {
                body,
                query,
                ..by_id(UPLOAD_ADDRESSES, &snapshot.id)?
            };
            snapshot = self.data(&upload, deadline).await?;
        }
        if options.dry_run {
            return Ok(snapshot);
        }
        let summary = snapshot.summary.take();
        let draft = self
            .wait(
                snapshot,
                &[SnapshotState::Draft, SnapshotState::Final],
                deadline,
            )
            .await?;
        Ok(Snapshot { summary, ..draft })
    }

    /// Reads the verdicts of a draft again, and waits until the snapshot is final.
    ///
    /// # Errors
    ///
    /// As of [`Client::take_snapshot`].
    pub async fn finalize_snapshot(&self, id: &str) -> Result<Snapshot, Error> {
        let deadline = Deadline::new(TIMEOUT, ATTEMPT);
        let snapshot = self.data(&by_id(FINALIZE_SNAPSHOT, id)?, deadline).await?;
        self.wait(snapshot, &[SnapshotState::Final], deadline).await
    }

    /// Waits until a snapshot has one of these states.
    async fn wait(
        &self,
        mut snapshot: Snapshot,
        states: &[SnapshotState],
        deadline: Deadline,
    ) -> Result<Snapshot, Error> {
        while !states.contains(&snapshot.state) {
            let Snapshot {
                id, state, pause, ..
            } = &snapshot;
            let (code, message) = if let Some(pause) = pause {
                (
                    "snapshot_paused",
                    format!("The job of the snapshot {id} is paused: {pause:?}."),
                )
            } else {
                (
                    "timeout",
                    format!("The snapshot {id} is still {state:?}. Repeat the call later."),
                )
            };
            if pause.is_some() || !deadline.allows(POLL_INTERVAL) {
                return Err(Error {
                    retryable: true,
                    ..Error::new(code, message)
                });
            }
            sleep(POLL_INTERVAL).await;
            snapshot = self.data(&by_id(GET_SNAPSHOT, id)?, deadline).await?;
        }
        Ok(snapshot)
    }

    /// Returns a file of a snapshot, compared with the SHA-256 in its `ETag`.
    ///
    /// # Errors
    ///
    /// `bad_answer` if the digest differs; else the error of the service.
    pub async fn download_snapshot(&self, id: &str, file: File<'_>) -> Result<Vec<u8>, Error> {
        let request = file.request(GET_SNAPSHOT_FILE, id)?;
        let reply = self
            .perform(&request, Deadline::new(TRANSFER, TRANSFER))
            .await?;
        let digest = HEXLOWER.encode(&Sha256::digest(&reply.body));
        if reply.header("etag").trim_matches('"') != digest {
            return Err(reply.unexpected("sends a file whose SHA-256 is not its ETag"));
        }
        Ok(reply.body)
    }

    /// Returns the signed manifest of a file of a snapshot.
    ///
    /// # Errors
    ///
    /// The error of the service.
    pub async fn snapshot_manifest(
        &self,
        id: &str,
        file: File<'_>,
    ) -> Result<SignedManifest, Error> {
        self.data(
            &file.request(GET_SNAPSHOT_MANIFEST, id)?,
            Deadline::new(self.timeout, ATTEMPT),
        )
        .await
    }
}
