//! Last use of each key: recorded in memory for each admitted request, stored by a background job.

use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{PoisonError, RwLock};
use voight_domain::registry::KeyUse;
use voight_domain::vocabulary::{KeyId, Timestamp};

/// Last use of each key since the previous store. A request takes a shared lock and writes one number.
/// The service assigns the ids of keys, so a fast hash is sufficient.
#[derive(Debug, Default)]
pub struct KeyUses(RwLock<HashMap<KeyId, AtomicI64, RandomState>>);

impl KeyUses {
    /// Records an admitted request of a key.
    pub(crate) fn note(&self, key: KeyId, at: Timestamp) {
        if let Some(last) = self
            .0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
        {
            last.fetch_max(at.as_millis(), Ordering::Relaxed);
            return;
        }
        let mut uses = self.0.write().unwrap_or_else(PoisonError::into_inner);
        uses.entry(key)
            .or_default()
            .fetch_max(at.as_millis(), Ordering::Relaxed);
    }

    /// Returns the use of a key that is not stored yet.
    pub(crate) fn latest(&self, key: KeyId) -> Option<Timestamp> {
        let uses = self.0.read().unwrap_or_else(PoisonError::into_inner);
        uses.get(&key)
            .map(|last| Timestamp::from_millis(last.load(Ordering::Relaxed)))
    }

    /// Removes and returns all uses, to be stored.
    pub fn take(&self) -> Vec<KeyUse> {
        let uses = std::mem::take(&mut *self.0.write().unwrap_or_else(PoisonError::into_inner));
        uses.into_iter()
            .map(|(key, at)| KeyUse {
                key,
                at: Timestamp::from_millis(at.into_inner()),
            })
            .collect()
    }

    /// Restores uses that could not be stored.
    pub fn put_back(&self, uses: Vec<KeyUse>) {
        for KeyUse { key, at } in uses {
            self.note(key, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u8) -> KeyId {
        KeyId::from_bytes([number; 16])
    }

    #[test]
    fn latest_use_of_each_key_is_taken_once() {
        let uses = KeyUses::default();
        for (number, at) in [(1, 5), (2, 9), (1, 7), (1, 6)] {
            uses.note(key(number), Timestamp::from_millis(at));
        }
        let mut key_uses = uses.take();
        key_uses.sort_by_key(|usage| usage.key);
        let latest_uses = [(1, 7), (2, 9)].map(|(number, at)| KeyUse {
            key: key(number),
            at: Timestamp::from_millis(at),
        });
        assert_eq!(key_uses, latest_uses);
        assert_eq!((uses.take(), uses.latest(key(1))), (vec![], None));
    }

    #[test]
    fn restored_uses_do_not_replace_later_ones() {
        let uses = KeyUses::default();
        uses.note(key(1), Timestamp::from_millis(5));
        let key_uses = uses.take();
        uses.note(key(1), Timestamp::from_millis(8));
        uses.put_back(key_uses);
        assert_eq!(uses.latest(key(1)), Some(Timestamp::from_millis(8)));
    }
}
