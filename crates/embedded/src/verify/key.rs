//! Parses the parts of a record key.

use super::corrupt;
use crate::table::{self, ClientNumber};
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::{Environment, Timestamp};
use voight_encoding::keyspace::from_sortable_bytes;

/// Returns `N` bytes of a key starting at `from`.
pub(super) fn bytes<const N: usize>(key: &[u8], from: usize) -> Result<[u8; N], StoreError> {
    let bytes = key.get(from..).and_then(<[u8]>::first_chunk::<N>);
    bytes
        .copied()
        .ok_or_else(|| corrupt("its key is too short"))
}

/// Returns the client number that follows the table byte of a key.
pub(super) fn client_number(key: &[u8]) -> Result<ClientNumber, StoreError> {
    bytes(key, 1).map(|bytes| ClientNumber(u32::from_be_bytes(bytes)))
}

/// Returns the number at the end of a key.
pub(super) fn number(key: &[u8]) -> Result<u64, StoreError> {
    table::tail(key)
        .map(u64::from_be_bytes)
        .ok_or_else(|| corrupt("its key is too short"))
}

/// Returns the time in a key, starting at `from`.
pub(super) fn time(key: &[u8], from: usize) -> Result<Timestamp, StoreError> {
    bytes(key, from).map(from_sortable_bytes)
}

/// Returns the client number, the environment and the row number of a key.
pub(super) fn parse_ledger_key(key: &[u8]) -> Result<(ClientNumber, Environment, u64), StoreError> {
    Ok((
        client_number(key)?,
        environment(key)?,
        u64::from_be_bytes(bytes(key, 6)?),
    ))
}

/// Returns the environment that follows the client number of a key.
pub(super) fn environment(key: &[u8]) -> Result<Environment, StoreError> {
    match bytes(key, 5)? {
        [0] => Ok(Environment::Live),
        [1] => Ok(Environment::Sandbox),
        _ => Err(corrupt("its key names no environment")),
    }
}
