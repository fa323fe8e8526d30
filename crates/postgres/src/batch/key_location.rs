//! Cache of key locations: the digest of an API key leads to its ledger and its id.

use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::lookup;
use crate::value::{RowExt, values};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use voight_domain::metering::LedgerId;
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::{ClientId, Environment, KeyId};
use voight_encoding::ByteEnum;

/// Maximum number of cached locations. When it is exceeded the cache is cleared, because a re-read is cheap.
const CAPACITY: usize = 16_384;

/// Location of an API key. No decision relies on it: the transaction reads the key itself and verifies the digest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyLocation {
    pub(crate) ledger: LedgerId,
    pub(crate) key: KeyId,
}

/// Cache from digests to key locations.
#[derive(Debug, Default)]
pub(crate) struct KeyLocationCache(Mutex<HashMap<KeyDigest, KeyLocation>>);

impl KeyLocationCache {
    pub(crate) fn get(&self, digest: KeyDigest) -> Option<KeyLocation> {
        self.lock().get(&digest).copied()
    }

    pub(crate) fn insert(&self, digest: KeyDigest, location: KeyLocation) {
        let mut locations = self.lock();
        if locations.len() >= CAPACITY {
            locations.clear();
        }
        locations.insert(digest, location);
    }

    pub(crate) fn invalidate(&self, digest: KeyDigest) {
        self.lock().remove(&digest);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<KeyDigest, KeyLocation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the location of the key with this digest; `None` if no key has it.
pub(crate) async fn find(
    transaction: &Transaction,
    digest: KeyDigest,
) -> Result<Option<KeyLocation>, Error> {
    let Some(row) = transaction.row(lookup::ROUTE, values![digest]).await? else {
        return Ok(None);
    };
    let code = u8::try_from(row.number(2)?).unwrap_or(u8::MAX);
    let environment = Environment::from_code(code).map_err(Error::damaged)?;
    let ledger = LedgerId {
        client: ClientId::from_bytes(row.byte_array(0)?),
        environment,
    };
    Ok(Some(KeyLocation {
        ledger,
        key: KeyId::from_bytes(row.byte_array(1)?),
    }))
}
