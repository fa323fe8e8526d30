//! Verifies verdicts and their timelines.

use super::record::{VerifyState, bytes, client_number, require};
use super::{corrupt, ensure};
use crate::read_records::ReadRecords;
use crate::table::{self, ContextKey, tail};
use crate::{Order, Read};
use voight_domain::ports::StoreError;
use voight_domain::secrets::AddressDigest;
use voight_domain::verdict::{Event, EventKind};
use voight_domain::vocabulary::EoaAddress;

/// Checks that a verdict has an event: both are written together.
pub(super) fn verdict(view: &impl Read, key: &[u8]) -> Result<(), StoreError> {
    let context_key = parse_verdict_key(view, key)?;
    let address = tail(key).map(EoaAddress::from_bytes).ok_or_else(|| corrupt("its key is too short"))?;
    super::record::ensure_key(key, &table::verdict(context_key, &address))?;
    let first = view.collect(&table::timeline(context_key, &address), Order::Ascending, 1, |_, _| ())?;
    ensure(!first.is_empty(), "its timeline is missing")
}

/// Checks that an event that changed a verdict has one: both are written together.
pub(super) fn event(view: &impl Read, seen: &mut VerifyState, key: &[u8], event: &Event) -> Result<(), StoreError> {
    let context_key = parse_verdict_key(view, key)?;
    let (address, number) = (EoaAddress::from_bytes(bytes(key, 9)?), u64::from_be_bytes(bytes(key, 29)?));
    super::record::ensure_key(key, &table::event(context_key, &address, number))?;
    let decided = match &event.kind {
        EventKind::Judged { observation, .. } => observation.is_some(),
        EventKind::Refused { .. } => false,
        EventKind::ClusterLimitExceeded { limit, .. } => limit.flagged,
        EventKind::Overridden { .. } | EventKind::LayerChanged { .. } | EventKind::Replayed { .. } => true,
    };
    if decided {
        require(view, &table::verdict(context_key, &address))?;
    }
    // Last, because it changes the state: after a failed read of the view the record is verified again.
    seen.counts_up(key)
}

pub(super) fn input(view: &impl Read, key: &[u8]) -> Result<(), StoreError> {
    parse_verdict_key(view, key).map(drop)
}

/// Verifies only the key: no other record refers to a tombstone.
pub(super) fn tombstone(view: &impl Read, key: &[u8]) -> Result<(), StoreError> {
    let context_key = parse_verdict_key(view, key)?;
    let digest = tail(key).map(AddressDigest).ok_or_else(|| corrupt("its key is too short"))?;
    super::record::ensure_key(key, &table::tombstone(context_key, digest))
}

/// Checks only the context of a label: an operator may label an address that was never checked.
pub(super) fn label(view: &impl Read, key: &[u8]) -> Result<(), StoreError> {
    let context_key = parse_verdict_key(view, key)?;
    let address = tail(key).map(EoaAddress::from_bytes).ok_or_else(|| corrupt("its key is too short"))?;
    super::record::ensure_key(key, &table::label(context_key, &address))
}

/// Returns the context at the start of a key, whose number must have been assigned.
pub(super) fn parse_verdict_key(view: &impl Read, key: &[u8]) -> Result<ContextKey, StoreError> {
    let context_key = ContextKey { client_number: client_number(key)?, number: u32::from_be_bytes(bytes(key, 5)?) };
    let counts = require(view, &table::counts(context_key.client_number))?;
    ensure((1..=counts.contexts).contains(&context_key.number), "there is no context with its number")?;
    Ok(context_key)
}
