//! Tables whose records are stored in blocks.

use std::ops::RangeInclusive;
use voight_encoding::keyspace::Table;

/// Adjacent tables whose records are stored in blocks.
pub(super) struct Region {
    /// First key.
    pub(super) first: [u8; 1],
    /// End of the keys.
    end: [u8; 1],
    /// Length of the key prefix that all records of a block share.
    pub(super) prefix: usize,
}

impl Region {
    const fn new(tables: &RangeInclusive<Table>, prefix: usize) -> Self {
        Self {
            first: [*tables.start() as u8],
            end: [*tables.end() as u8 + 1],
            prefix,
        }
    }

    /// Returns the region of a key, if its record is stored in a block.
    pub(super) fn of_key(key: &[u8]) -> Option<&'static Self> {
        REGIONS
            .iter()
            .find(|region| region.first[..] <= *key && *key < region.end[..])
    }
}

/// Regions in key order: the rows and openings of one ledger (table, client number, environment), and the idempotency
/// records of one segment (table, time).
const REGIONS: [Region; 2] = [
    Region::new(&(Table::Row..=Table::Opening), 6),
    Region::new(&(Table::IdempotencyRecord..=Table::IdempotencyRecord), 9),
];
