//! Generated files of snapshots, shared by concurrent downloads and by the requests of one download.

use super::generate::{FileRequest, GeneratedFile};
use crate::error::ApiError;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::OnceCell;
use tokio::time::sleep;
use voight_domain::snapshot::Snapshot;
use voight_domain::vocabulary::{ClientId, SnapshotId};

/// Time for which a file without downloads is kept: for the next part of an interrupted download, and for its manifest.
const UNUSED_TIME: Duration = Duration::from_mins(1);

/// Files that are being generated or downloaded, and the last file of each client for a minute after that.
#[derive(Debug, Default)]
pub(crate) struct GeneratedFiles(Mutex<HashMap<FileKey, FileCell>>);

type FileCell = Arc<OnceCell<Arc<GeneratedFile>>>;

/// Content of a file. Finalising replaces the rows of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FileKey {
    client: ClientId,
    snapshot: SnapshotId,
    is_final: bool,
    request: FileRequest,
}

impl FileKey {
    /// Returns the key of a file of a readable snapshot.
    pub(super) fn new(snapshot: &Snapshot, request: FileRequest) -> Self {
        let is_final = snapshot.progress.finalized_at.is_some();
        Self {
            client: snapshot.client,
            snapshot: snapshot.id,
            is_final,
            request,
        }
    }
}

impl GeneratedFiles {
    /// Returns a file. Concurrent calls wait for the first one, which generates it by `generate`.
    pub(super) async fn get(
        self: &Arc<Self>,
        key: FileKey,
        generate: impl AsyncFnOnce() -> Result<GeneratedFile, ApiError>,
    ) -> Result<Arc<GeneratedFile>, ApiError> {
        let cell = self.cell(key);
        let file = cell.get_or_try_init(async || {
            let generated = generate().await?;
            actix_web::rt::spawn(Arc::clone(self).delete_when_unused(key));
            Ok(Arc::new(generated))
        });
        let file = file.await.map(Arc::clone);
        drop(cell);
        if file.is_err() {
            self.retain(|other| *other != key);
        }
        file
    }

    async fn delete_when_unused(self: Arc<Self>, key: FileKey) {
        while self.lock().contains_key(&key) {
            sleep(UNUSED_TIME).await;
            self.retain(|other| *other != key);
        }
    }

    /// Deletes the files of a client that no download reads.
    pub(super) fn delete_unused(&self, client: ClientId) {
        self.retain(|key| key.client != client);
    }

    /// Returns the cell of a file. A client keeps no unused file beside it.
    fn cell(&self, key: FileKey) -> FileCell {
        self.retain(|other| other.client != key.client || *other == key);
        Arc::clone(self.lock().entry(key).or_default())
    }

    /// Deletes the files that are neither needed nor used.
    fn retain(&self, is_needed: impl Fn(&FileKey) -> bool) {
        self.lock()
            .retain(|key, cell| is_needed(key) || is_used(cell));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<FileKey, FileCell>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns `true` if a request waits for the file, or a download reads it.
fn is_used(cell: &FileCell) -> bool {
    Arc::strong_count(cell) > 1 || cell.get().is_some_and(|file| Arc::strong_count(file) > 1)
}

#[cfg(test)]
mod tests {
    use super::super::generate::StatusCounts;
    use super::*;
    use crate::metrics::RejectionCounter;
    use crate::spool::{Spool, SpoolSettings};
    use std::cell::Cell;
    use voight_api::ErrorId;
    use voight_api::public::SnapshotFormat;

    fn key(client: u8, snapshot: u8) -> FileKey {
        FileKey {
            client: ClientId::from_bytes([client; 16]),
            snapshot: SnapshotId::from_bytes([snapshot; 16]),
            is_final: true,
            request: FileRequest {
                format: SnapshotFormat::Csv,
                decimals: 18,
            },
        }
    }

    fn generated() -> Result<GeneratedFile, ApiError> {
        let settings = SpoolSettings {
            reserved_free_bytes: 0,
            ..SpoolSettings::default()
        };
        let spool = Arc::new(Spool::new(settings, RejectionCounter::default()));
        Ok(GeneratedFile {
            file: spool.create(ClientId::from_bytes([1; 16]))?,
            bytes: 0,
            sha256: [0; 32],
            statuses: StatusCounts::default(),
        })
    }

    #[actix_web::test]
    async fn file_is_generated_once_while_it_is_used() {
        let files = Arc::new(GeneratedFiles::default());
        let count = Cell::new(0);
        let get = |key| {
            let files = &files;
            let count = &count;
            async move {
                let generate = async || {
                    count.set(count.get() + 1);
                    tokio::task::yield_now().await;
                    generated()
                };
                files.get(key, generate).await.unwrap()
            }
        };
        let downloads = tokio::join!(get(key(1, 1)), get(key(1, 1)), get(key(2, 1)));
        assert_eq!(
            count.get(),
            2,
            "concurrent downloads of a client share a file"
        );
        drop(get(key(1, 1)).await);
        assert_eq!(count.get(), 2);
        drop(get(key(1, 2)).await);
        assert_eq!(
            (count.get(), files.lock().len()),
            (3, 3),
            "files in use stay"
        );
        drop(downloads);
        drop(get(key(1, 3)).await);
        assert_eq!(
            (count.get(), files.lock().len()),
            (4, 2),
            "one unused file of each client stays"
        );
        files.delete_unused(key(1, 3).client);
        assert!(files.lock().keys().eq([&key(2, 1)]));
    }

    #[actix_web::test]
    async fn file_that_cannot_be_generated_leaves_nothing_behind() {
        let files = Arc::new(GeneratedFiles::default());
        let failed = files
            .get(key(1, 1), async || Err(ErrorId::Internal.into()))
            .await;
        assert!(failed.is_err() && files.lock().is_empty());
        assert!(files.get(key(1, 1), async || generated()).await.is_ok());
    }
}
