//! Encoding of a batch as a log entry.
//!
//! Layout: the length of the encoded batch, its bitwise complement, a checksum, and the batch: its changes, then its
//! recorded lookups. All of it is distributed over sectors and padded with zeros to a whole page, since writing a part
//! of a page would require reading the rest.

use super::sector::{self, PAYLOAD, SECTOR, SectorStamp};
use crate::recorded_lookups::LoggedLookups;
use crate::{Batch, EngineError, Read};
use std::iter;
use twox_hash::{XxHash3_64, XxHash3_128};
use voight_domain::codec::{DecodeError, Decoder, Encoder};

/// Alignment of entries, in bytes.
pub(super) const PAGE: usize = 4096;
const VERSION: u8 = 1;
/// Size of the length and its complement.
const LENGTHS: usize = 8;
const CHECKSUM: usize = 16;
const HEAD: usize = LENGTHS + CHECKSUM;
/// Capacity estimate for a change besides its key and value: two lengths and a flag.
const CHANGE_OVERHEAD: usize = 16;

/// Unique id of a log, so that the leftovers of another log are never taken for its entries.
pub(super) type LogId = [u8; 16];

/// Batch of an entry, before the meters of its lookups are known.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LoggedBatch {
    /// Changes of single keys.
    changes: Batch,
    /// Lookups recorded after them.
    lookups: LoggedLookups,
}

impl LoggedBatch {
    /// Adds the batch to those before it, on top of `base`.
    pub(super) fn replay(self, batch: &mut Batch, base: &impl Read) -> Result<(), EngineError> {
        batch.extend(self.changes);
        self.lookups.replay(batch, base)
    }
}

/// Result of parsing an entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ParsedEntry {
    /// Complete entry, with its size in bytes.
    Entry(LoggedBatch, usize),
    /// End of the log: unwritten space, or a torn entry that was never acknowledged.
    End,
    /// Corruption: data that the writer never writes, or a later entry.
    Corrupt(&'static str),
}

/// Encodes a batch as the entry `number` of the log `id`.
pub(super) fn encode(batch: &Batch, number: u64, id: &LogId) -> Result<Vec<u8>, DecodeError> {
    let count = batch.changes().len();
    let room = usize::try_from(batch.bytes()).unwrap_or_default() + CHANGE_OVERHEAD * (count + 1);
    let mut encoder = Encoder::with_capacity(VERSION, room);
    encoder.uint(count as u64);
    for (key, change) in batch.changes() {
        encoder.bytes(key).option(change.value(), |encoder, value| {
            encoder.bytes(value);
        });
    }
    batch.lookups().encode(&mut encoder);
    let body = encoder.finish();
    let length =
        u32::try_from(body.len()).map_err(|_| DecodeError::OutOfRange("the length of a batch"))?;
    let head = [
        &length.to_be_bytes()[..],
        &(!length).to_be_bytes(),
        &checksum(&body, number, id),
    ]
    .concat();
    let mut entry = vec![0; sectors_of(body.len()).next_multiple_of(PAGE)];
    // Head and body are distributed over the sectors without first copying them into one buffer, because entries are
    // large.
    let (beside_head, rest) = body.split_at(body.len().min(PAYLOAD - HEAD));
    let first = [&head, beside_head].concat();
    let payloads = iter::once(first.as_slice()).chain(rest.chunks(PAYLOAD));
    for (sector, payload) in entry.chunks_mut(SECTOR).zip(payloads) {
        sector::put(sector, number, payload);
    }
    Ok(entry)
}

/// Returns the size of the entry at the start of `bytes` according to its length field.
pub(super) fn entry_length(bytes: &[u8]) -> Option<usize> {
    length(sector::payload(bytes.get(..SECTOR)?)).map(sectors_of)
}

/// Parses the entry `number` of the log `id` at the start of `bytes`.
pub(super) fn read(bytes: &[u8], number: u64, id: &LogId) -> ParsedEntry {
    match bytes
        .get(..SECTOR)
        .map_or(SectorStamp::Unwritten, sector::stamp)
    {
        SectorStamp::Of(entry_number) if entry_number == number => {}
        SectorStamp::Of(entry_number) if entry_number > number => {
            return ParsedEntry::Corrupt("an entry is missing");
        }
        SectorStamp::Of(_) | SectorStamp::Unwritten => return ParsedEntry::End,
        SectorStamp::Damaged => return ParsedEntry::Corrupt("a sector is invalid"),
    }
    let Some(length) = length(sector::payload(&bytes[..SECTOR])) else {
        return ParsedEntry::Corrupt("the length of an entry is invalid");
    };
    let Some(entry) = bytes.get(..sectors_of(length)) else {
        return ParsedEntry::Corrupt("an entry is too long");
    };
    if let Some(incomplete_entry) = parse_complete(entry, number) {
        return incomplete_entry;
    }
    let payload = entry
        .chunks(SECTOR)
        .map(sector::payload)
        .collect::<Vec<_>>()
        .concat();
    let body = &payload[HEAD..HEAD + length];
    if payload[LENGTHS..HEAD] != checksum(body, number, id) {
        return ParsedEntry::Corrupt("the checksum of an entry is wrong");
    }
    match decode(body) {
        Ok(batch) => ParsedEntry::Entry(batch, entry.len().next_multiple_of(PAGE)),
        Err(_) => ParsedEntry::Corrupt("an entry cannot be decoded"),
    }
}

/// Checks the sectors of an entry. Returns `None` if all belong to it.
fn parse_complete(entry: &[u8], number: u64) -> Option<ParsedEntry> {
    let mut is_torn = false;
    for sector in entry.chunks(SECTOR) {
        match sector::stamp(sector) {
            SectorStamp::Of(found) if found == number => {}
            SectorStamp::Of(found) if found > number => {
                return Some(ParsedEntry::Corrupt("an entry was written over"));
            }
            SectorStamp::Of(_) | SectorStamp::Unwritten => is_torn = true,
            SectorStamp::Damaged => return Some(ParsedEntry::Corrupt("a sector is invalid")),
        }
    }
    is_torn.then_some(ParsedEntry::End)
}

/// Returns the size of the sectors of an entry with a body of `body` bytes.
const fn sectors_of(body: usize) -> usize {
    (HEAD + body).div_ceil(PAYLOAD) * SECTOR
}

fn length(first: &[u8]) -> Option<usize> {
    let (length, rest) = first.split_first_chunk()?;
    let length = u32::from_be_bytes(*length);
    (u32::from_be_bytes(*rest.first_chunk()?) == !length).then_some(())?;
    usize::try_from(length).ok()
}

fn checksum(body: &[u8], number: u64, id: &LogId) -> [u8; CHECKSUM] {
    let seed = XxHash3_64::oneshot_with_seed(number, id);
    XxHash3_128::oneshot_with_seed(seed, body).to_be_bytes()
}

fn decode(body: &[u8]) -> Result<LoggedBatch, DecodeError> {
    let mut input = Decoder::versioned(body, VERSION)?;
    let mut changes = Batch::default();
    for _ in 0..input.uint()? {
        let key = input.bytes()?.to_vec();
        match input.option(|input| input.bytes().map(<[u8]>::to_vec))? {
            Some(value) => changes.put(key, value),
            None => changes.remove(key),
        }
    }
    let lookups = LoggedLookups::decode(&mut input)?;
    input.finish()?;
    Ok(LoggedBatch { changes, lookups })
}
