//! Power cut: the possible contents of a file after it.

use fastrand::Rng;
use std::sync::Arc;

/// Size of an atomic write of a disk, in bytes.
pub(super) const SECTOR: usize = 512;

/// Change of a file.
#[derive(Debug, Clone)]
pub(super) enum FileChange {
    Write { offset: usize, data: Vec<u8> },
    Length(usize),
}

/// State of a file before a sync: after a power cut, any part of the unsynced writes may be present.
#[derive(Debug)]
pub struct PowerCut {
    pub(super) synced: Arc<Vec<u8>>,
    pub(super) unsynced: Vec<FileChange>,
}

impl PowerCut {
    /// Returns a possible image of the file after a power cut.
    ///
    /// The image contains none, some or all of the unsynced writes, in any order, some of them partially, and has a length
    /// that the file had.
    pub fn image(&self, random: &mut Rng) -> Vec<u8> {
        let share = *random.choice(&[0, 25, 50, 75, 100]).unwrap_or(&50);
        let torn_percent = *random.choice(&[0, 20, 100]).unwrap_or(&0);
        let mut order: Vec<_> = self.unsynced.iter().collect();
        if share < 100 || torn_percent > 0 {
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
                FileChange::Write { offset, data } if random.u8(..100) < torn_percent => {
                    tear(&mut image, *offset, data, random);
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
    let mut position = 0;
    while position < data.len() {
        let end = data
            .len()
            .min(position + SECTOR - (offset + position) % SECTOR);
        if random.bool() {
            put(image, offset + position, &data[position..end]);
        }
        position = end;
    }
}

/// Writes into a file, which grows if necessary.
pub(super) fn put(file: &mut Vec<u8>, offset: usize, data: &[u8]) {
    let end = offset + data.len();
    if file.len() < end {
        file.resize(end, 0);
    }
    file[offset..end].copy_from_slice(data);
}
