//! Loads or creates the identity of a store that is being opened.

use super::Identity;
use crate::read_records::ReadRecords;
use crate::table;
use std::ops::ControlFlow;
use ulid::Ulid;
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::Timestamp;
use voight_encoding::Encode;
use voight_engine::{Batch, Engine, EngineError, OpenError, Order, Read, checksum};

/// Inputs for creating the identity of a new store.
#[derive(Debug, Clone, Copy)]
pub struct IdentityInit {
    /// Commitment to the service's pepper.
    pub pepper: PepperCommitment,
    /// Current time.
    pub now: Timestamp,
    /// Random bytes for the id.
    pub entropy: [u8; 10],
    /// Record format of a new store, and the newest that is accepted.
    pub format: u32,
}

/// Names of a store and of its sidecar in error messages.
#[derive(Debug, Clone, Copy)]
pub struct StoreLocation<'a> {
    /// Name of the store.
    pub place: &'a str,
    /// Path of the sidecar.
    pub sidecar: &'a str,
}

impl IdentityInit {
    fn identity(&self) -> Identity {
        let mut id = [0; 16];
        id[..6].copy_from_slice(&self.now.as_millis().max(0).to_be_bytes()[2..]);
        id[6..].copy_from_slice(&self.entropy);
        Identity {
            id: Ulid::from_bytes(id),
            format: self.format,
            created_at: self.now,
            pepper: self.pepper,
        }
    }
}

/// Loads the identity of the store in `engine`, or creates it if the store is new.
///
/// An existing identity is checked against `expected`, the copy in the sidecar. A new one is created only if the engine
/// is empty and no identity is expected; it is durable before this returns.
pub fn load_or_create(
    engine: &impl Engine,
    expected: Option<&Identity>,
    identity_init: &IdentityInit,
    StoreLocation { place, sidecar }: StoreLocation<'_>,
) -> Result<Identity, OpenError> {
    let Some(identity) = read(engine, place)? else {
        if expected.is_some() {
            return Err(OpenError::DatabaseMissing {
                place: place.to_owned(),
                sidecar: sidecar.to_owned(),
            });
        }
        let identity = identity_init.identity();
        write(engine, &identity, place)?;
        return Ok(identity);
    };
    if identity.format > identity_init.format {
        return Err(OpenError::Newer {
            place: place.to_owned(),
            found: identity.format,
            known: identity_init.format,
        });
    }
    if let Some(expected) = expected {
        ensure_same(&identity, expected, place)?;
    }
    if identity.pepper != identity_init.pepper {
        return Err(OpenError::OtherPepper {
            place: place.to_owned(),
        });
    }
    Ok(identity)
}

/// Attaches the database in `engine` to the store `identity`. An empty database becomes part of the store, because an
/// operator may delete all evidence.
pub fn attach_database(
    engine: &impl Engine,
    identity: &Identity,
    place: &str,
) -> Result<(), OpenError> {
    match read(engine, place)? {
        Some(stored_identity) => ensure_same(&stored_identity, identity, place),
        None => write(engine, identity, place),
    }
}

fn ensure_same(identity: &Identity, expected: &Identity, place: &str) -> Result<(), OpenError> {
    if identity.id == expected.id {
        return Ok(());
    }
    Err(OpenError::PartsMismatch {
        place: place.to_owned(),
        found: identity.id(),
        expected: expected.id(),
    })
}

/// Returns the identity in `engine`; `None` only if the engine is empty.
pub(crate) fn read(engine: &impl Engine, place: &str) -> Result<Option<Identity>, OpenError> {
    let snapshot = engine
        .snapshot()
        .map_err(|error| OpenError::from_engine(place, error))?;
    match snapshot.fetch(&table::identity()) {
        Ok(Some(identity)) => Ok(Some(identity)),
        Ok(None)
            if is_empty(&snapshot).map_err(|error| OpenError::from_engine(place, error))? =>
        {
            Ok(None)
        }
        Ok(None) => Err(OpenError::NotAStore {
            place: place.to_owned(),
        }),
        Err(error) => Err(OpenError::from_store(place, error)),
    }
}

fn is_empty(snapshot: &impl Read) -> Result<bool, EngineError> {
    let mut empty = true;
    snapshot.range(&[], &[u8::MAX], Order::Ascending, &mut |_, _| {
        empty = false;
        ControlFlow::Break(())
    })?;
    Ok(empty)
}

/// Writes the identity of the store to one of its databases.
pub(crate) fn write(
    engine: &impl Engine,
    identity: &Identity,
    place: &str,
) -> Result<(), OpenError> {
    let key = table::identity();
    let value = checksum::with_checksum(&key.key, identity.encode());
    let mut batch = Batch::default();
    batch.put(key.key, value);
    engine
        .apply(&batch)
        .map_err(|error| OpenError::from_engine(place, error))
}
