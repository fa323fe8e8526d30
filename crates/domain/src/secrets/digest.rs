//! Keyed digests that are stored instead of the values.

use crate::vocabulary::{ContextId, EoaAddress};
use std::fmt;

/// HMAC-SHA-256 of an API key under the pepper, which is stored instead of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyDigest(pub [u8; 32]);

/// Keyed digest of an idempotency key or of the request parameters; never the address itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyDigest(pub [u8; 16]);

/// Keyed hash of a network: an IPv4 address, or the /64 of an IPv6 address.
///
/// The hash is salted by context, so that networks cannot be compared across contexts or recovered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetworkHash(pub [u8; 16]);

/// Key of keyed BLAKE3, which is several times as fast as HMAC-SHA-256 without instructions for SHA-256.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DigestKey([u8; 32]);

/// Keyed digest of an address, used where the address itself is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AddressDigest(pub [u8; 16]);

impl DigestKey {
    /// Creates the key from these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the digest of an address in a context, used for its tombstone.
    pub fn address_digest(&self, context: &ContextId, address: &EoaAddress) -> AddressDigest {
        AddressDigest(self.digest(&[b"context", context.as_str().as_bytes(), address.as_bytes()]))
    }

    /// Returns the digest of the parts with their lengths, which make the encoding of the list unambiguous.
    pub(super) fn digest(&self, parts: &[&[u8]]) -> [u8; 16] {
        // Hashing one message takes fewer instructions than adding each part to a hasher.
        let mut message =
            Vec::with_capacity(parts.iter().map(|part| size_of::<u64>() + part.len()).sum());
        for part in parts {
            message.extend_from_slice(&(part.len() as u64).to_be_bytes());
            message.extend_from_slice(part);
        }
        let mut digest = [0; 16];
        digest.copy_from_slice(&blake3::keyed_hash(&self.0, &message).as_bytes()[..16]);
        digest
    }
}

impl fmt::Debug for DigestKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DigestKey(…)")
    }
}

impl fmt::Display for AddressDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}
