//! Keys of the records that a lookup writes: meter, ledger row, opening, idempotency record.

use super::{ClientNumber, Segment, Table, from_sortable_bytes, to_sortable_bytes};
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::vocabulary::Environment;

/// Prefix of the keys of a ledger after the table byte: client number and environment.
pub type LedgerPrefix = [u8; 5];

/// Returns the key prefix of a ledger.
pub fn ledger_prefix(client_number: ClientNumber, environment: Environment) -> LedgerPrefix {
    let [a, b, c, d] = client_number.0.to_be_bytes();
    [a, b, c, d, u8::from(environment.is_test())]
}

/// Returns the key of the meter of a ledger.
pub fn meter_key(ledger: LedgerPrefix) -> Vec<u8> {
    [&[Table::Meter as u8], &ledger[..]].concat()
}

/// Returns the key of a record that belongs to the row `seq` of a ledger, in `table`.
pub fn ledger_key(table: Table, ledger: LedgerPrefix, seq: u64) -> Vec<u8> {
    [&[table as u8], &ledger[..], &seq.to_be_bytes()].concat()
}

/// Returns the prefix of the keys of the idempotency records of a segment.
pub fn segment_prefix(segment: Segment) -> [u8; 9] {
    let mut prefix = [Table::IdempotencyRecord as u8; 9];
    prefix[1..].copy_from_slice(&to_sortable_bytes(segment.0));
    prefix
}

/// Returns the key of an idempotency record of a client.
pub fn idempotency_key(
    segment: Segment,
    client_number: ClientNumber,
    digest: IdempotencyDigest,
) -> Vec<u8> {
    [
        &segment_prefix(segment)[..],
        &client_number.0.to_be_bytes(),
        &digest.0,
    ]
    .concat()
}

/// Parses a key that [`idempotency_key`] built.
pub fn parse_idempotency_key(key: &[u8]) -> Option<(Segment, ClientNumber, IdempotencyDigest)> {
    let (time, rest) = key.get(1..)?.split_first_chunk()?;
    let (client_number, digest) = rest.split_first_chunk()?;
    Some((
        Segment(from_sortable_bytes(*time)),
        ClientNumber(u32::from_be_bytes(*client_number)),
        IdempotencyDigest(digest.try_into().ok()?),
    ))
}

/// Returns the first key after all keys with a prefix that starts with a table byte.
pub fn prefix_end(prefix: &[u8]) -> Vec<u8> {
    let mut end = prefix.to_vec();
    // The carry stops at the table byte at the latest, which is never 255.
    while end.pop_if(|byte| *byte == u8::MAX).is_some() {}
    if let Some(last) = end.last_mut() {
        *last += 1;
    }
    end
}
