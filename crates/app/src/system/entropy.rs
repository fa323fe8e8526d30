//! The operating system's random generator.

use voight_domain::ports::Entropy;

/// Random bytes from the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OsEntropy;

impl Entropy for OsEntropy {
    #[expect(clippy::disallowed_methods, reason = "this is the adapter of the `Entropy` port")]
    fn fill(&self, bytes: &mut [u8]) {
        if let Err(error) = getrandom::fill(bytes) {
            tracing::error!(%error, "the operating system gives no random bytes; nothing secret can be made without");
            // The port's contract: no key, nonce or challenge may ever be predictable.
            std::process::abort();
        }
    }
}

impl OsEntropy {
    /// `N` unpredictable bytes.
    pub(crate) fn bytes<const N: usize>(self) -> [u8; N] {
        (&self as &dyn Entropy).bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_draws_differ() {
        assert_ne!(OsEntropy.bytes::<16>(), OsEntropy.bytes::<16>());
    }
}
