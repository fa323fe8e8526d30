//! A file in memory whose power can fail.

use fastrand::Rng;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use voight_redb::StorageBackend;

/// What a disk writes whole or not at all, in bytes.
const SECTOR: usize = 512;

/// A file in memory that knows what was written since its last sync. Clones are the same file.
#[derive(Debug, Clone, Default)]
pub struct MemoryFile(Arc<Mutex<Content>>);

#[derive(Debug, Default)]
struct Content {
    now: Vec<u8>,
    synced: Arc<Vec<u8>>,
    unsynced: Vec<Change>,
    cuts: Vec<Cut>,
}

#[derive(Debug)]
enum Change {
    Write { offset: usize, data: Vec<u8> },
    Length(usize),
}

/// The last moment before a sync: what a power cut can leave is what was synced before and any part of what was not.
#[derive(Debug)]
pub struct Cut {
    synced: Arc<Vec<u8>>,
    unsynced: Vec<Change>,
}

impl MemoryFile {
    /// A file that holds `bytes`, all of them synced.
    pub fn holding(bytes: Vec<u8>) -> Self {
        let content = Content { synced: Arc::new(bytes.clone()), now: bytes, ..Content::default() };
        Self(Arc::new(Mutex::new(content)))
    }

    /// Each sync since this was asked for last that had something to do.
    pub fn take_cuts(&self) -> Vec<Cut> {
        std::mem::take(&mut self.content().cuts)
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StorageBackend for MemoryFile {
    fn len(&self) -> io::Result<u64> {
        Ok(self.content().now.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let offset = place(offset)?;
        let content = self.content();
        let found = content.now.get(offset..offset.saturating_add(out.len())).ok_or(io::ErrorKind::UnexpectedEof)?;
        out.copy_from_slice(found);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let length = place(len)?;
        let mut content = self.content();
        content.now.resize(length, 0);
        content.unsynced.push(Change::Length(length));
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut content = self.content();
        if !content.unsynced.is_empty() {
            let now = Arc::new(content.now.clone());
            let cut = Cut {
                synced: std::mem::replace(&mut content.synced, now),
                unsynced: std::mem::take(&mut content.unsynced),
            };
            content.cuts.push(cut);
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let offset = place(offset)?;
        let mut content = self.content();
        put(&mut content.now, offset, data);
        content.unsynced.push(Change::Write { offset, data: data.to_vec() });
        Ok(())
    }
}

impl Cut {
    /// The file as a power cut may leave it: some of the unsynced writes, in any order, some of them only in part, and a
    /// length that it has had. Now and then none of them, or all.
    pub fn image(&self, random: &mut Rng) -> Vec<u8> {
        let share = *random.choice(&[0, 25, 50, 75, 100]).unwrap_or(&50);
        let torn = *random.choice(&[0, 20, 100]).unwrap_or(&0);
        let mut order: Vec<_> = self.unsynced.iter().collect();
        if share < 100 || torn > 0 {
            random.shuffle(&mut order);
        }
        let mut image = self.synced.to_vec();
        let mut length = image.len();
        for change in order {
            if random.u8(..100) >= share {
                continue;
            }
            match change {
                Change::Length(new) => length = *new,
                Change::Write { offset, data } if random.u8(..100) < torn => tear(&mut image, *offset, data, random),
                Change::Write { offset, data } => put(&mut image, *offset, data),
            }
        }
        image.resize(length, 0);
        image
    }
}

/// Writes some of the sectors that `data` covers.
fn tear(image: &mut Vec<u8>, offset: usize, data: &[u8], random: &mut Rng) {
    let mut done = 0;
    while done < data.len() {
        let end = data.len().min(done + SECTOR - (offset + done) % SECTOR);
        if random.bool() {
            put(image, offset + done, &data[done..end]);
        }
        done = end;
    }
}

/// Writes into a file, which grows if it has to.
fn put(file: &mut Vec<u8>, offset: usize, data: &[u8]) {
    let end = offset + data.len();
    if file.len() < end {
        file.resize(end, 0);
    }
    file[offset..end].copy_from_slice(data);
}

fn place(offset: u64) -> io::Result<usize> {
    usize::try_from(offset).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_cut_leaves_any_part_of_what_was_not_synced_and_all_of_what_was() {
        let file = MemoryFile::holding(vec![0; 4 * SECTOR]);
        file.write(0, &[1; SECTOR]).unwrap();
        file.sync_data().unwrap();
        file.write(SECTOR as u64, &[2; 2 * SECTOR]).unwrap();
        file.set_len(3 * SECTOR as u64).unwrap();
        file.sync_data().unwrap();
        file.sync_data().unwrap();
        let cuts = file.take_cuts();
        assert_eq!(cuts.len(), 2, "a sync with nothing to do is none");
        assert!(file.take_cuts().is_empty());

        let mut random = Rng::with_seed(1);
        let mut seen = HashSet::new();
        for _ in 0..1000 {
            let image = cuts[1].image(&mut random);
            let sectors: Vec<_> = image.chunks(SECTOR).map(|sector| sector[0]).collect();
            assert!(image.chunks(SECTOR).all(|sector| sector.iter().all(|byte| *byte == sector[0])));
            assert_eq!(sectors[0], 1, "what was synced is there");
            seen.insert(sectors);
        }
        assert_eq!(seen.len(), 8, "both lengths, with each of the two sectors old or new: {seen:?}");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let file = MemoryFile::default();
        file.set_len(10).unwrap();
        file.write(3, b"abc").unwrap();
        let mut read = [0; 4];
        file.read(2, &mut read).unwrap();
        assert_eq!((&read, file.len().unwrap()), (b"\0abc", 10));
        assert!(file.read(8, &mut read).is_err());
    }
}
