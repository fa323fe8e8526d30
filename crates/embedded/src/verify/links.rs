//! Verifies movement fingerprints and clusters.

use super::key::bytes;
use super::record::{StoredRecord, VerifyRecord, ensure_key, parse_context_key};
use super::{corrupt, ensure};
use crate::record::{ByteEnum, LinkRecord};
use crate::table;
use voight_domain::linkage::{ClusterKey, ClusterKind, FingerprintPage, INDEX_PAGES};
use voight_domain::ports::StoreError;
use voight_engine::Read;

impl VerifyRecord for FingerprintPage {
    /// Checks that the page number is within the index. The checks on the page may have been deleted long ago.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let context_key = parse_context_key(record.view, record.key)?;
        let number = u16::from_be_bytes(bytes(record.key, 9)?);
        ensure_key(record.key, &table::traces(context_key, number))?;
        ensure(number < INDEX_PAGES, "its index has no such page")
    }
}

impl VerifyRecord for LinkRecord {
    /// Checks that a cluster is stored under its kind, and an assignment under the address.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let context_key = parse_context_key(record.view, record.key)?;
        match self {
            LinkRecord::Members(_) => {
                let [kind] = bytes(record.key, 9)?;
                let kind =
                    ClusterKind::from_code(kind).map_err(|error| corrupt(error.to_string()))?;
                ensure_key(
                    record.key,
                    &table::cluster(
                        context_key,
                        ClusterKey {
                            kind,
                            digest: bytes(record.key, 10)?,
                        },
                    ),
                )
            }
            LinkRecord::Assigned { member, .. } => {
                ensure_key(record.key, &table::assigned(context_key, *member))
            }
        }
    }
}
