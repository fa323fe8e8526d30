//! Who a store is: an identity, a format, and the pepper it belongs to.
//!
//! It is kept twice, in the store and in a file beside it. So a store that is gone, was swapped for another, or came up
//! empty after a crash is noticed at start, instead of being taken for a new one.

mod error;
mod establish;
mod sidecar;

#[cfg(test)]
mod tests;

pub use error::OpenError;
pub(crate) use establish::write;
pub use establish::{IdentityInit, attach_database, load_or_create};
pub use sidecar::{Sidecar, sync_folder_of};
pub(crate) use sidecar::{open_folder_of, replace_file};

use crate::record::{Encode, Record};
use crate::table::Table;
use ulid::Ulid;
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::Timestamp;

/// The version of the record format that this release writes, and the newest that it reads. Stores of older ones are
/// brought to it when they are opened.
pub const FORMAT: u32 = 6;

/// The layout of the identity itself. It stays the same in every format, so that an old release can say that a store is
/// too new for it.
const VERSION: u8 = 1;

/// Who a store is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    id: Ulid,
    format: u32,
    created_at: Timestamp,
    pepper: PepperCommitment,
}

impl Identity {
    /// The identity of a store that keeps records of this release's format in a way of its own, for its dump.
    pub const fn new(id: Ulid, created_at: Timestamp, pepper: PepperCommitment) -> Self {
        Self { id, format: FORMAT, created_at, pepper }
    }

    /// The store's id.
    pub const fn ulid(&self) -> Ulid {
        self.id
    }

    /// The store's id, a ULID in lower case.
    pub fn id(&self) -> String {
        self.id.to_string().to_ascii_lowercase()
    }

    /// The version of its record format.
    pub const fn format(&self) -> u32 {
        self.format
    }

    /// The same store in another format.
    pub(crate) const fn in_format(self, format: u32) -> Self {
        Self { format, ..self }
    }

    /// What it recognises its pepper by.
    pub const fn pepper(&self) -> PepperCommitment {
        self.pepper
    }

    /// When it was created.
    pub const fn created_at(&self) -> Timestamp {
        self.created_at
    }
}

impl Record for Identity {
    const TABLE: Table = Table::Identity;
}

impl Encode for Identity {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.uint(self.format.into()).fixed(&self.id.to_bytes()).int(self.created_at.as_millis());
        out.fixed(&self.pepper.0).finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let format = input.uint_as()?;
        let id = Ulid::from_bytes(input.fixed()?);
        let created_at = Timestamp::from_millis(input.int()?);
        let identity = Self { id, format, created_at, pepper: PepperCommitment(input.fixed()?) };
        input.finish()?;
        Ok(identity)
    }
}
