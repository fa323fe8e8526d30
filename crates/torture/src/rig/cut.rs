//! What a power cut leaves of a file.

use fastrand::Rng;
use std::sync::Arc;

/// What a disk writes whole or not at all, in bytes.
pub(super) const SECTOR: usize = 512;

/// What is done to a file.
#[derive(Debug, Clone)]
pub(super) enum FileChange {
    Write { offset: usize, data: Vec<u8> },
    Length(usize),
}

/// The last moment before a sync: what a power cut can leave is what was synced before and any part of what was not.
#[derive(Debug)]
pub struct PowerCut {
    pub(super) synced: Arc<Vec<u8>>,
    pub(super) unsynced: Vec<FileChange>,
}

impl PowerCut {
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
                FileChange::Length(new) => length = *new,
                FileChange::Write { offset, data } if random.u8(..100) < torn => {
                    tear(&mut image, *offset, data, random)
                }
                FileChange::Write { offset, data } => put(&mut image, *offset, data),
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
pub(super) fn put(file: &mut Vec<u8>, offset: usize, data: &[u8]) {
    let end = offset + data.len();
    if file.len() < end {
        file.resize(end, 0);
    }
    file[offset..end].copy_from_slice(data);
}
