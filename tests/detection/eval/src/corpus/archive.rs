//! Files in a compressed archive or in a directory.

use anyhow::{Context, Result, ensure};
use lzma_rust2::XzReader;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::Path;

/// Maximum number of bytes read of a file; a recorded session has several hundred kilobytes.
const MAX_BYTES: u64 = 64 << 20;

/// File, with the part of its path that identifies it.
pub(super) type ArchiveEntry = (String, Vec<u8>);

/// Returns the JSON files of an archive.
pub(super) fn unpacked(path: &Path) -> Result<Vec<ArchiveEntry>> {
    let read_entries = || -> Result<Vec<ArchiveEntry>> {
        let file = BufReader::new(File::open(path)?);
        let mut archive = tar::Archive::new(XzReader::new(file, true));
        archive
            .entries()?
            .map(|entry| archived(entry?))
            .filter_map(Result::transpose)
            .collect()
    };
    read_entries().with_context(|| {
        format!(
            "{} cannot be read as a tar archive compressed with xz",
            path.display()
        )
    })
}

fn archived<R: Read>(entry: tar::Entry<'_, R>) -> Result<Option<ArchiveEntry>> {
    let path = entry.path()?.into_owned();
    if !is_json(&path) {
        return Ok(None);
    }
    ensure!(
        entry.size() <= MAX_BYTES,
        "{} has more than {MAX_BYTES} bytes",
        path.display()
    );
    let mut bytes = Vec::new();
    entry.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(Some((path.to_string_lossy().into_owned(), bytes)))
}

/// Returns the JSON files in a directory and its subdirectories.
pub(super) fn below(dir: &Path) -> Result<Vec<ArchiveEntry>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(below(&path)?);
        } else if is_json(&path) {
            let bytes =
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            files.push((path.to_string_lossy().into_owned(), bytes));
        }
    }
    Ok(files)
}

fn is_json(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "json")
}
