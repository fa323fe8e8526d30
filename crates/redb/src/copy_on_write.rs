//! Copy-on-write backend for a redb file that must not be modified.
//!
//! Opening a redb file can write to it, and an integrity check can roll a damaged file back. For read-only access,
//! writes of redb are therefore kept in memory and discarded.

use redb::backends::FileBackend;
use redb::{BackendError, DatabaseError, StorageBackend};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

const BLOCK: usize = 4096;

/// File with an in-memory layer of the blocks written since it was opened.
#[derive(Debug)]
pub(crate) struct CopyOnWriteBackend {
    file: FileBackend,
    written: Mutex<WrittenBlocks>,
}

#[derive(Debug)]
struct WrittenBlocks {
    len: u64,
    /// Smallest length since the file was opened: the content of the file beyond it was truncated.
    min_len: u64,
    blocks: BTreeMap<u64, Vec<u8>>,
}

impl CopyOnWriteBackend {
    /// Wraps the file and locks it as a writer would, so that no process modifies it meanwhile.
    pub(crate) fn new(file: File) -> Result<Self, DatabaseError> {
        let file = FileBackend::new(file)?;
        let len = file.len().map_err(redb::StorageError::Io)?;
        Ok(Self {
            file,
            written: Mutex::new(WrittenBlocks {
                len,
                min_len: len,
                blocks: BTreeMap::new(),
            }),
        })
    }

    fn written(&self) -> MutexGuard<'_, WrittenBlocks> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a block of the file, with zeros beyond its end.
    fn block(&self, number: u64, cut: u64) -> io::Result<Vec<u8>> {
        let mut block = vec![0; BLOCK];
        let start = number * BLOCK as u64;
        let there = usize::try_from(cut.saturating_sub(start))
            .unwrap_or(BLOCK)
            .min(BLOCK);
        self.file.read(start, &mut block[..there])?;
        Ok(block)
    }

    /// Splits `offset..offset + length` at block boundaries. Yields the block number, the start in the block, and the
    /// range in the whole.
    fn parts(
        offset: u64,
        length: usize,
    ) -> impl Iterator<Item = (u64, usize, std::ops::Range<usize>)> {
        let mut done = 0;
        std::iter::from_fn(move || {
            if done == length {
                return None;
            }
            let at = offset + done as u64;
            let within = usize::try_from(at % BLOCK as u64).unwrap_or_default();
            let part = done..length.min(done + BLOCK - within);
            done = part.end;
            Some((at / BLOCK as u64, within, part))
        })
    }
}

impl StorageBackend for CopyOnWriteBackend {
    fn len(&self) -> io::Result<u64> {
        Ok(self.written().len)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let written = self.written();
        if offset
            .checked_add(out.len() as u64)
            .is_none_or(|end| end > written.len)
        {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if written.blocks.is_empty() && written.min_len == written.len {
            return self.file.read(offset, out);
        }
        for (number, within, part) in Self::parts(offset, out.len()) {
            let length = part.len();
            match written.blocks.get(&number) {
                Some(block) => out[part].copy_from_slice(&block[within..within + length]),
                None => out[part].copy_from_slice(
                    &self.block(number, written.min_len)?[within..within + length],
                ),
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut written = self.written();
        if len < written.len {
            let kept = len.div_ceil(BLOCK as u64);
            written.blocks.split_off(&kept);
            let within = usize::try_from(len % BLOCK as u64).unwrap_or_default();
            if let Some(last) = written.blocks.get_mut(&(len / BLOCK as u64)) {
                last[within..].fill(0);
            }
        }
        written.min_len = written.min_len.min(len);
        written.len = len;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut written = self.written();
        for (number, within, part) in Self::parts(offset, data.len()) {
            if !written.blocks.contains_key(&number) {
                let block = self.block(number, written.min_len)?;
                written.blocks.insert(number, block);
            }
            if let Some(block) = written.blocks.get_mut(&number) {
                block[within..within + part.len()].copy_from_slice(&data[part]);
            }
        }
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_range(start, end)
    }

    fn try_lock_shared_range(
        &self,
        start: Bound<u64>,
        end: Bound<u64>,
    ) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.query_lock_range(start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_bytes_are_read_back_and_never_reach_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let original: Vec<u8> = (0..10_000_u32)
            .map(|number| number.to_le_bytes()[0])
            .collect();
        std::fs::write(&path, &original).unwrap();
        let backend =
            CopyOnWriteBackend::new(File::options().read(true).write(true).open(&path).unwrap())
                .unwrap();
        let mut expected = original.clone();
        for (offset, data) in [
            (4000, vec![7; 500]),
            (9_990, vec![8; 10]),
            (0, vec![9; 4096]),
        ] {
            backend.write(offset, &data).unwrap();
            let offset = usize::try_from(offset).unwrap();
            expected[offset..offset + data.len()].copy_from_slice(&data);
        }
        for length in [9_000, 12_000] {
            backend.set_len(length).unwrap();
            expected.resize(usize::try_from(length).unwrap(), 0);
            let mut read = vec![1; expected.len()];
            backend.read(0, &mut read).unwrap();
            assert!(read == expected, "after a length of {length}");
        }
        assert!(backend.read(11_999, &mut [0; 2]).is_err());
        drop(backend);
        assert!(std::fs::read(&path).unwrap() == original);
    }
}
