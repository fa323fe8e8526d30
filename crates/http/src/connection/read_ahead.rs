//! Bytes of later requests that were read together with the current one.

use tokio::io::ReadBuf;

/// Capacity that is kept for the next bytes.
const KEPT_BYTES: usize = 1024;

/// Bytes that were read and not passed on yet.
#[derive(Debug, Default)]
pub(super) struct ReadAhead {
    bytes: Vec<u8>,
    /// Number of bytes that were passed on.
    passed: usize,
}

impl ReadAhead {
    pub(super) const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Stores `bytes`. None may be stored.
    pub(super) fn store(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Passes on the leading bytes whose number `take` returns.
    pub(super) fn pass(&mut self, into: &mut ReadBuf<'_>, take: impl FnOnce(&[u8]) -> usize) {
        let end = self
            .bytes
            .len()
            .min(self.passed.saturating_add(into.remaining()));
        let bytes = self.bytes.get(self.passed..end).unwrap_or_default();
        let next_bytes = bytes.get(..take(bytes)).unwrap_or_default();
        into.put_slice(next_bytes);
        self.passed += next_bytes.len();
        if self.passed == self.bytes.len() {
            self.bytes.clear();
            self.bytes.shrink_to(KEPT_BYTES);
            self.passed = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_bytes_are_passed_in_order_and_freed() {
        let mut read_ahead = ReadAhead::default();
        read_ahead.store(&[b'a'; 5_000]);
        read_ahead.store(b"bc");
        let mut output = Vec::new();
        while !read_ahead.is_empty() {
            let mut buffer = [0; 300];
            let mut into = ReadBuf::new(&mut buffer);
            read_ahead.pass(&mut into, |bytes| bytes.len().min(299));
            assert!(!into.filled().is_empty());
            output.extend_from_slice(into.filled());
        }
        assert_eq!(output.len(), 5_002);
        assert!(output.ends_with(b"abc") && read_ahead.bytes.capacity() <= KEPT_BYTES);
    }
}
