//! The identity of a store that is being opened.

use super::{FORMAT, Identity, OpenError};
use crate::record::Encode;
use crate::typed::ReadRecords;
use crate::{Batch, Engine, EngineError, Order, Read, envelope, table};
use std::ops::ControlFlow;
use ulid::Ulid;
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::Timestamp;

/// What a store is opened with; a new one gets its identity from it.
#[derive(Debug, Clone, Copy)]
pub struct IdentityInit {
    /// The commitment to the service's pepper.
    pub pepper: PepperCommitment,
    /// The time.
    pub now: Timestamp,
    /// Random bytes for the id.
    pub entropy: [u8; 10],
}

impl IdentityInit {
    fn identity(&self) -> Identity {
        let mut id = [0; 16];
        id[..6].copy_from_slice(&self.now.as_millis().max(0).to_be_bytes()[2..]);
        id[6..].copy_from_slice(&self.entropy);
        Identity { id: Ulid::from_bytes(id), format: FORMAT, created_at: self.now, pepper: self.pepper }
    }
}

/// The identity of the store in `engine`: the one it has, checked against the one `expected` by the file beside it; or, if
/// nothing is there and nothing is expected, a new one, written before this returns.
///
/// `place` names the store in errors, `sidecar` the file.
pub fn load_or_create(
    engine: &impl Engine,
    expected: Option<&Identity>,
    founding: &IdentityInit,
    (place, sidecar): (&str, &str),
) -> Result<Identity, OpenError> {
    let Some(found) = read(engine, place)? else {
        if expected.is_some() {
            return Err(OpenError::DatabaseMissing { place: place.to_owned(), sidecar: sidecar.to_owned() });
        }
        let identity = founding.identity();
        write(engine, &identity, place)?;
        return Ok(identity);
    };
    if found.format > FORMAT {
        return Err(OpenError::Newer { place: place.to_owned(), found: found.format, known: FORMAT });
    }
    if let Some(expected) = expected {
        ensure_same(&found, expected, place)?;
    }
    if found.pepper != founding.pepper {
        return Err(OpenError::OtherPepper { place: place.to_owned() });
    }
    Ok(found)
}

/// Makes the database in `engine` a part of the store `identity`: it is that already, or it is empty. Evidence may be
/// thrown away by its operator, so an empty part is not an error.
pub fn attach_database(engine: &impl Engine, identity: &Identity, place: &str) -> Result<(), OpenError> {
    match read(engine, place)? {
        Some(found) => ensure_same(&found, identity, place),
        None => write(engine, identity, place),
    }
}

fn ensure_same(found: &Identity, expected: &Identity, place: &str) -> Result<(), OpenError> {
    if found.id == expected.id {
        return Ok(());
    }
    Err(OpenError::PartsMismatch { place: place.to_owned(), found: found.id(), expected: expected.id() })
}

/// The identity in `engine`; `None` only if nothing at all is there.
fn read(engine: &impl Engine, place: &str) -> Result<Option<Identity>, OpenError> {
    let snapshot = engine.snapshot().map_err(|error| open_error(&error, place))?;
    match snapshot.fetch(&table::identity()) {
        Ok(Some(identity)) => Ok(Some(identity)),
        Ok(None) if is_empty(&snapshot).map_err(|error| open_error(&error, place))? => Ok(None),
        Ok(None) => Err(OpenError::NotAStore { place: place.to_owned() }),
        Err(error) => Err(OpenError::of_store(place, error)),
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

/// Writes who the store is into one of its databases.
pub(crate) fn write(engine: &impl Engine, identity: &Identity, place: &str) -> Result<(), OpenError> {
    let at = table::identity();
    let value = envelope::with_checksum(&at.key, identity.encode());
    let mut batch = Batch::default();
    batch.put(at.key, value);
    engine.apply(&batch).map_err(|error| open_error(&error, place))
}

fn open_error(error: &EngineError, place: &str) -> OpenError {
    match error {
        EngineError::Corrupt(what) => OpenError::damaged(place, what),
        other => OpenError::io(place, other),
    }
}
