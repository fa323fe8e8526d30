//! Deterministic entropy.

use std::sync::atomic::{AtomicU64, Ordering};
use voight_domain::ports::Entropy;

/// Entropy that repeats one byte, for tests that draw at most one value.
#[derive(Debug, Clone, Copy)]
pub struct FixedEntropy(pub u8);

impl Entropy for FixedEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(self.0);
    }
}

/// Entropy whose bytes differ at every call and are equal in every run.
#[derive(Debug, Default)]
pub struct CountingEntropy(AtomicU64);

impl Entropy for CountingEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let mixed_state =
                (self.0.fetch_add(1, Ordering::SeqCst) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            chunk
                .iter_mut()
                .zip(mixed_state.to_be_bytes())
                .for_each(|(byte, drawn)| *byte = drawn);
        }
    }
}
