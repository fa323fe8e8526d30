//! Serialises concurrent requests with the same idempotency key: the second waits for the first and replays its response.

use crate::error::ApiError;
use crate::error_table::ErrorId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;
use voight_domain::vocabulary::{ClientId, IdempotencyKey};

/// Timeout for acquiring an idempotency lock; 409 after it.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// Scope of an idempotency key: client, route and key.
type LockKey = (ClientId, &'static str, IdempotencyKey);
type KeyLock = Arc<tokio::sync::Mutex<()>>;

/// Locks of the idempotency keys of requests in progress on this node.
#[derive(Default)]
pub(crate) struct IdempotencyLocks(Mutex<HashMap<LockKey, KeyLock>>);

/// Guard of one idempotency key. Other requests with the key wait until it is dropped; dropping it while it is still waiting is
/// safe.
pub(crate) struct IdempotencyGuard<'a> {
    twins: &'a IdempotencyLocks,
    name: LockKey,
    turn: Option<OwnedMutexGuard<()>>,
}

impl IdempotencyLocks {
    /// Waits until no other request with the key is in progress. Fails with 409 after [`LOCK_TIMEOUT`].
    async fn acquire(
        &self,
        client: ClientId,
        route: &'static str,
        key: IdempotencyKey,
    ) -> Result<IdempotencyGuard<'_>, ApiError> {
        let mut first = IdempotencyGuard { twins: self, name: (client, route, key), turn: None };
        let turn = Arc::clone(self.lock().entry(first.name.clone()).or_default());
        // The lock is nearly always free, and then no timer is needed.
        first.turn = match Arc::clone(&turn).try_lock_owned() {
            Ok(turn) => Some(turn),
            Err(_) => Some(timeout(LOCK_TIMEOUT, turn.lock_owned()).await.map_err(|_| ErrorId::IdempotencyConflict)?),
        };
        Ok(first)
    }

    /// Like [`acquire`](Self::acquire), but returns `None` at once if the request has no idempotency key.
    pub(crate) async fn acquire_if_present(
        &self,
        client: ClientId,
        route: &'static str,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<IdempotencyGuard<'_>>, ApiError> {
        match key {
            Some(key) => self.acquire(client, route, key.clone()).await.map(Some),
            None => Ok(None),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<LockKey, KeyLock>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for IdempotencyGuard<'_> {
    fn drop(&mut self) {
        let mut names = self.twins.lock();
        drop(self.turn.take());
        // The map holds one reference; each waiting request holds another.
        if names.get(&self.name).is_some_and(|turn| Arc::strong_count(turn) == 1) {
            names.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn nothing_is_left_behind() {
        let twins = IdempotencyLocks::default();
        let enter = || twins.acquire(ClientId::from_bytes([1; 16]), "lookup", "key".parse().unwrap());
        let first = enter().await.unwrap();
        // A request that is cancelled while it waits does not release the lock of the others.
        let gone = timeout(Duration::from_millis(5), enter()).await;
        assert!(gone.is_err());
        assert_eq!(twins.lock().len(), 1);
        drop(first);
        assert!(twins.lock().is_empty());
        drop(enter().await.unwrap());
        assert!(twins.lock().is_empty());
    }
}
