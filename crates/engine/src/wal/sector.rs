//! Sectors: the unit that a disk writes atomically.
//!
//! Each sector of the log starts with the number of its entry. A torn entry after a power failure, in which some
//! sectors are new and some old, is thereby distinguished from a flipped bit, which yields a sector that was never
//! written.

/// Size of a sector in bytes.
pub(super) const SECTOR: usize = 512;
/// Size of the stamp: the number of the entry, and its bitwise complement.
const STAMP: usize = 16;
/// Number of payload bytes in each sector.
pub(super) const PAYLOAD: usize = SECTOR - STAMP;

/// Stamp of a sector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SectorStamp {
    /// The sector was never written.
    Unwritten,
    /// The sector belongs to the entry with this number.
    Of(u64),
    /// The stamp is corrupt.
    Damaged,
}

/// Writes the stamp of the entry `number`, which is not 0, and the payload to `sector`.
pub(super) fn put(sector: &mut [u8], number: u64, payload: &[u8]) {
    sector[..8].copy_from_slice(&number.to_be_bytes());
    sector[8..STAMP].copy_from_slice(&(!number).to_be_bytes());
    sector[STAMP..STAMP + payload.len()].copy_from_slice(payload);
}

/// Parses the stamp of a sector.
pub(super) fn stamp(sector: &[u8]) -> SectorStamp {
    let Some((number, rest)) = sector.split_first_chunk() else {
        return SectorStamp::Damaged;
    };
    let Some(turned) = rest.first_chunk() else {
        return SectorStamp::Damaged;
    };
    match (u64::from_be_bytes(*number), u64::from_be_bytes(*turned)) {
        (0, 0) => SectorStamp::Unwritten,
        (number, turned) if number == !turned => SectorStamp::Of(number),
        _ => SectorStamp::Damaged,
    }
}

/// Returns the payload of a sector.
pub(super) fn payload(sector: &[u8]) -> &[u8] {
    sector.get(STAMP..).unwrap_or_default()
}
