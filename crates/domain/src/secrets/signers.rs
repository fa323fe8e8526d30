//! Signing keys of an installation over time.

use super::{Pepper, Signer, SigningKeyRotation};
use std::sync::{Arc, PoisonError, RwLock};

/// Signer in use, replaced by a rotation. Clones share it, so that a rotation takes effect everywhere at once.
#[derive(Clone)]
pub(super) struct Signers {
    pepper: Pepper,
    current: Arc<RwLock<Arc<Signer>>>,
}

impl Signers {
    /// Creates the list with the signer of this number in use.
    pub(super) fn derive(pepper: &Pepper, number: u32) -> Self {
        let first = Arc::new(Signer::derive(pepper, number, Vec::new()));
        Self {
            pepper: pepper.clone(),
            current: Arc::new(RwLock::new(first)),
        }
    }

    /// Returns the signer in use.
    pub(super) fn current(&self) -> Arc<Signer> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the signer of this number, in use or not.
    pub(super) fn numbered(&self, number: u32) -> Signer {
        Signer::derive(&self.pepper, number, Vec::new())
    }

    /// Activates the signer of this number, unless a later one is active. `rotations` are those after the signer in use
    /// so far.
    pub(super) fn rotate_to(&self, number: u32, rotations: &[SigningKeyRotation]) {
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        if current.number() < number {
            let rotations = [current.rotations(), rotations].concat();
            *current = Arc::new(Signer::derive(&self.pepper, number, rotations));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_reaches_every_copy() {
        let signers = Signers::derive(&Pepper::from_bytes([6; 32]), 0);
        let copy = signers.clone();
        let old = signers.current();
        signers.rotate_to(2, &[]);
        assert_eq!(copy.current().public_keys().0.len(), 3);
        for earlier in [0, 1, 2] {
            copy.rotate_to(earlier, &[]);
            assert_eq!(signers.current().number(), 2);
        }
        assert!(
            copy.current()
                .verify("receipt+jwt", &old.sign("receipt+jwt", "{}"))
                .is_some()
        );
    }
}
