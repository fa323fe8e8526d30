//! Serialises concurrent requests with the same idempotency key: the second waits for the first and replays its response.

use crate::error::ApiError;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;
use voight_api::ErrorId;
use voight_domain::vocabulary::{ClientId, IdempotencyKey};

/// Timeout for acquiring an idempotency lock; 409 after it.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

type KeyLock = Arc<tokio::sync::Mutex<()>>;
type LockMap = HashMap<u64, KeyLock, foldhash::fast::RandomState>;

/// Locks of the idempotency keys of requests in progress on this node, by a hash of client, route and key. Two keys with the same
/// hash wait for each other.
#[derive(Default)]
pub(crate) struct IdempotencyLocks {
    locks: Mutex<LockMap>,
    /// Hasher of client, route and key, which resists chosen keys.
    hasher: RandomState,
}

/// Guard of one idempotency key. Other requests with the key wait until it is dropped; dropping it while it is still waiting is
/// safe.
pub(crate) struct IdempotencyGuard<'a> {
    locks: &'a IdempotencyLocks,
    key: u64,
    held: Option<OwnedMutexGuard<()>>,
}

impl IdempotencyLocks {
    /// Waits until no other request with the key is in progress. Fails with 409 after [`LOCK_TIMEOUT`].
    async fn acquire(
        &self,
        client: ClientId,
        route: &'static str,
        key: &IdempotencyKey,
    ) -> Result<IdempotencyGuard<'_>, ApiError> {
        let key = self.hasher.hash_one((client, route, key));
        let mut guard = IdempotencyGuard {
            locks: self,
            key,
            held: None,
        };
        let lock = Arc::clone(self.lock().entry(key).or_default());
        // The lock is nearly always free, and then no timer is needed.
        guard.held = match Arc::clone(&lock).try_lock_owned() {
            Ok(held) => Some(held),
            Err(_) => Some(
                timeout(LOCK_TIMEOUT, lock.lock_owned())
                    .await
                    .map_err(|_| ErrorId::IdempotencyConflict)?,
            ),
        };
        Ok(guard)
    }

    /// Like [`acquire`](Self::acquire), but returns `None` at once if the request has no idempotency key.
    pub(crate) async fn acquire_if_present(
        &self,
        client: ClientId,
        route: &'static str,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<IdempotencyGuard<'_>>, ApiError> {
        match key {
            Some(key) => self.acquire(client, route, key).await.map(Some),
            None => Ok(None),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LockMap> {
        self.locks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for IdempotencyGuard<'_> {
    fn drop(&mut self) {
        let mut locks = self.locks.lock();
        drop(self.held.take());
        // The map holds one reference; each waiting request holds another.
        if let Entry::Occupied(lock) = locks.entry(self.key)
            && Arc::strong_count(lock.get()) == 1
        {
            lock.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn lock_without_requests_is_removed() {
        let locks = IdempotencyLocks::default();
        let key = "key".parse().unwrap();
        let acquire = || locks.acquire(ClientId::from_bytes([1; 16]), "lookup", &key);
        let guard = acquire().await.unwrap();
        // A request that is cancelled while it waits does not release the lock of the others.
        let second_lock = timeout(Duration::from_millis(5), acquire()).await;
        assert!(second_lock.is_err());
        assert_eq!(locks.lock().len(), 1);
        drop(guard);
        assert!(locks.lock().is_empty());
        drop(acquire().await.unwrap());
        assert!(locks.lock().is_empty());
    }
}
