//! Record keys of all tables, typed by their records.
//!
//! The first byte of a key is its table. Keys of a client's records start with the client's number, so that the data of
//! one client is contiguous and no range can include another client's. `voight-encoding` documents the parts of the keys,
//! for code that reads or writes a whole store.

mod evidence;
mod key;
mod main;

pub(crate) use evidence::*;
pub(crate) use key::{KeyRange, RecordKey, prefix_end, tail};
pub(crate) use main::*;
pub use voight_encoding::keyspace::Table;
pub(crate) use voight_encoding::keyspace::{ClientNumber, Segment};

use std::ops::{Range, RangeInclusive};
use voight_encoding::keyspace::KeyPart;

/// Tables of raw evidence. All others are in the main database.
pub(crate) const EVIDENCE: Range<u8> = Table::EvidenceHead as u8..Table::SigningKey as u8;

/// Tables that a cached API key is read from.
pub(crate) const API_KEY_TABLES: RangeInclusive<Table> = Table::Client..=Table::KeyDigest;

/// Returns `true` if the keys of a table start with a context.
pub(crate) fn starts_with_context(table: Table) -> bool {
    matches!(table.parts(), [KeyPart::Number, KeyPart::Number, _, ..])
}

/// Returns the tables whose keys start with a context and an address. An erasure of the address removes their records.
pub(crate) fn address_tables() -> impl Iterator<Item = Table> {
    Table::ALL.iter().copied().filter(|table| {
        matches!(
            table.parts(),
            [KeyPart::Number, KeyPart::Number, KeyPart::Fixed(20), ..]
        )
    })
}

/// Key of a context: its client, and its number within the client.
pub(crate) type ContextKey = voight_encoding::keyspace::ContextLocation;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use voight_domain::secrets::IdempotencyDigest;
    use voight_domain::vocabulary::{Environment, EoaAddress, Timestamp};

    fn within<R>(span: &KeyRange<R>, at: &RecordKey<R>) -> bool {
        span.from <= at.key && at.key < span.to
    }

    proptest! {
        #[test]
        fn key_range_contains_only_keys_of_its_owner(mine: u32, other: u32, number: u32, address: [u8; 20], seq: u64) {
            prop_assume!(mine != other);
            let (mine, other) = (ClientNumber(mine), ClientNumber(other));
            let address = EoaAddress::from_bytes(address);
            let context_key = |client_number| ContextKey { client_number, number };
            prop_assert!(within(&verdicts(context_key(mine)), &verdict(context_key(mine), &address)));
            prop_assert!(!within(&verdicts(context_key(mine)), &verdict(context_key(other), &address)));
            let live = rows(mine, Environment::Live);
            prop_assert!(within(&live, &row(mine, Environment::Live, seq)));
            prop_assert!(!within(&live, &row(mine, Environment::Sandbox, seq)));
            prop_assert!(!within(&live, &row(other, Environment::Live, seq)));
        }

        #[test]
        fn idempotency_records_sort_by_segment(one: i64, other: i64, digest: [u8; 16]) {
            let [one, other] = [one, other].map(|millis| Segment(Timestamp::from_millis(millis)));
            let at = |run| idempotency_record(run, ClientNumber(7), IdempotencyDigest(digest));
            prop_assert_eq!(at(one).key.cmp(&at(other).key), one.cmp(&other));
            prop_assert_eq!(within(&idempotency_records_in(one), &at(other)), one == other);
            prop_assert_eq!(decode_idempotency_key(&at(one).key), Some((one, ClientNumber(7), IdempotencyDigest(digest))));
        }
    }

    #[test]
    fn verdict_timeline_and_label_are_records_of_an_address() {
        let tables: Vec<_> = address_tables().collect();
        assert!(
            tables.starts_with(&[Table::Verdict, Table::Event, Table::Label]),
            "{tables:?}"
        );
        assert!(
            !tables.contains(&Table::Tombstone) && !tables.contains(&Table::Meter),
            "{tables:?}"
        );
    }

    #[test]
    fn keys_of_format_1_never_change() {
        let address = EoaAddress::from_bytes([0xab; 20]);
        let verdict = verdict(
            ContextKey {
                client_number: ClientNumber(2),
                number: 3,
            },
            &address,
        )
        .key;
        assert_eq!(
            data_encoding::HEXLOWER.encode(&verdict),
            format!("0b0000000200000003{}", "ab".repeat(20))
        );
        let row = row(ClientNumber(2), Environment::Sandbox, 5).key;
        assert_eq!(
            data_encoding::HEXLOWER.encode(&row),
            "1000000002010000000000000005"
        );
    }
}
