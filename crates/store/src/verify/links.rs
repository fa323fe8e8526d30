//! Traces and clusters.

use super::check::{bytes, ensure_key};
use super::verdicts::parse_verdict_key;
use super::{corrupt, ensure};
use crate::Read;
use crate::record::{ByteEnum, LinkRecord};
use crate::table;
use voight_domain::links::{ClusterKey, ClusterKind, INDEX_PAGES};
use voight_domain::ports::StoreError;

/// A page lies within its index. Checks on it may be long forgotten.
pub(super) fn page(view: &impl Read, key: &[u8]) -> Result<(), StoreError> {
    let place = parse_verdict_key(view, key)?;
    let number = u16::from_be_bytes(bytes(key, 9)?);
    ensure_key(key, &table::traces(place, number))?;
    ensure(number < INDEX_PAGES, "its index has no such page")
}

/// What is known of a cluster lies under its kind, and what was assigned to an address under the address.
pub(super) fn cluster(view: &impl Read, key: &[u8], record: &LinkRecord) -> Result<(), StoreError> {
    let place = parse_verdict_key(view, key)?;
    match record {
        LinkRecord::Members(_) => {
            let [kind] = bytes(key, 9)?;
            let kind = ClusterKind::from_code(kind).map_err(|error| corrupt(error.to_string()))?;
            ensure_key(key, &table::cluster(place, ClusterKey { kind, digest: bytes(key, 10)? }))
        }
        LinkRecord::Assigned { member, .. } => ensure_key(key, &table::assigned(place, *member)),
    }
}
