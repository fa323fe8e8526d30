//! Ports of time and randomness.

use crate::vocabulary::Timestamp;

/// Wall clock.
pub trait Clock: Send + Sync {
    /// Returns the current time, UTC.
    fn now(&self) -> Timestamp;
}

/// Random generator of the operating system.
pub trait Entropy: Send + Sync {
    /// Fills `bytes` with unpredictable bytes. An implementation without entropy must stop the process: no key, nonce
    /// or challenge may ever be predictable.
    fn fill(&self, bytes: &mut [u8]);
}

impl dyn Entropy + '_ {
    /// Returns `N` unpredictable bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }
}
