//! Dumps: repair of the checksums after a mutation, and re-encoding of a parsed dump.

use crate::sealed::{CHECKSUM, checksum};
use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};
use voight_embedded::{
    DatabaseKind, DumpEntry, DumpSummary, EngineError, EntryVisitor, Identity, Order, Read, write_dump,
};

/// Bytes before the identity: a name, a version, and the identity's length.
const HEAD: usize = 16;
const HASH: usize = 32;

/// Corrects the checksums, the count and the hash of a dump as far as its structure can be followed.
///
/// A mutation then reaches the checks behind them.
pub fn repair(mut dump: Vec<u8>) -> Vec<u8> {
    // A structure that ends early needs no repair behind its end.
    let _ = header(&mut dump).and_then(|at| records(&mut dump, at)).and_then(|(at, rows)| trailer(&mut dump, at, rows));
    dump
}

fn header(dump: &mut [u8]) -> Option<usize> {
    let length = u16::from_be_bytes(*dump.get(..HEAD)?.last_chunk()?);
    let end = HEAD + usize::from(length);
    let sum = checksum(&[], dump.get(..end)?);
    dump.get_mut(end..end + CHECKSUM)?.copy_from_slice(&sum);
    Some(end + CHECKSUM)
}

/// Returns the offset of the trailer, and the number of records before it.
fn records(dump: &mut [u8], mut at: usize) -> Option<(usize, u64)> {
    for rows in 0.. {
        let key_bytes = usize::from(u16::from_be_bytes(*dump.get(at..)?.first_chunk()?));
        if key_bytes == 0 {
            return Some((at, rows));
        }
        let value_bytes = u32::from_be_bytes(*dump.get(at + 2..)?.first_chunk()?) as usize;
        let key = at + 6..at + 6 + key_bytes;
        let record = key.end..(key.end + value_bytes).checked_sub(CHECKSUM).filter(|end| *end >= key.end)?;
        let sum = checksum(dump.get(key)?, dump.get(record.clone())?);
        at = record.end + CHECKSUM;
        dump.get_mut(record.end..at)?.copy_from_slice(&sum);
    }
    None
}

fn trailer(dump: &mut [u8], at: usize, rows: u64) -> Option<()> {
    let count = at + 2..at + 10;
    dump.get_mut(count.clone())?.copy_from_slice(&rows.to_be_bytes());
    let hash = *blake3::hash(&dump[..count.end]).as_bytes();
    dump.get_mut(count.end..count.end + HASH)?.copy_from_slice(&hash);
    Some(())
}

/// Encodes the dump of a store with that identity and these records.
pub(crate) fn encode_dump(identity: &Identity, entries: Vec<DumpEntry>) -> (Vec<u8>, DumpSummary) {
    let [mut main, mut evidence] = [Map::default(), Map::default()];
    for DumpEntry { part, key, value } in entries {
        let map = if part == DatabaseKind::Main { &mut main } else { &mut evidence };
        map.0.insert(key, value);
    }
    let mut out = Vec::new();
    let written = write_dump(identity, &main, Some(&evidence), &mut out);
    let summary = written.unwrap_or_else(|error| panic!("a parsed dump cannot be written: {error}"));
    (out, summary)
}

#[derive(Default)]
struct Map(BTreeMap<Vec<u8>, Vec<u8>>);

impl Read for Map {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<(), EngineError> {
        if let Some(value) = self.0.get(key) {
            visit(value);
        }
        Ok(())
    }

    /// A dump reads records in ascending order.
    fn range(&self, from: &[u8], to: &[u8], _: Order, visit: &mut EntryVisitor<'_>) -> Result<(), EngineError> {
        let asked = (Bound::Included(from), Bound::Excluded(to));
        let _: ControlFlow<()> = self.0.range::<[u8], _>(asked).try_for_each(|(key, value)| visit(key, value));
        Ok(())
    }
}
