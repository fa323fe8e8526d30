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
        let available = usize::try_from(cut.saturating_sub(start))
            .unwrap_or(BLOCK)
            .min(BLOCK);
        self.file.read(start, &mut block[..available])?;
        Ok(block)
    }

    /// Splits `offset..offset + length` at block boundaries. Yields the block number, the start in the block, and the
    /// range in the whole.
    fn parts(
        offset: u64,
        length: usize,
    ) -> impl Iterator<Item = (u64, usize, std::ops::Range<usize>)> {
        let mut consumed_bytes = 0;
        std::iter::from_fn(move || {
            if consumed_bytes == length {
                return None;
            }
            let position = offset + consumed_bytes as u64;
            let within = usize::try_from(position % BLOCK as u64).unwrap_or_default();
            let part = consumed_bytes..length.min(consumed_bytes + BLOCK - within);
            consumed_bytes = part.end;
            Some((position / BLOCK as u64, within, part))
        })
    }
}

impl StorageBackend for CopyOnWriteBackend {
    fn len(&self) -> io::Result<u64> {
        Ok(self.written().len)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let copies = self.written();
        if offset
            .checked_add(out.len() as u64)
            .is_none_or(|end| end > copies.len)
        {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if copies.blocks.is_empty() && copies.min_len == copies.len {
            return self.file.read(offset, out);
        }
        for (number, within, part) in Self::parts(offset, out.len()) {
            let length = part.len();
            match copies.blocks.get(&number) {
                Some(block) => out[part].copy_from_slice(&block[within..within + length]),
                None => out[part]
                    .copy_from_slice(&self.block(number, copies.min_len)?[within..within + length]),
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut copies = self.written();
        if len < copies.len {
            let kept_blocks = len.div_ceil(BLOCK as u64);
            copies.blocks.split_off(&kept_blocks);
            let within = usize::try_from(len % BLOCK as u64).unwrap_or_default();
            if let Some(last) = copies.blocks.get_mut(&(len / BLOCK as u64)) {
                last[within..].fill(0);
            }
        }
        copies.min_len = copies.min_len.min(len);
        copies.len = len;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut copies = self.written();
        for (number, within, part) in Self::parts(offset, data.len()) {
            if !copies.blocks.contains_key(&number) {
                let block = self.block(number, copies.min_len)?;
                copies.blocks.insert(number, block);
            }
            if let Some(block) = copies.blocks.get_mut(&number) {
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
    fn writes_never_reach_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let original: Vec<u8> = (0..10_000_u32)
            .map(|number| number.to_le_bytes()[0])
            .collect();
        std::fs::write(&path, &original).unwrap();
        let backend =
            CopyOnWriteBackend::new(File::options().read(true).write(true).open(&path).unwrap())
                .unwrap();
        let mut model = original.clone();
        for (offset, data) in [
            (4000, vec![7; 500]),
            (9_990, vec![8; 10]),
            (0, vec![9; 4096]),
        ] {
            backend.write(offset, &data).unwrap();
            let offset = usize::try_from(offset).unwrap();
            model[offset..offset + data.len()].copy_from_slice(&data);
        }
        for length in [9_000, 12_000] {
            backend.set_len(length).unwrap();
            model.resize(usize::try_from(length).unwrap(), 0);
            let mut content = vec![1; model.len()];
            backend.read(0, &mut content).unwrap();
            assert!(content == model, "after a length of {length}");
        }
        assert!(backend.read(11_999, &mut [0; 2]).is_err());
        drop(backend);
        assert!(std::fs::read(&path).unwrap() == original);
    }
}
