//! Encoding of a block.
//!
//! A block is stored at the key of its first record. It lists its records in key order: the length of the key prefix
//! that the record shares with the record before it, the rest of the key, and the encoded record. The checksum of the
//! value covers the key of the block and all records.

use crate::key_value::KeyValue;
use crate::{EngineError, checksum};
use std::iter;
use std::ops::ControlFlow;
use voight_domain::codec::{DecodeError, Decoder, Encoder};

/// Maximum size of a block in bytes, unless a single record is larger. A page of 4 KiB holds the block and its key.
pub(super) const MAX_BLOCK_BYTES: usize = 4040;
const VERSION: u8 = 1;
/// Bytes of the version and the checksum.
const OVERHEAD: usize = 9;

/// Keys and encoded records, in ascending order of distinct keys.
pub(super) type Records = Vec<KeyValue>;

/// Size of the blocks when the records do not fit in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// All but the last one are full, because records are appended.
    Full,
    /// All are of about equal size, so that each has room for records in between.
    Even,
}

/// Encodes the records of one key prefix as blocks, in key order: the key and the value of each.
pub(super) fn encode(records: &[KeyValue], fill: Fill) -> Vec<KeyValue> {
    let lasts = iter::once(&[][..]).chain(records.iter().map(|(key, _)| key.as_slice()));
    let entries: Vec<_> = records
        .iter()
        .zip(lasts)
        .map(|((key, record), last)| Entry::new(last, key, record))
        .collect();
    let limit = match fill {
        Fill::Full => MAX_BLOCK_BYTES,
        Fill::Even => {
            let bytes = entries.iter().map(Entry::bytes);
            let (total, largest) = bytes.fold((OVERHEAD, 0), |(sum, max), bytes| {
                (sum + bytes, bytes.max(max))
            });
            // Without room for one more record, each block would end before its share and the rest need another block.
            (total.div_ceil(total.div_ceil(MAX_BLOCK_BYTES)) + largest).min(MAX_BLOCK_BYTES)
        }
    };
    let mut blocks = Vec::new();
    let mut open: Option<OpenBlock<'_>> = None;
    for entry in entries {
        if open
            .as_ref()
            .is_some_and(|block| block.bytes + entry.bytes() > limit)
        {
            blocks.extend(open.take().map(OpenBlock::finish));
        }
        match &mut open {
            Some(block) => block.add(&entry),
            None => open = Some(OpenBlock::start(&entry)),
        }
    }
    blocks.extend(open.map(OpenBlock::finish));
    blocks
}

/// Record with the length of the prefix that its key shares with the key before it.
struct Entry<'a> {
    shared: usize,
    key: &'a [u8],
    record: &'a [u8],
}

impl<'a> Entry<'a> {
    fn new(last: &[u8], key: &'a [u8], record: &'a [u8]) -> Self {
        Self {
            shared: iter::zip(last, key)
                .take_while(|(last, key)| last == key)
                .count(),
            key,
            record,
        }
    }

    /// Returns the maximum number of encoded bytes.
    fn bytes(&self) -> usize {
        // Lengths below 128 take one byte, and those of a block at most two.
        let length_bytes = |length: usize| if length < 128 { 1 } else { 2 };
        let suffix = self.key.len() - self.shared;
        let record_bytes = self.record.len();
        length_bytes(self.shared)
            + length_bytes(suffix)
            + suffix
            + length_bytes(record_bytes)
            + record_bytes
    }
}

struct OpenBlock<'a> {
    first: &'a [u8],
    out: Encoder,
    bytes: usize,
}

impl<'a> OpenBlock<'a> {
    fn start(entry: &Entry<'a>) -> Self {
        let out = Encoder::with_capacity(VERSION, MAX_BLOCK_BYTES);
        let mut block = Self {
            first: entry.key,
            out,
            bytes: OVERHEAD,
        };
        // The block is stored at its first key, so its first entry shares all of it.
        block.add(&Entry {
            shared: entry.key.len(),
            ..*entry
        });
        block
    }

    fn add(&mut self, entry: &Entry<'_>) {
        self.out
            .uint(entry.shared as u64)
            .bytes(&entry.key[entry.shared..])
            .bytes(entry.record);
        self.bytes += entry.bytes();
    }

    fn finish(mut self) -> KeyValue {
        let key = self.first.to_vec();
        let value = checksum::with_checksum(&key, self.out.finish());
        (key, value)
    }
}

/// Decodes the block at `key`. Returns `None` if it is damaged.
pub(super) fn decode(key: &[u8], value: &[u8]) -> Option<Records> {
    let block = checksum::verify(key, value)?;
    let mut records = Vec::new();
    visit_entries(key, block, |key, record| {
        records.push((key.to_vec(), record.to_vec()));
        ControlFlow::Continue(())
    })
    .ok()?;
    Some(records)
}

/// Returns the error for a block, or a record of a block, that is damaged. It contains a digest of the key.
pub(super) fn corrupt(key: &[u8]) -> EngineError {
    EngineError::Corrupt(format!(
        "a block of records is damaged, key digest {}",
        checksum::digest(key)
    ))
}

/// Result of a search in a block.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found<'a> {
    /// The encoded record. The checksum of the block is valid.
    Record(&'a [u8]),
    /// The block does not contain the key. Its checksum was not verified, as a tree is searched without verifying it.
    Nothing,
    /// The block is damaged.
    Damaged,
}

/// Searches the block at `first` for a key.
pub(super) fn find<'a>(first: &[u8], value: &'a [u8], key: &[u8]) -> Found<'a> {
    let mut matching_record = None;
    let visit_result = visit_entries(first, checksum::payload(value), |entry_key, record| {
        if entry_key == key {
            matching_record = Some(record);
        }
        if entry_key < key {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    match (visit_result, matching_record) {
        (Ok(()), None) => Found::Nothing,
        (Ok(()), Some(record)) if checksum::verify(first, value).is_some() => Found::Record(record),
        _ => Found::Damaged,
    }
}

/// Passes the key and the record of each entry to `visit`, until it stops the iteration.
fn visit_entries<'a>(
    first: &[u8],
    block: &'a [u8],
    mut visit: impl FnMut(&[u8], &'a [u8]) -> ControlFlow<()>,
) -> Result<(), DecodeError> {
    let mut input = Decoder::versioned(block, VERSION)?;
    let mut key = first.to_vec();
    while !input.is_empty() {
        let shared_bytes = input.uint_as::<usize>()?;
        if shared_bytes > key.len() {
            return Err(DecodeError::OutOfRange("the shared prefix of a key"));
        }
        key.truncate(shared_bytes);
        key.extend_from_slice(input.bytes()?);
        if visit(&key, input.bytes()?).is_break() {
            break;
        }
    }
    Ok(())
}
