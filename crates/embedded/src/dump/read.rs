//! Reads a dump.

use super::DUMP_VERSION;
use super::format::{CHECKSUM, DumpError, DumpSummary, MAGIC, RECORD_BYTES, TRAILER, checksum};
use crate::record::Encode;
use crate::table::Table;
use crate::verify::layout;
use crate::{DatabaseKind, FORMAT, Identity};
use std::io::{self, ErrorKind, Read};
use voight_engine::checksum as stored;

/// Record of a dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DumpEntry {
    /// Database that the record belongs to.
    pub part: DatabaseKind,
    /// Key of the record.
    pub key: Vec<u8>,
    /// Encoded record.
    pub record: Vec<u8>,
}

impl DumpEntry {
    /// Returns the key and the value that an embedded store keeps: the record with a checksum.
    pub fn into_stored(self) -> (Vec<u8>, Vec<u8>) {
        let value = stored::with_checksum(&self.key, self.record);
        (self.key, value)
    }
}

/// Reads a dump sequentially with one record in memory. The dump is verified only once [`Self::summary`] returns
/// `Some`.
pub struct DumpReader<R> {
    input: HashingReader<R>,
    identity: Identity,
    last: Vec<u8>,
    rows: u64,
    summary: Option<DumpSummary>,
}

/// Reads a dump to its end. Returns the identity of its store and its summary. A truncated dump is an error.
pub fn read_dump(input: impl Read) -> Result<(Identity, DumpSummary), DumpError> {
    let mut dump = DumpReader::open(input)?;
    while dump.next_entry()?.is_some() {}
    let summary = dump.summary().ok_or(DumpError::Truncated)?;
    Ok((*dump.identity(), summary))
}

impl<R: Read> DumpReader<R> {
    /// Opens a dump and reads its header.
    pub fn open(input: R) -> Result<Self, DumpError> {
        let mut input = HashingReader {
            input,
            hasher: blake3::Hasher::new(),
        };
        let identity = header(&mut input)?;
        Ok(Self {
            input,
            identity,
            last: Vec::new(),
            rows: 0,
            summary: None,
        })
    }

    /// Returns the identity of the dumped store.
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns the summary once the dump was read to its end and verified; before that `None`.
    pub const fn summary(&self) -> Option<DumpSummary> {
        self.summary
    }

    /// Returns the next record; `None` at the end.
    pub fn next_entry(&mut self) -> Result<Option<DumpEntry>, DumpError> {
        if self.summary.is_some() {
            return Ok(None);
        }
        let length = u16::from_be_bytes(self.input.array()?);
        if length == TRAILER {
            self.trailer()?;
            return Ok(None);
        }
        let value_bytes = u32::from_be_bytes(self.input.array()?);
        if value_bytes > RECORD_BYTES {
            return Err(DumpError::damaged(format!(
                "record {} is too long",
                self.rows + 1
            )));
        }
        let key = self.input.bytes(length.into())?;
        let mut record = self.input.bytes(value_bytes as usize)?;
        let stored_checksum = record.split_off(record.len().saturating_sub(CHECKSUM));
        let part = self.check(&key, &record, &stored_checksum)?;
        self.rows += 1;
        self.last.clone_from(&key);
        Ok(Some(DumpEntry { part, key, record }))
    }

    fn check(
        &self,
        key: &[u8],
        record: &[u8],
        stored_checksum: &[u8],
    ) -> Result<DatabaseKind, DumpError> {
        let wrong = |what: &str| DumpError::damaged(format!("record {}: {what}", self.rows + 1));
        if checksum(key, record) != *stored_checksum {
            return Err(wrong("the checksum is wrong"));
        }
        if key <= self.last.as_slice() {
            return Err(wrong("it is out of order"));
        }
        let table = Table::of_key(key).filter(|table| *table != Table::Identity);
        let table = table.ok_or_else(|| wrong("its table is unknown"))?;
        layout(table, record)
            .map_err(|error| wrong(&format!("table {}: {error}", table.name())))?;
        Ok(if DatabaseKind::Main.has(table) {
            DatabaseKind::Main
        } else {
            DatabaseKind::Evidence
        })
    }

    fn trailer(&mut self) -> Result<(), DumpError> {
        let rows = u64::from_be_bytes(self.input.array()?);
        let hash = *self.input.hasher.finalize().as_bytes();
        if self.input.array()? != hash {
            return Err(DumpError::damaged("the hash of its contents is wrong"));
        }
        if rows != self.rows {
            return Err(DumpError::damaged(
                "it has more or fewer records than it says",
            ));
        }
        if self.input.input.read(&mut [0])? != 0 {
            return Err(DumpError::damaged("something follows its end"));
        }
        self.summary = Some(DumpSummary { rows, hash });
        Ok(())
    }
}

fn header(input: &mut HashingReader<impl Read>) -> Result<Identity, DumpError> {
    let magic: [u8; MAGIC.len()] = input.array().map_err(|error| match error {
        DumpError::Truncated => DumpError::NotADump,
        error => error,
    })?;
    if magic != MAGIC {
        return Err(DumpError::NotADump);
    }
    let version: [u8; 2] = input.array()?;
    if u16::from_be_bytes(version) > DUMP_VERSION {
        return Err(DumpError::newer_layout(u16::from_be_bytes(version)));
    }
    let length: [u8; 2] = input.array()?;
    let identity = input.bytes(u16::from_be_bytes(length).into())?;
    let stored_checksum: [u8; CHECKSUM] = input.array()?;
    let header = [&magic[..], &version, &length, &identity].concat();
    if u16::from_be_bytes(version) == 0 || checksum(&[], &header) != stored_checksum {
        return Err(DumpError::damaged("the checksum of its header is wrong"));
    }
    let identity = Identity::decode(&identity).map_err(DumpError::damaged)?;
    if identity.format() > FORMAT {
        return Err(DumpError::newer_records(identity.format()));
    }
    Ok(identity)
}

struct HashingReader<R> {
    input: R,
    hasher: blake3::Hasher,
}

impl<R: Read> HashingReader<R> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], DumpError> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes).map_err(ended)?;
        self.hasher.update(&bytes);
        Ok(bytes)
    }

    fn bytes(&mut self, length: usize) -> Result<Vec<u8>, DumpError> {
        let mut bytes = vec![0; length];
        self.input.read_exact(&mut bytes).map_err(ended)?;
        self.hasher.update(&bytes);
        Ok(bytes)
    }
}

fn ended(error: io::Error) -> DumpError {
    if error.kind() == ErrorKind::UnexpectedEof {
        DumpError::Truncated
    } else {
        DumpError::Io(error)
    }
}
