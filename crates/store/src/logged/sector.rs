//! What a disk writes whole or not at all.
//!
//! Each sector of the log begins with the number of the entry that it is a part of. So what a power cut has left of an
//! entry, some of its sectors and the old ones in place of the others, is told apart from a flipped bit, which makes a
//! sector that nobody ever wrote.

/// The bytes of a sector.
pub(super) const SECTOR: usize = 512;
/// The number of its entry, and the same with every bit turned over.
const STAMP: usize = 16;
/// The bytes of an entry in each sector.
pub(super) const PAYLOAD: usize = SECTOR - STAMP;

/// What a sector is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SectorStamp {
    /// Nothing was written to it yet.
    Unwritten,
    /// The entry with this number.
    Of(u64),
    /// Nobody wrote this.
    Damaged,
}

/// Makes `sector` a part of the entry `number`, which is not 0.
pub(super) fn put(sector: &mut [u8], number: u64, payload: &[u8]) {
    sector[..8].copy_from_slice(&number.to_be_bytes());
    sector[8..STAMP].copy_from_slice(&(!number).to_be_bytes());
    sector[STAMP..STAMP + payload.len()].copy_from_slice(payload);
}

/// What a sector is a part of.
pub(super) fn stamp(sector: &[u8]) -> SectorStamp {
    let Some((number, rest)) = sector.split_first_chunk() else { return SectorStamp::Damaged };
    let Some(turned) = rest.first_chunk() else { return SectorStamp::Damaged };
    match (u64::from_be_bytes(*number), u64::from_be_bytes(*turned)) {
        (0, 0) => SectorStamp::Unwritten,
        (number, turned) if number == !turned => SectorStamp::Of(number),
        _ => SectorStamp::Damaged,
    }
}

/// What a sector holds of its entry.
pub(super) fn payload(sector: &[u8]) -> &[u8] {
    sector.get(STAMP..).unwrap_or_default()
}
