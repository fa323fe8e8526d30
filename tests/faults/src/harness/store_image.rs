//! Image of a store: copies of its files in memory, which are corrupted and written back.

use anyhow::{Context, Result};
use fastrand::Rng;
use std::collections::HashMap;
use std::fs::{self, File};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Length of the beginning of a file, in bytes.
///
/// A redb file has a header with the commit slots there, a sled log the head of its first segment. Smaller files consist
/// of it.
const HEADER: usize = 512;
/// Block size in bytes. Blocks that were never written are zero.
const BLOCK: usize = 512;
/// Size of the checksum at the end of every stored value, in bytes.
const CHECKSUM: usize = 8;
/// Maximum distance of a record's key before its value, in bytes.
const NEARBY: usize = 16 << 10;

/// Classes of bytes, each chosen with equal probability.
const CLASSES: [&str; 7] = [
    "header",
    "key",
    "value",
    "checksum",
    "free page",
    LOG,
    ANYWHERE,
];
/// Class of the entries of a write-ahead log.
const LOG: &str = "log";
/// Size of the header of a write-ahead log, in bytes.
const LOG_HEADER: usize = 4096;
const ANYWHERE: &str = "anywhere";

/// Files of a store.
pub struct StoreImage {
    files: Vec<FileImage>,
    records: Vec<RecordLocation>,
}

/// Image of a file.
#[derive(Clone)]
struct FileImage {
    name: PathBuf,
    /// Contents without the zeros at the end.
    bytes: Vec<u8>,
    length: usize,
}

impl FileImage {
    /// Returns `true` if the file is a write-ahead log.
    fn is_log(&self) -> bool {
        self.name
            .extension()
            .is_some_and(|extension| extension == "log")
    }
}

/// Location of a record; a file may hold several versions of it.
struct RecordLocation {
    file: usize,
    key: Range<usize>,
    value: Range<usize>,
}

/// Location of a bit in a store.
#[derive(Debug, Clone)]
pub struct BitLocation {
    /// Class of its byte.
    pub class: &'static str,
    file: usize,
    offset: usize,
    mask: u8,
}

impl StoreImage {
    /// Reads all files in `dir`. For an open, idle store they are the files that a kill would leave.
    pub fn read(dir: &Path) -> Result<Self> {
        let mut image = Self {
            files: Vec::new(),
            records: Vec::new(),
        };
        image
            .collect(dir, dir)
            .context("the files of the store cannot be read")?;
        // A directory lists its files in no stable order.
        image.files.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(image)
    }

    /// Returns `true` if a write-ahead log has entries.
    pub fn has_log(&self) -> bool {
        self.files
            .iter()
            .any(|file| file.is_log() && file.bytes.len() > LOG_HEADER)
    }

    /// Returns the files with empty write-ahead logs, as if no entry had reached the disk.
    #[must_use]
    pub fn without_log_entries(&self) -> Self {
        let mut files = self.files.clone();
        for log in files.iter_mut().filter(|file| file.is_log()) {
            log.bytes.truncate(LOG_HEADER);
        }
        Self {
            files,
            records: Vec::new(),
        }
    }

    /// Locates the keys and values of these entries, so that their bits can be chosen.
    ///
    /// The search is by checksum, which occurs nowhere else by chance.
    pub fn locate(&mut self, entries: &[(Vec<u8>, Vec<u8>)]) {
        let entry_by_checksum: HashMap<_, _> = entries
            .iter()
            .filter_map(|entry| Some((entry.1.last_chunk()?, entry)))
            .collect();
        for (file, FileImage { bytes, .. }) in self.files.iter().enumerate() {
            for (offset, window) in bytes
                .windows(CHECKSUM)
                .enumerate()
                .filter(|(_, window)| window[0] != 0)
            {
                let entry = window
                    .first_chunk::<CHECKSUM>()
                    .and_then(|sum| entry_by_checksum.get(sum));
                let position =
                    entry.and_then(|(key, value)| find_entry(bytes, offset + CHECKSUM, key, value));
                self.records
                    .extend(position.map(|(key, value)| RecordLocation { file, key, value }));
            }
        }
    }

    /// Chooses a random bit of a random class, or any bit if the class is empty.
    pub fn choose(&self, random: &mut Rng) -> BitLocation {
        let class = *random.choice(&CLASSES).unwrap_or(&ANYWHERE);
        let position = match class {
            "header" => Some(self.header(random)),
            "free page" => self.unused(random),
            LOG => self.logged(random),
            ANYWHERE => None,
            part => self.recorded(part, random),
        };
        let class = if position.is_some() { class } else { ANYWHERE };
        let (file, offset) = position.unwrap_or_else(|| self.anywhere(random));
        BitLocation {
            class,
            file,
            offset,
            mask: 1 << random.u8(..8),
        }
    }

    /// Writes every file into `dir`, with at most one bit flipped.
    pub fn write(&self, dir: &Path, flipped_bit: Option<&BitLocation>) -> Result<()> {
        for (number, contents) in self.files.iter().enumerate() {
            let path = dir.join(&contents.name);
            fs::create_dir_all(path.parent().unwrap_or(dir))?;
            let file = File::create(path)?;
            file.write_all_at(&contents.bytes, 0)?;
            file.set_len(contents.length as u64)?;
            if let Some(BitLocation { offset, mask, .. }) =
                flipped_bit.filter(|bit| bit.file == number)
            {
                let byte = contents.bytes.get(*offset).unwrap_or(&0);
                file.write_all_at(&[byte ^ mask], *offset as u64)?;
            }
        }
        Ok(())
    }

    /// Describes the location of a bit.
    pub fn name(&self, bit: &BitLocation) -> String {
        let BitLocation {
            class,
            file,
            offset,
            mask,
        } = bit;
        format!(
            "bit {mask:#04x} at {offset} of {} ({class})",
            self.files[*file].name.display()
        )
    }
}

impl StoreImage {
    fn collect(&mut self, root: &Path, dir: &Path) -> Result<()> {
        for entry in fs::read_dir(dir)? {
            let path = entry?.path();
            if path.is_dir() {
                self.collect(root, &path)?;
            } else {
                let name = path.strip_prefix(root)?.to_owned();
                let mut bytes = fs::read(&path)?;
                let length = bytes.len();
                // Block by block, because a file may end in many zero blocks.
                while bytes.ends_with(&[0; BLOCK]) {
                    bytes.truncate(bytes.len() - BLOCK);
                }
                self.files.extend((length > 0).then_some(FileImage {
                    name,
                    bytes,
                    length,
                }));
            }
        }
        Ok(())
    }

    fn header(&self, random: &mut Rng) -> (usize, usize) {
        let file = random.usize(..self.files.len());
        (file, random.usize(..HEADER.min(self.files[file].length)))
    }

    fn recorded(&self, part: &str, random: &mut Rng) -> Option<(usize, usize)> {
        let record = random.choice(&self.records)?;
        let checksum = record.value.end - CHECKSUM;
        let range = match part {
            "key" => record.key.clone(),
            "value" => record.value.start..checksum,
            _ => checksum..record.value.end,
        };
        (!range.is_empty()).then(|| (record.file, random.usize(range)))
    }

    /// Returns a byte in an entry of a write-ahead log.
    fn logged(&self, random: &mut Rng) -> Option<(usize, usize)> {
        let logs = self
            .files
            .iter()
            .enumerate()
            .filter(|(_, file)| file.is_log() && file.bytes.len() > LOG_HEADER);
        let log = random.choice(logs.collect::<Vec<_>>())?;
        Some((log.0, random.usize(LOG_HEADER..log.1.bytes.len())))
    }

    /// Returns a byte in a block of zeros.
    fn unused(&self, random: &mut Rng) -> Option<(usize, usize)> {
        let mut candidates = std::iter::repeat_with(|| self.anywhere(random)).take(1000);
        candidates.find(|(file, offset)| {
            let block = self.files[*file].bytes.chunks(BLOCK).nth(offset / BLOCK);
            block.is_none_or(|block| block.iter().all(|byte| *byte == 0))
        })
    }

    fn anywhere(&self, random: &mut Rng) -> (usize, usize) {
        let total: usize = self.files.iter().map(|contents| contents.length).sum();
        let mut offset = random.usize(..total);
        for (file, FileImage { length, .. }) in self.files.iter().enumerate() {
            if offset < *length {
                return (file, offset);
            }
            offset -= length;
        }
        (0, 0)
    }
}

/// Returns the ranges of the key and the value that end before `end`, if they match.
fn find_entry(
    bytes: &[u8],
    end: usize,
    key: &[u8],
    value: &[u8],
) -> Option<(Range<usize>, Range<usize>)> {
    let start = end
        .checked_sub(value.len())
        .filter(|start| bytes[*start..end] == *value)?;
    let near = start.saturating_sub(NEARBY);
    let at = near
        + bytes[near..start]
            .windows(key.len())
            .rposition(|actual| actual == key)?;
    Some((at..at + key.len(), start..end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn one_bit_of_any_class_is_flipped() {
        let from = tempfile::tempdir().unwrap();
        let to = tempfile::tempdir().unwrap();
        let mut file = vec![9; HEADER];
        let entry = (b"the key".to_vec(), b"value and checksum".to_vec());
        file.extend([entry.0.as_slice(), b"between", entry.1.as_slice()].concat());
        file.resize(8 * BLOCK, 0);
        fs::create_dir(from.path().join("folder")).unwrap();
        fs::write(from.path().join("folder/file"), &file).unwrap();
        let mut image = StoreImage::read(from.path()).unwrap();
        image.locate(&[entry]);

        let mut random = Rng::with_seed(1);
        let mut classes = HashSet::new();
        let key = HEADER..HEADER + 7;
        let value = HEADER + 14..HEADER + 14 + 10;
        for _ in 0..200 {
            let bit = image.choose(&mut random);
            image.write(to.path(), Some(&bit)).unwrap();
            let actual = fs::read(to.path().join("folder/file")).unwrap();
            let changed_offsets: Vec<_> = (0..file.len())
                .filter(|position| file[*position] != actual[*position])
                .collect();
            assert_eq!((actual.len(), changed_offsets.len()), (file.len(), 1));
            let at = changed_offsets[0];
            assert_eq!((file[at] ^ actual[at]).count_ones(), 1);
            let matches_class = match bit.class {
                "header" => at < HEADER,
                "key" => key.contains(&at),
                "value" => value.contains(&at),
                "checksum" => (value.end..value.end + CHECKSUM).contains(&at),
                "free page" => at >= 2 * BLOCK,
                _ => true,
            };
            assert!(matches_class, "{}", image.name(&bit));
            classes.insert(bit.class);
        }
        assert_eq!(
            classes.len(),
            CLASSES.len() - 1,
            "every class except the write-ahead log"
        );
    }

    #[test]
    fn log_bits_are_in_log_entries() {
        let from = tempfile::tempdir().unwrap();
        let to = tempfile::tempdir().unwrap();
        let mut log = vec![7; LOG_HEADER + BLOCK];
        log.resize(LOG_HEADER + 8 * BLOCK, 0);
        fs::write(from.path().join("store.log"), &log).unwrap();
        let image = StoreImage::read(from.path()).unwrap();
        let mut random = Rng::with_seed(1);
        let entries = LOG_HEADER..LOG_HEADER + BLOCK;
        let bits = std::iter::repeat_with(|| image.choose(&mut random)).take(100);
        let log_bits: Vec<_> = bits.filter(|bit| bit.class == LOG).collect();
        assert!(
            !log_bits.is_empty() && log_bits.iter().all(|bit| entries.contains(&bit.offset)),
            "{log_bits:?}"
        );
        assert!(image.has_log() && !image.without_log_entries().has_log());
        image.without_log_entries().write(to.path(), None).unwrap();
        log[LOG_HEADER..].fill(0);
        assert_eq!(fs::read(to.path().join("store.log")).unwrap(), log);
    }
}
