//! How each record is written: our own encoding, a version byte in front.
//!
//! A layout that has been released is never changed; a new one gets a new version and the reader knows both.

mod audit;
mod check;
mod client;
mod code;
mod context;
mod event;
mod evidence;
mod index;
mod invoice;
mod key;
mod label;
mod ledger;
mod link;
mod period;
mod tombstone;
mod verdict;

#[cfg(test)]
mod tests;

pub(crate) use client::{ClientTotal, Counts, NumberedClient};
pub(crate) use code::Coded;
pub(crate) use context::ContextPlace;
pub(crate) use evidence::{EvidenceHead, EvidenceTotal};
pub(crate) use index::{Aged, ClaimEnd, Due, InputOwner, KeyOwner, KeyPlace, NameOwner, SigningKeyNumber, Unsettled};
pub(crate) use link::LinkRecord;

use crate::table::Table;
use voight_domain::codec::DecodeError;

/// The version byte of every layout so far.
const VERSION: u8 = 1;

/// A value with a table of its own.
pub(crate) trait Record: Sized {
    /// The table it is kept in.
    const TABLE: Table;

    /// Its bytes, a version byte in front.
    fn encode(&self) -> Vec<u8>;

    /// The record with these bytes.
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError>;
}
