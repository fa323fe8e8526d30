//! Dumps: repair of the checksums after a mutation, and re-encoding of a parsed dump.

use voight_embedded::{DatabaseKind, DumpEntry, DumpSummary, Identity, write_dump};
use voight_engine::testing::{Map, Snapshot};

/// Bytes before the identity: a name, a version, and the identity's length.
const HEAD: usize = 16;
const HASH: usize = 32;
const CHECKSUM: usize = 8;

/// Corrects the checksums, the count and the hash of a dump as far as its structure can be followed.
///
/// A mutation then reaches the checks behind them.
pub fn repair(mut dump: Vec<u8>) -> Vec<u8> {
    // A structure that ends early needs no repair behind its end.
    let _ = header(&mut dump)
        .and_then(|at| records(&mut dump, at))
        .and_then(|(at, rows)| trailer(&mut dump, at, rows));
    dump
}

/// Returns the checksum of a record, as described in `docs/reference/backup-format.md`; independent of the store's code, which is under
/// test.
fn checksum(key: &[u8], record: &[u8]) -> [u8; CHECKSUM] {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(&(key.len() as u64).to_be_bytes())
        .update(key)
        .update(record);
    let mut short = [0; CHECKSUM];
    short.copy_from_slice(&hasher.finalize().as_bytes()[..CHECKSUM]);
    short
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
        let record = key.end
            ..(key.end + value_bytes)
                .checked_sub(CHECKSUM)
                .filter(|end| *end >= key.end)?;
        let sum = checksum(dump.get(key)?, dump.get(record.clone())?);
        at = record.end + CHECKSUM;
        dump.get_mut(record.end..at)?.copy_from_slice(&sum);
    }
    None
}

fn trailer(dump: &mut [u8], at: usize, rows: u64) -> Option<()> {
    let count = at + 2..at + 10;
    dump.get_mut(count.clone())?
        .copy_from_slice(&rows.to_be_bytes());
    let hash = *blake3::hash(&dump[..count.end]).as_bytes();
    dump.get_mut(count.end..count.end + HASH)?
        .copy_from_slice(&hash);
    Some(())
}

/// Encodes the dump of a store with that identity and these records.
pub(crate) fn encode_dump(identity: &Identity, entries: Vec<DumpEntry>) -> (Vec<u8>, DumpSummary) {
    let [mut main, mut evidence] = [Map::new(), Map::new()];
    for entry in entries {
        let map = if entry.part == DatabaseKind::Main {
            &mut main
        } else {
            &mut evidence
        };
        let (key, value) = entry.into_stored();
        map.insert(key, value);
    }
    let mut out = Vec::new();
    let write_result = write_dump(
        identity,
        &Snapshot::from(main),
        Some(&Snapshot::from(evidence)),
        &mut out,
    );
    let summary =
        write_result.unwrap_or_else(|error| panic!("a parsed dump cannot be written: {error}"));
    (out, summary)
}
