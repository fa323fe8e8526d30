//! Record keys of all tables, typed by their records.
//!
//! The first byte of a key is its table. Keys of a client's records start with the client's number, so that the data of
//! one client is contiguous and no range can include another client's. `voight-encoding` documents the parts of the keys,
//! for code that reads or writes a whole store.

mod check_counts;
mod endpoints;
mod evidence;
mod key;
mod main;

pub(crate) use check_counts::*;
pub(crate) use endpoints::*;
pub(crate) use evidence::*;
pub(crate) use key::{KeyRange, RecordKey, tail};
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

    fn within<R>(span: &KeyRange<R>, key: &RecordKey<R>) -> bool {
        span.from <= key.key && key.key < span.to
    }

    proptest! {
        #[test]
        fn key_range_is_limited_to_its_owner(owner: u32, other_owner: u32, number: u32, address: [u8; 20], seq: u64) {
            prop_assume!(owner != other_owner);
            let owner = ClientNumber(owner);
            let other_owner = ClientNumber(other_owner);
            let address = EoaAddress::from_bytes(address);
            let context_key = |client_number| ContextKey { client_number, number };
            prop_assert!(within(&verdicts(context_key(owner)), &verdict(context_key(owner), &address)));
            prop_assert!(!within(&verdicts(context_key(owner)), &verdict(context_key(other_owner), &address)));
            let live = rows(owner, Environment::Live);
            prop_assert!(within(&live, &row(owner, Environment::Live, seq)));
            prop_assert!(!within(&live, &row(owner, Environment::Sandbox, seq)));
            prop_assert!(!within(&live, &row(other_owner, Environment::Live, seq)));
        }

        #[test]
        fn idempotency_records_sort_by_segment(first_segment: i64, second_segment: i64, digest: [u8; 16]) {
            let [first_segment, second_segment] = [first_segment, second_segment].map(|millis| Segment(Timestamp::from_millis(millis)));
            let record_key = |segment| idempotency_record(segment, ClientNumber(7), IdempotencyDigest(digest));
            prop_assert_eq!(record_key(first_segment).key.cmp(&record_key(second_segment).key), first_segment.cmp(&second_segment));
            prop_assert_eq!(within(&idempotency_records_in(first_segment), &record_key(second_segment)), first_segment == second_segment);
            prop_assert_eq!(parse_idempotency_key(&record_key(first_segment).key), Some((first_segment, ClientNumber(7), IdempotencyDigest(digest))));
        }
    }

    #[test]
    fn address_tables_are_complete() {
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
