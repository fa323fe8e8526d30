//! Temporary files of uploads and downloads, limited per client and in all, outside of the disk's reserve.

use crate::error::ApiError;
use crate::metrics::{RejectionCounter, RejectionReason};
use crate::shares::{Excess, Share, ShareLimits, Shares};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use voight_domain::vocabulary::ClientId;

/// Maximum number of bytes of all temporary files.
const MAX_BYTES: u64 = 2 << 30;
/// Maximum number of bytes of a client's temporary files: two uploads of the maximum size.
const MAX_BYTES_PER_CLIENT: u64 = 512 << 20;
/// Unit in which a file takes its share, before it is written. A small file takes one unit, so the limits are also limits of the
/// number of files: 64 of a client and 256 in all.
const UNIT: u64 = 8 << 20;
/// `Retry-After` in seconds of a request whose file exceeds a limit.
const RETRY_AFTER: u32 = 10;

/// Directory of the temporary files, and the free space that they must not use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpoolSettings {
    /// Directory in which the files are created. They have no name, so a crash leaves none behind.
    pub directory: PathBuf,
    /// Free space of the file system that no temporary file uses, in bytes.
    pub reserved_free_bytes: u64,
}

impl Default for SpoolSettings {
    fn default() -> Self {
        Self {
            directory: std::env::temp_dir(),
            reserved_free_bytes: 64 << 20,
        }
    }
}

/// Reason why a temporary file cannot grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SpoolError {
    /// The client has used its share.
    #[error(
        "The uploads and downloads of this client in progress use its share of the disk; send the request again when one of them \
         has ended."
    )]
    ClientShare,
    /// The files of all clients use the space of temporary files.
    #[error(
        "The uploads and downloads in progress use all space for temporary files; nothing was stored. Send the request again."
    )]
    AllShares,
    /// The file would use the reserve of the disk.
    #[error(
        "The disk has no space left for temporary files; nothing was stored. The operator frees space on the disk of the data \
         directory."
    )]
    Reserve,
}

/// Temporary files of all clients.
#[derive(Debug)]
pub(crate) struct Spool {
    settings: SpoolSettings,
    rejections: RejectionCounter,
    shares: Arc<Shares<ClientId>>,
    /// Bytes of shares that are not written yet, and still count as free space of the file system.
    unwritten: AtomicU64,
}

/// Temporary file of a client. Its share is returned when it is dropped.
#[derive(Debug)]
pub(crate) struct SpoolFile {
    file: File,
    spool: Arc<Spool>,
    share: Share<ClientId>,
    written: u64,
    rejection: Option<SpoolError>,
}

impl Spool {
    /// Creates the spool, whose rejections are counted by `rejections`.
    pub(crate) fn new(settings: SpoolSettings, rejections: RejectionCounter) -> Self {
        Self {
            settings,
            rejections,
            shares: Arc::default(),
            unwritten: AtomicU64::new(0),
        }
    }

    /// Creates an empty file of a client.
    pub(crate) fn create(self: &Arc<Self>, client: ClientId) -> Result<SpoolFile, ApiError> {
        let limits = self.limits().map_err(|error| spool_error(&error))?;
        let share = self.shares.take(client, UNIT, limits);
        let share = share.map_err(|excess| self.rejection(excess, limits))?;
        let file =
            tempfile::tempfile_in(&self.settings.directory).map_err(|error| spool_error(&error))?;
        self.unwritten.fetch_add(UNIT, Ordering::Relaxed);
        Ok(SpoolFile {
            file,
            spool: Arc::clone(self),
            share,
            written: 0,
            rejection: None,
        })
    }

    /// Returns `true` if less than the reserve is free, or the free space cannot be read.
    pub(crate) fn uses_reserve(&self) -> bool {
        let reserve = self.settings.reserved_free_bytes;
        reserve > 0 && self.free().map_or(true, |free| free < reserve)
    }

    fn limits(&self) -> io::Result<ShareLimits> {
        let unwritten = self.unwritten.load(Ordering::Relaxed);
        Ok(limits(
            self.shares.total(),
            self.free()?.saturating_sub(unwritten),
            self.settings.reserved_free_bytes,
        ))
    }

    fn free(&self) -> io::Result<u64> {
        let file_system = rustix::fs::statvfs(&self.settings.directory)?;
        Ok(file_system.f_bavail.saturating_mul(file_system.f_frsize))
    }

    fn rejection(&self, excess: Excess, limits: ShareLimits) -> SpoolError {
        let is_reserve = limits.in_all < MAX_BYTES && self.shares.total() + UNIT > limits.in_all;
        let (error, reason) = match excess {
            _ if is_reserve => (SpoolError::Reserve, RejectionReason::DiskReserve),
            Excess::Key => (SpoolError::ClientShare, RejectionReason::ClientFiles),
            Excess::All => (SpoolError::AllShares, RejectionReason::DiskReserve),
        };
        self.rejections.record(reason, 1);
        error
    }
}

/// Returns the limits of temporary files: `used` is the sum of all shares, and `free` the space that no share has taken yet. One
/// client has at most half of the space, so that it leaves as much to the others.
fn limits(used: u64, free: u64, reserve: u64) -> ShareLimits {
    let in_all = used
        .saturating_add(free.saturating_sub(reserve))
        .min(MAX_BYTES);
    ShareLimits {
        per_key: (in_all / 2).min(MAX_BYTES_PER_CLIENT),
        in_all,
    }
}

impl SpoolFile {
    /// Returns the file, for readers that seek.
    pub(crate) const fn file(&self) -> &File {
        &self.file
    }

    /// Positions the file at its beginning.
    pub(crate) fn rewind(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0)).map(drop)
    }

    /// Reads exactly the bytes at `offset`.
    pub(crate) fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.read_exact_at(bytes, offset)
    }

    /// Returns the reason why the file did not grow, also if the writer has replaced the error.
    pub(crate) const fn rejection(&self) -> Option<SpoolError> {
        self.rejection
    }

    /// Takes the share of `bytes` more bytes.
    fn reserve(&mut self, bytes: u64) -> Result<(), io::Error> {
        let missing = (self.written + bytes)
            .saturating_sub(self.share.weight())
            .next_multiple_of(UNIT);
        if missing == 0 {
            return Ok(());
        }
        let limits = self.spool.limits()?;
        if let Err(excess) = self.share.grow(missing, limits) {
            let rejection = *self.rejection.insert(self.spool.rejection(excess, limits));
            return Err(io::Error::other(rejection));
        }
        self.spool.unwritten.fetch_add(missing, Ordering::Relaxed);
        Ok(())
    }
}

impl Write for SpoolFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.reserve(bytes.len() as u64)?;
        let byte_count = self.file.write(bytes)?;
        self.written += byte_count as u64;
        self.spool
            .unwritten
            .fetch_sub(byte_count as u64, Ordering::Relaxed);
        Ok(byte_count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for SpoolFile {
    fn drop(&mut self) {
        self.spool
            .unwritten
            .fetch_sub(self.share.weight() - self.written, Ordering::Relaxed);
    }
}

impl From<SpoolError> for ApiError {
    fn from(error: SpoolError) -> Self {
        let message = error.to_string();
        match error {
            SpoolError::ClientShare => Self::rate_limited_because(message, RETRY_AFTER),
            SpoolError::AllShares | SpoolError::Reserve => {
                Self::unavailable_because(message).retry_after(RETRY_AFTER)
            }
        }
    }
}

/// Returns the error of a temporary file that cannot be written.
pub(crate) fn spool_error(error: &io::Error) -> ApiError {
    if let Some(rejection) = error
        .get_ref()
        .and_then(|error| error.downcast_ref::<SpoolError>())
    {
        return (*rejection).into();
    }
    tracing::warn!(event = "temporary_file_failed", %error, "a temporary file cannot be written");
    ApiError::unavailable_because(
        "A temporary file cannot be written; nothing was stored. The operator frees space on the disk of the data directory.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_api::ErrorId;

    const GIB: u64 = 1 << 30;

    fn spool(reserved_free_bytes: u64) -> Arc<Spool> {
        let settings = SpoolSettings {
            reserved_free_bytes,
            ..SpoolSettings::default()
        };
        Arc::new(Spool::new(settings, RejectionCounter::default()))
    }

    fn client(number: u8) -> ClientId {
        ClientId::from_bytes([number; 16])
    }

    #[test]
    fn limits_leave_the_reserve_and_half_of_the_space() {
        let of = |used, free, reserve| {
            let ShareLimits { per_key, in_all } = limits(used, free, reserve);
            (per_key, in_all)
        };
        assert_eq!(of(0, 100 * GIB, GIB), (MAX_BYTES_PER_CLIENT, MAX_BYTES));
        assert_eq!(of(0, GIB + 10, GIB), (5, 10));
        assert_eq!(
            of(6, GIB + 4, GIB),
            (5, 10),
            "a share takes nothing from its own limit"
        );
        assert_eq!(of(6, GIB - 1, GIB), (3, 6), "nothing grows in the reserve");
        assert_eq!(of(0, 0, 0), (0, 0));
    }

    #[test]
    fn files_of_a_client_are_limited() {
        let spool = spool(0);
        let mut files: Vec<_> = std::iter::from_fn(|| spool.create(client(1)).ok()).collect();
        assert!(
            (1..=MAX_BYTES_PER_CLIENT / UNIT).contains(&(files.len() as u64)),
            "{} files",
            files.len()
        );
        assert_eq!(
            spool.create(client(1)).unwrap_err().id(),
            ErrorId::RateLimited
        );
        files[0]
            .write_all(&vec![0; usize::try_from(UNIT).unwrap()])
            .unwrap();
        let rejection = files[0].write_all(&[0]).unwrap_err();
        assert_eq!(spool_error(&rejection).id(), ErrorId::RateLimited);
        assert_eq!(files[0].rejection(), Some(SpoolError::ClientShare));
        assert!(spool.create(client(2)).is_ok());
        drop(files);
        assert_eq!(
            (
                spool.shares.total(),
                spool.unwritten.load(Ordering::Relaxed)
            ),
            (0, 0)
        );
    }

    #[test]
    fn no_file_uses_the_reserve_of_the_disk() {
        let full = spool(u64::MAX);
        let rejection = full.create(client(1)).unwrap_err();
        assert_eq!(rejection.id(), ErrorId::Unavailable);
        assert!(rejection.message().contains("no space left") && full.uses_reserve());
        assert!(!spool(0).uses_reserve());
    }

    #[test]
    fn missing_directory_is_reported_and_takes_no_share() {
        let settings = SpoolSettings {
            directory: "/gone/for/good".into(),
            reserved_free_bytes: 0,
        };
        let spool = Arc::new(Spool::new(settings, RejectionCounter::default()));
        assert_eq!(
            spool.create(client(1)).unwrap_err().id(),
            ErrorId::Unavailable
        );
        assert_eq!(
            (
                spool.shares.total(),
                spool.unwritten.load(Ordering::Relaxed)
            ),
            (0, 0)
        );
    }
}
