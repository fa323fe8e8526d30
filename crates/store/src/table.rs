//! The tables and the layouts of their keys.
//!
//! The first byte of a key is its table. Keys of what belongs to a client lead with the client's number, so that one
//! client's data lies together and no range can wander into another's. Numbers are big-endian, so that bytes sort as
//! the numbers do.

mod at;
mod evidence;
mod main;

pub(crate) use at::{At, Span, tail};
pub(crate) use evidence::*;
pub(crate) use main::*;

use std::ops::Range;

macro_rules! tables {
    ($($(#[$meta:meta])* $table:ident = $byte:literal, $name:literal;)*) => {
        /// A table. The bytes are in every stored key, so they are never given to another table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Table { $($(#[$meta])* $table = $byte),* }

        impl Table {
            /// The table that a key begins with.
            pub(crate) fn of_key(key: &[u8]) -> Option<Self> {
                match *key.first()? {
                    $($byte => Some(Self::$table),)*
                    _ => None,
                }
            }

            /// The table's name in messages.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$table => $name),* }
            }
        }
    };
}

tables! {
    Identity = 1, "identity";
    // The three tables that make up the holder of a key lie side by side: see `HOLDERS`.
    Client = 2, "client";
    Key = 3, "key";
    KeyDigest = 4, "key digest";
    KeyOwner = 5, "key owner";
    ClientName = 6, "client name";
    ClientTotal = 7, "number of clients";
    Counts = 8, "numbers of a client";
    Context = 9, "context";
    ContextPlace = 10, "context place";
    Verdict = 11, "verdict";
    Event = 12, "event";
    Input = 13, "input";
    Concluded = 14, "concluded check";
    Meter = 15, "meter";
    Row = 16, "ledger row";
    Opening = 17, "opening";
    Claim = 18, "claim";
    ClaimEnd = 19, "end of a claim";
    Audit = 20, "audit entry";
    PriceBook = 23, "price book";
    EndedPeriod = 24, "ended period";
    Invoice = 25, "invoice";
    Adjustment = 26, "credit or correction";
    Account = 27, "account";
    Alert = 28, "alert";
    Trace = 29, "page of traces";
    Cluster = 30, "cluster";
    AuditHead = 21, "end of the audit log";
    Tombstone = 22, "tombstone";
    Label = 31, "label";
    EvidenceHead = 32, "evidence of a check";
    Evidence = 33, "evidence batch";
    // Only in stores of format 1.
    EvidenceAge = 34, "age of evidence";
    Unsettled = 35, "unsettled check";
    EvidenceTotal = 36, "size of the evidence";
    EvidenceDue = 37, "end of evidence";
    // The main database goes on behind the evidence.
    SigningKey = 38, "number of the signing key";
}

/// The tables of raw evidence; all others are of the main database.
pub(crate) const EVIDENCE: Range<u8> = Table::EvidenceHead as u8..Table::SigningKey as u8;

/// The tables that a cached holder of a key is read from, first and last.
pub(crate) const HOLDERS: (Table, Table) = (Table::Client, Table::KeyDigest);

/// A client's number within the store; keys carry it in place of the 16 bytes of the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tenant(pub(crate) u32);

/// Where a context lies: its client, and its number within the client.
pub(crate) type Place = crate::record::ContextPlace;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use voight_domain::secrets::ClaimDigest;
    use voight_domain::vocabulary::{Environment, EoaAddress, Timestamp};

    fn within<R>(span: &Span<R>, at: &At<R>) -> bool {
        span.from <= at.key && at.key < span.to
    }

    proptest! {
        #[test]
        fn a_span_holds_its_own_and_nobody_else_s(mine: u32, other: u32, number: u32, address: [u8; 20], seq: u64) {
            prop_assume!(mine != other);
            let (mine, other) = (Tenant(mine), Tenant(other));
            let address = EoaAddress::from_bytes(address);
            let place = |tenant| Place { tenant, number };
            prop_assert!(within(&verdicts(place(mine)), &verdict(place(mine), &address)));
            prop_assert!(!within(&verdicts(place(mine)), &verdict(place(other), &address)));
            let live = rows(mine, Environment::Live);
            prop_assert!(within(&live, &row(mine, Environment::Live, seq)));
            prop_assert!(!within(&live, &row(mine, Environment::Sandbox, seq)));
            prop_assert!(!within(&live, &row(other, Environment::Live, seq)));
        }

        #[test]
        fn claims_end_in_the_order_of_time(one: i64, other: i64, digest: [u8; 16]) {
            let end = |millis| claim_end(Timestamp::from_millis(millis), Tenant(7), ClaimDigest(digest));
            prop_assert_eq!(end(one).key < end(other).key, one < other);
            prop_assert_eq!(within(&claims_ended(Timestamp::from_millis(other)), &end(one)), one < other);
            let parts = (Timestamp::from_millis(one), Tenant(7), ClaimDigest(digest));
            prop_assert_eq!(of_claim_end(&end(one).key), Some(parts));
        }
    }

    #[test]
    fn keys_of_format_1_never_change() {
        let address = EoaAddress::from_bytes([0xab; 20]);
        let verdict = verdict(Place { tenant: Tenant(2), number: 3 }, &address).key;
        assert_eq!(data_encoding::HEXLOWER.encode(&verdict), format!("0b0000000200000003{}", "ab".repeat(20)));
        let row = row(Tenant(2), Environment::Sandbox, 5).key;
        assert_eq!(data_encoding::HEXLOWER.encode(&row), "1000000002010000000000000005");
    }
}
