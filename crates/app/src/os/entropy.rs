//! Random generator of the operating system.

use std::cell::RefCell;
use voight_domain::ports::Entropy;

/// Size of a thread's buffer, in bytes. A lookup needs random bytes twice, and each unbuffered request would be a system call.
const BUFFER_BYTES: usize = 512;
/// Maximum size of a request served from the buffer, in bytes. Longer ones, such as keys and peppers, are read directly: no
/// long-lived secret exists before it is needed.
const MAX_BUFFERED_REQUEST: usize = 16;

/// Source of random bytes from the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OsEntropy;

impl Entropy for OsEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        if bytes.len() > MAX_BUFFERED_REQUEST {
            draw(bytes);
        } else {
            DRAWN.with_borrow_mut(|buffer| buffer.fill(bytes));
        }
    }
}

thread_local! {
    static DRAWN: RefCell<EntropyBuffer> = const { RefCell::new(EntropyBuffer { bytes: [0; BUFFER_BYTES], used: BUFFER_BYTES }) };
}

/// Buffer of random bytes of a thread. Consumed bytes are erased.
struct EntropyBuffer {
    bytes: [u8; BUFFER_BYTES],
    used: usize,
}

impl EntropyBuffer {
    fn fill(&mut self, bytes: &mut [u8]) {
        if self.used + bytes.len() > BUFFER_BYTES {
            draw(&mut self.bytes);
            self.used = 0;
        }
        let next = &mut self.bytes[self.used..self.used + bytes.len()];
        bytes.copy_from_slice(next);
        next.fill(0);
        self.used += bytes.len();
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the adapter of the `Entropy` port"
)]
fn draw(bytes: &mut [u8]) {
    if let Err(error) = getrandom::fill(bytes) {
        tracing::error!(
            event = "random_generator_failed",
            %error,
            "the operating system gives no random bytes; nothing secret can be made without"
        );
        // Required by the contract of the port: no key, nonce or challenge may ever be predictable.
        std::process::abort();
    }
}

impl OsEntropy {
    /// Returns `N` unpredictable bytes.
    pub(crate) fn bytes<const N: usize>(self) -> [u8; N] {
        (&self as &dyn Entropy).bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_draws_are_the_same_and_none_is_given_twice() {
        let draws: HashSet<_> = (0..10 * BUFFER_BYTES / MAX_BUFFERED_REQUEST)
            .map(|_| OsEntropy.bytes::<MAX_BUFFERED_REQUEST>())
            .collect();
        assert_eq!(draws.len(), 10 * BUFFER_BYTES / MAX_BUFFERED_REQUEST);
        assert_ne!(OsEntropy.bytes::<32>(), OsEntropy.bytes::<32>());
    }

    #[test]
    fn returned_bytes_are_erased_from_the_buffer() {
        let mut buffer = EntropyBuffer {
            bytes: [7; BUFFER_BYTES],
            used: 0,
        };
        let mut bytes = [0; 3];
        buffer.fill(&mut bytes);
        assert_eq!((bytes, &buffer.bytes[..4]), ([7; 3], &[0, 0, 0, 7][..]));
    }
}
