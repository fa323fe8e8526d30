//! Identity of a store: id, format version, creation time and pepper commitment.
//!
//! The store and the sidecar file each hold a copy. A store that is missing, was swapped for another, or is empty after
//! a crash is therefore detected at start instead of being taken for a new one.

mod load;
mod sidecar;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use load::read;
pub(crate) use load::write;
pub use load::{IdentityInit, StoreLocation, attach_database, load_or_create};
pub use sidecar::Sidecar;

use crate::migrate::{FIRST_FORMAT, Migrations};
use ulid::Ulid;
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::Timestamp;
use voight_encoding::Encode;

/// Record format that this release writes, and the newest that it reads. Older stores are migrated to it when they are
/// opened.
pub const FORMAT: u32 = Migrations::RELEASED.format();

/// Version of the layout of the identity itself. It is constant over all formats, so that an old release can report
/// that a store is too new.
const VERSION: u8 = 1;

/// Identity of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    id: Ulid,
    format: u32,
    created_at: Timestamp,
    pepper: PepperCommitment,
}

impl Identity {
    /// Creates the identity for a dump of a store that is not embedded. Its records have this release's format.
    pub const fn new(id: Ulid, created_at: Timestamp, pepper: PepperCommitment) -> Self {
        Self {
            id,
            format: FORMAT,
            created_at,
            pepper,
        }
    }

    /// Returns the id of the store.
    pub const fn ulid(&self) -> Ulid {
        self.id
    }

    /// Returns the id of the store as a ULID in lower case.
    pub fn id(&self) -> String {
        self.id.to_string().to_ascii_lowercase()
    }

    /// Returns the version of the record format.
    pub const fn format(&self) -> u32 {
        self.format
    }

    /// Returns this identity with another format version.
    pub(crate) const fn in_format(self, format: u32) -> Self {
        Self { format, ..self }
    }

    /// Returns the commitment to the pepper.
    pub const fn pepper(&self) -> PepperCommitment {
        self.pepper
    }

    /// Returns the creation time.
    pub const fn created_at(&self) -> Timestamp {
        self.created_at
    }
}

impl Encode for Identity {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.uint(self.format.into())
            .fixed(&self.id.to_bytes())
            .int(self.created_at.as_millis());
        out.fixed(&self.pepper.0).finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let format = input.uint_as()?;
        if format < FIRST_FORMAT {
            return Err(DecodeError::OutOfRange("a record format"));
        }
        let id = Ulid::from_bytes(input.fixed()?);
        let created_at = Timestamp::from_millis(input.int()?);
        let identity = Self {
            id,
            format,
            created_at,
            pepper: PepperCommitment(input.fixed()?),
        };
        input.finish()?;
        Ok(identity)
    }
}
