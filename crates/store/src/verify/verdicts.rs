//! Verdicts and their timelines.

use super::check::{VerifyState, bytes, require, tenant};
use super::{corrupt, ensure};
use crate::table::{self, ContextKey, tail};
use crate::typed::ReadRecords;
use crate::{Order, Read};
use voight_domain::ports::StoreError;
use voight_domain::secrets::AddressDigest;
use voight_domain::verdict::{Event, EventKind};
use voight_domain::vocabulary::EoaAddress;

/// Every verdict comes from an event, which is written with it.
pub(super) fn verdict(view: &impl Read, key: &[u8]) -> Result<(), StoreError> {
    let place = parse_verdict_key(view, key)?;
    let address = tail(key).map(EoaAddress::from_bytes).ok_or_else(|| corrupt("its key is too short"))?;
    super::check::ensure_key(key, &table::verdict(place, &address))?;
    let first = view.collect(&table::timeline(place, &address), Order::Ascending, 1, |_, _| ())?;
    ensure(!first.is_empty(), "its timeline is missing")
}

/// What an event has decided is in the verdict, which was written with it.
pub(super) fn event(view: &impl Read, seen: &mut VerifyState, key: &[u8], event: &Event) -> Result<(), StoreError> {
    let place = parse_verdict_key(view, key)?;
    let (address, number) = (EoaAddress::from_bytes(bytes(key, 9)?), u64::from_be_bytes(bytes(key, 29)?));
    super::check::ensure_key(key, &table::event(place, &address, number))?;
    let decided = match &event.kind {
        EventKind::Judged { observation, .. } => observation.is_some(),
        EventKind::Refused { .. } => false,
        EventKind::ClusterLimitExceeded { limit, .. } => limit.flagged,
        EventKind::Overridden { .. } | EventKind::LayerChanged { .. } | EventKind::Replayed { .. } => true,
    };
    if decided {
        require(view, &table::verdict(place, &address))?;
    }
    // Last, because it remembers: a record whose view could not be read is looked at once more.
    seen.counts_up(key)
}

pub(super) fn input(view: &impl Read, key: &[u8]) -> Result<(), StoreError> {
    parse_verdict_key(view, key).map(drop)
}

/// Nothing leads to what an erase has left but the address itself, so only the key is looked at.
pub(super) fn tombstone(view: &impl Read, key: &[u8]) -> Result<(), StoreError> {
    let place = parse_verdict_key(view, key)?;
    let digest = tail(key).map(AddressDigest).ok_or_else(|| corrupt("its key is too short"))?;
    super::check::ensure_key(key, &table::tombstone(place, digest))
}

/// An operator may know an address that was never checked, so nothing but its context has to be there.
pub(super) fn label(view: &impl Read, key: &[u8]) -> Result<(), StoreError> {
    let place = parse_verdict_key(view, key)?;
    let address = tail(key).map(EoaAddress::from_bytes).ok_or_else(|| corrupt("its key is too short"))?;
    super::check::ensure_key(key, &table::label(place, &address))
}

/// The context that a key leads with, which must have been given out.
pub(super) fn parse_verdict_key(view: &impl Read, key: &[u8]) -> Result<ContextKey, StoreError> {
    let place = ContextKey { tenant: tenant(key)?, number: u32::from_be_bytes(bytes(key, 5)?) };
    let counts = require(view, &table::counts(place.tenant))?;
    ensure((1..=counts.contexts).contains(&place.number), "there is no context with its number")?;
    Ok(place)
}
