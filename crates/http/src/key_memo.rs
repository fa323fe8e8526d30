//! Digest of the API key that a connection sent last.

use std::cell::RefCell;
use subtle::ConstantTimeEq;
use voight_domain::secrets::KeyDigest;

/// Digest of the last API key of a connection, so that it is computed once for a backend that keeps its connection.
#[derive(Default)]
pub(crate) struct KeyMemo(RefCell<Option<(String, KeyDigest)>>);

impl KeyMemo {
    /// Returns the digest of `key`, which `compute` returns for a valid key. The time of the comparison does not depend on the
    /// previous key, since several callers may share a connection of a proxy.
    pub(crate) fn digest<E>(
        &self,
        key: &str,
        compute: impl FnOnce() -> Result<KeyDigest, E>,
    ) -> Result<KeyDigest, E> {
        if let Some((previous, digest)) = &*self.0.borrow()
            && previous.as_bytes().ct_eq(key.as_bytes()).into()
        {
            return Ok(*digest);
        }
        let digest = compute()?;
        *self.0.borrow_mut() = Some((key.to_owned(), digest));
        Ok(digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_is_computed_again_for_another_key_only() {
        let memo = KeyMemo::default();
        let digest = |key: &str, byte: Result<u8, ()>| {
            memo.digest(key, || byte.map(|byte| KeyDigest([byte; 32])))
        };
        assert_eq!(digest("a", Ok(1)), Ok(KeyDigest([1; 32])));
        assert_eq!(digest("a", Err(())), Ok(KeyDigest([1; 32])));
        assert_eq!(digest("b", Err(())), Err(()));
        assert_eq!(digest("b", Ok(2)), Ok(KeyDigest([2; 32])));
        assert_eq!(digest("a", Ok(3)), Ok(KeyDigest([3; 32])));
    }
}
