//! Verifies movement fingerprints and clusters.

use super::record::{bytes, ensure_key};
use super::verdicts::parse_verdict_key;
use super::{corrupt, ensure};
use crate::Read;
use crate::record::{ByteEnum, LinkRecord};
use crate::table;
use voight_domain::linkage::{ClusterKey, ClusterKind, INDEX_PAGES};
use voight_domain::ports::StoreError;

/// Checks that the page number is within the index. The checks on the page may have been deleted long ago.
pub(super) fn page(view: &impl Read, key: &[u8]) -> Result<(), StoreError> {
    let context_key = parse_verdict_key(view, key)?;
    let number = u16::from_be_bytes(bytes(key, 9)?);
    ensure_key(key, &table::traces(context_key, number))?;
    ensure(number < INDEX_PAGES, "its index has no such page")
}

/// Checks that a cluster is stored under its kind, and an assignment under the address.
pub(super) fn cluster(view: &impl Read, key: &[u8], record: &LinkRecord) -> Result<(), StoreError> {
    let context_key = parse_verdict_key(view, key)?;
    match record {
        LinkRecord::Members(_) => {
            let [kind] = bytes(key, 9)?;
            let kind = ClusterKind::from_code(kind).map_err(|error| corrupt(error.to_string()))?;
            ensure_key(key, &table::cluster(context_key, ClusterKey { kind, digest: bytes(key, 10)? }))
        }
        LinkRecord::Assigned { member, .. } => ensure_key(key, &table::assigned(context_key, *member)),
    }
}
