//! Sync latency of a file system.

use crate::clock::Stopwatch;
use anyhow::{Context, Result};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

/// Sync latency in microseconds above which the disk limits a run.
pub(crate) const LIMIT: f64 = 100.0;

/// Number and size of the blocks in the test file.
const BLOCKS: u32 = 64;
const BLOCK: u32 = 4096;

/// Returns the latencies of `number` calls of `fdatasync` in microseconds. One block of the file is overwritten before each
/// call, so that the file does not grow.
pub(crate) fn syncs(dir: &Path, number: u32) -> Result<Vec<f64>> {
    let path = dir.join("fdatasync");
    let times =
        sync_often(&path, number).with_context(|| format!("{} cannot be written", path.display()));
    let _ = std::fs::remove_file(&path);
    times
}

fn sync_often(path: &Path, number: u32) -> std::io::Result<Vec<f64>> {
    let mut file = File::create_new(path)?;
    for _ in 0..BLOCKS {
        file.write_all(&[0; BLOCK as usize])?;
    }
    file.sync_all()?;
    (0..number)
        .map(|block| {
            file.seek(SeekFrom::Start(u64::from(block % BLOCKS * BLOCK)))?;
            file.write_all(&[1; BLOCK as usize])?;
            let stopwatch = Stopwatch::start();
            file.sync_data()?;
            Ok(stopwatch.elapsed().as_secs_f64() * 1e6)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syncs_are_timed_and_the_file_removed() {
        let dir = tempfile::tempdir().unwrap();
        let times = syncs(dir.path(), 5).unwrap();
        assert_eq!(times.len(), 5);
        assert!(times.iter().all(|time| *time > 0.0));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
