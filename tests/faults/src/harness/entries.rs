//! Expected contents of a database, kept outside of it.

use anyhow::Result;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use voight_engine::{Batch, Engine, Order, Read};

/// Number of distinct keys; small, so that most are written more than once.
const KEYS: u16 = 400;

/// Expected value of every key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedEntries(BTreeMap<Vec<u8>, Vec<u8>>);

impl ExpectedEntries {
    /// Reads the entries of a database.
    pub fn read_from(engine: &impl Engine) -> Result<Self> {
        let mut entries = BTreeMap::new();
        engine
            .snapshot()?
            .range(&[], &[u8::MAX; 2], Order::Ascending, &mut |key, value| {
                entries.insert(key.to_vec(), value.to_vec());
                ControlFlow::Continue(())
            })?;
        Ok(Self(entries))
    }

    /// Returns the entries after a batch.
    #[must_use]
    pub fn after_batch(&self, batch: &Batch) -> Self {
        let mut entries = self.0.clone();
        for (key, value) in batch.iter() {
            match value {
                Some(value) => entries.insert(key.to_vec(), value.to_vec()),
                None => entries.remove(&*key),
            };
        }
        Self(entries)
    }

    /// Generates a batch with sizes of real records. One batch in eight removes half of the entries.
    pub fn batch(&self, random: &mut Rng) -> Batch {
        let mut batch = Batch::default();
        if random.u8(..8) == 0 {
            self.0
                .keys()
                .filter(|_| random.bool())
                .for_each(|key| batch.remove(key.clone()));
        }
        for _ in 0..random.u8(1..40) {
            let number = random.u16(..KEYS);
            let key = [
                &number.to_be_bytes()[..],
                &vec![7; usize::from(number % 60)],
            ]
            .concat();
            if random.u8(..4) == 0 {
                batch.remove(key);
            } else {
                batch.put(key, value(random));
            }
        }
        batch
    }
}

/// Generates a value: most are as small as a verdict, some fill several pages like evidence.
fn value(random: &mut Rng) -> Vec<u8> {
    let length = match random.u8(..100) {
        0 => random.usize(..30_000),
        1..10 => random.usize(..5_000),
        _ => random.usize(..200),
    };
    vec![random.u8(..); length]
}
