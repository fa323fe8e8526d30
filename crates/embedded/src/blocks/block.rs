//! Encoding of a block.
//!
//! A block is stored at the key of its first record. It lists its records in key order: the length of the key prefix
//! that the record shares with the record before it, the rest of the key, and the encoded record. The checksum of the
//! value covers the key of the block and all records.

use super::MAX_BLOCK_BYTES;
use crate::checksum;
use voight_domain::codec::{DecodeError, Decoder, Encoder};

const VERSION: u8 = 1;
/// Bytes of the version and the checksum.
const OVERHEAD: usize = 9;

/// Key and encoded record.
pub(super) type Entry = (Vec<u8>, Vec<u8>);

/// Encodes the records of one key prefix as values of blocks, in key order.
pub(super) fn encode(entries: &[Entry]) -> Vec<Entry> {
    let mut blocks = Vec::new();
    let mut open: Option<OpenBlock<'_>> = None;
    for (key, record) in entries {
        if open.as_ref().is_some_and(|block| !block.has_room(key, record)) {
            blocks.extend(open.take().map(OpenBlock::finish));
        }
        open.get_or_insert_with(|| OpenBlock::new(key)).add(key, record);
    }
    blocks.extend(open.map(OpenBlock::finish));
    blocks
}

struct OpenBlock<'a> {
    first: &'a [u8],
    last: &'a [u8],
    out: Encoder,
    bytes: usize,
}

impl<'a> OpenBlock<'a> {
    fn new(first: &'a [u8]) -> Self {
        Self { first, last: first, out: Encoder::with_capacity(VERSION, MAX_BLOCK_BYTES), bytes: OVERHEAD }
    }

    fn has_room(&self, key: &[u8], record: &[u8]) -> bool {
        self.bytes + entry_bytes(self.last, key, record) <= MAX_BLOCK_BYTES
    }

    fn add(&mut self, key: &'a [u8], record: &[u8]) {
        let shared = shared_prefix(self.last, key);
        self.out.uint(shared as u64).bytes(&key[shared..]).bytes(record);
        self.bytes += entry_bytes(self.last, key, record);
        self.last = key;
    }

    fn finish(mut self) -> Entry {
        let key = self.first.to_vec();
        let value = checksum::with_checksum(&key, self.out.finish());
        (key, value)
    }
}

/// Returns the maximum number of bytes of an encoded record after another one.
fn entry_bytes(last: &[u8], key: &[u8], record: &[u8]) -> usize {
    // Lengths below 128 take one byte, and those of a block at most two.
    let length_bytes = |length: usize| if length < 128 { 1 } else { 2 };
    let shared = shared_prefix(last, key);
    let rest = key.len() - shared;
    length_bytes(shared) + length_bytes(rest) + rest + length_bytes(record.len()) + record.len()
}

fn shared_prefix(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Decodes the block at `key`. Returns `None` if it is damaged.
pub(super) fn decode(key: &[u8], value: &[u8]) -> Option<Vec<Entry>> {
    read(key, checksum::verify(key, value)?).ok()
}

fn read(first: &[u8], block: &[u8]) -> Result<Vec<Entry>, DecodeError> {
    let mut input = Decoder::versioned(block, VERSION)?;
    let mut entries: Vec<Entry> = Vec::new();
    while !input.is_empty() {
        let last = entries.last().map_or(first, |(key, _)| key);
        let shared = input.uint_as::<usize>()?;
        let rest = input.bytes()?;
        let prefix = last.get(..shared).ok_or(DecodeError::OutOfRange("the shared prefix of a key"))?;
        let key = [prefix, rest].concat();
        if key.as_slice() <= last && !entries.is_empty() {
            return Err(DecodeError::OutOfRange("the order of a block"));
        }
        entries.push((key, input.bytes()?.to_vec()));
    }
    Ok(entries)
}
