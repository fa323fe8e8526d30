//! File in memory with simulated power cuts.

use super::power_cut::{FileChange, PowerCut, put};
use anyhow::{Context, Result};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use voight_redb::{RedbEngine, StorageBackend};

/// Size of the cache, in bytes: less than a database, so that pages are evicted and read back.
const CACHE: usize = 256 << 10;

/// File in memory that tracks unsynced writes. Clones share the file.
#[derive(Debug, Clone, Default)]
pub struct MemoryFile(Arc<Mutex<MemoryContent>>);

#[derive(Debug, Default)]
struct MemoryContent {
    now: Vec<u8>,
    synced: Arc<Vec<u8>>,
    unsynced: Vec<FileChange>,
    cuts: Vec<PowerCut>,
    fault: Option<InjectedIoFault>,
}

/// Injected failure of a call on a file.
#[derive(Debug, Clone)]
pub struct InjectedIoFault {
    /// Number of modifying calls that succeed before it.
    pub after: u64,
    /// `true` if all later calls fail as well.
    pub permanent: bool,
    /// Error number.
    pub error: i32,
    /// Part of a write that is done before the failure, in 256ths.
    pub written: u8,
}

impl MemoryFile {
    /// Creates a file that holds `bytes`, all of them synced.
    pub fn holding(bytes: Vec<u8>) -> Self {
        let content = MemoryContent {
            synced: Arc::new(bytes.clone()),
            now: bytes,
            ..MemoryContent::default()
        };
        Self(Arc::new(Mutex::new(content)))
    }

    /// Returns the power cuts at each non-empty sync since the last call.
    pub fn take_cuts(&self) -> Vec<PowerCut> {
        std::mem::take(&mut self.content().cuts)
    }

    /// Returns the power cut at this moment.
    pub fn power_cut(&self) -> PowerCut {
        let content = self.content();
        PowerCut {
            synced: Arc::clone(&content.synced),
            unsynced: content.unsynced.clone(),
        }
    }

    /// Injects a fault, or removes it.
    pub fn fail(&self, fault: Option<InjectedIoFault>) {
        self.content().fault = fault;
    }

    /// Opens the database in the file, or creates it.
    pub fn open_redb(&self) -> Result<RedbEngine> {
        RedbEngine::on_backend(self.clone(), Path::new("memory file"), CACHE)
            .context("the database does not open")
    }

    fn content(&self) -> MutexGuard<'_, MemoryContent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MemoryContent {
    /// Returns the fault, if this call is the one that fails.
    fn take_fault(&mut self) -> Option<InjectedIoFault> {
        let fault = self.fault.as_mut()?;
        if fault.after > 0 {
            fault.after -= 1;
            return None;
        }
        if fault.permanent {
            self.fault.clone()
        } else {
            self.fault.take()
        }
    }

    fn check_fault(&mut self) -> io::Result<()> {
        self.take_fault().map_or(Ok(()), |fault| {
            Err(io::Error::from_raw_os_error(fault.error))
        })
    }

    fn write(&mut self, offset: usize, data: &[u8]) {
        put(&mut self.now, offset, data);
        self.unsynced.push(FileChange::Write {
            offset,
            data: data.to_vec(),
        });
    }
}

impl StorageBackend for MemoryFile {
    fn len(&self) -> io::Result<u64> {
        Ok(self.content().now.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let offset = to_offset(offset)?;
        let content = self.content();
        let source = content
            .now
            .get(offset..offset.saturating_add(out.len()))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        out.copy_from_slice(source);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let length = to_offset(len)?;
        let mut content = self.content();
        content.check_fault()?;
        content.now.resize(length, 0);
        content.unsynced.push(FileChange::Length(length));
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut content = self.content();
        content.check_fault()?;
        if !content.unsynced.is_empty() {
            let now = Arc::new(content.now.clone());
            let synced_image = std::mem::replace(&mut content.synced, now);
            let power_cut = PowerCut {
                synced: synced_image,
                unsynced: std::mem::take(&mut content.unsynced),
            };
            content.cuts.push(power_cut);
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let offset = to_offset(offset)?;
        let mut content = self.content();
        if let Some(fault) = content.take_fault() {
            content.write(
                offset,
                &data[..data.len() * usize::from(fault.written) / 256],
            );
            return Err(io::Error::from_raw_os_error(fault.error));
        }
        content.write(offset, data);
        Ok(())
    }
}

fn to_offset(offset: u64) -> io::Result<usize> {
    usize::try_from(offset).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::super::power_cut::SECTOR;
    use super::*;
    use fastrand::Rng;
    use std::collections::HashSet;

    #[test]
    fn power_cut_preserves_synced_writes() {
        let file = MemoryFile::holding(vec![0; 4 * SECTOR]);
        file.write(0, &[1; SECTOR]).unwrap();
        file.sync_data().unwrap();
        file.write(SECTOR as u64, &[2; 2 * SECTOR]).unwrap();
        file.set_len(3 * SECTOR as u64).unwrap();
        file.sync_data().unwrap();
        file.sync_data().unwrap();
        let cuts = file.take_cuts();
        assert_eq!(cuts.len(), 2, "an empty sync is no power cut");
        assert!(file.take_cuts().is_empty());

        let mut random = Rng::with_seed(1);
        let mut states = HashSet::new();
        for _ in 0..1000 {
            let image = cuts[1].image(&mut random);
            let sectors: Vec<_> = image.chunks(SECTOR).map(|sector| sector[0]).collect();
            assert!(
                image
                    .chunks(SECTOR)
                    .all(|sector| sector.iter().all(|byte| *byte == sector[0]))
            );
            assert_eq!(sectors[0], 1, "a synced write is lost");
            states.insert(sectors);
        }
        assert_eq!(
            states.len(),
            8,
            "both lengths, with each of the two sectors old or new: {states:?}"
        );
    }

    #[test]
    fn failing_write_is_partial() {
        for permanent in [false, true] {
            let file = MemoryFile::default();
            file.fail(Some(InjectedIoFault {
                after: 1,
                permanent,
                error: 28,
                written: 128,
            }));
            file.write(0, b"1234").unwrap();
            let error = file.write(0, b"abcd").unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
            assert_eq!(file.sync_data().is_err(), permanent);
            file.fail(None);
            file.sync_data().unwrap();
            let mut buffer = [0; 4];
            file.read(0, &mut buffer).unwrap();
            assert_eq!(&buffer, b"ab34");
        }
    }

    #[test]
    fn written_bytes_are_read_back() {
        let file = MemoryFile::default();
        file.set_len(10).unwrap();
        file.write(3, b"abc").unwrap();
        let mut buffer = [0; 4];
        file.read(2, &mut buffer).unwrap();
        assert_eq!((&buffer, file.len().unwrap()), (b"\0abc", 10));
        assert!(file.read(8, &mut buffer).is_err());
    }
}
