//! Requests with the same idempotency key at the same time: the second waits for the first, and replays.

use crate::error::ApiError;
use crate::error_table::ErrorId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;
use voight_domain::vocabulary::{ClientId, IdempotencyKey};

/// How long a twin waits before it is told to come again.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// Client, route and key: what idempotency keys are scoped to.
type LockKey = (ClientId, &'static str, IdempotencyKey);
type KeyLock = Arc<tokio::sync::Mutex<()>>;

/// The idempotency keys that are being answered on this node.
#[derive(Default)]
pub(crate) struct IdempotencyLocks(Mutex<HashMap<LockKey, KeyLock>>);

/// While it lives, twins wait. Dropping it, also while it waits itself, leaves nothing behind.
pub(crate) struct IdempotencyGuard<'a> {
    twins: &'a IdempotencyLocks,
    name: LockKey,
    turn: Option<OwnedMutexGuard<()>>,
}

impl IdempotencyLocks {
    /// Waits until no twin is being answered; 409 if one still is after five seconds.
    async fn acquire(
        &self,
        client: ClientId,
        route: &'static str,
        key: IdempotencyKey,
    ) -> Result<IdempotencyGuard<'_>, ApiError> {
        let mut first = IdempotencyGuard { twins: self, name: (client, route, key), turn: None };
        let turn = Arc::clone(self.lock().entry(first.name.clone()).or_default());
        // Nearly nobody has a twin, and who has none needs no clock.
        first.turn = match Arc::clone(&turn).try_lock_owned() {
            Ok(turn) => Some(turn),
            Err(_) => Some(timeout(LOCK_TIMEOUT, turn.lock_owned()).await.map_err(|_| ErrorId::IdempotencyConflict)?),
        };
        Ok(first)
    }

    /// The same for a request that may have no idempotency key; without one nobody waits.
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
        // The map holds one reference; whoever waits holds another.
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
        // A twin that goes away while it waits takes nothing from those who stay.
        let gone = timeout(Duration::from_millis(5), enter()).await;
        assert!(gone.is_err());
        assert_eq!(twins.lock().len(), 1);
        drop(first);
        assert!(twins.lock().is_empty());
        drop(enter().await.unwrap());
        assert!(twins.lock().is_empty());
    }
}
