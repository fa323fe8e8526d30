//! Keyed digests that are stored instead of the values.

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

/// Keyed digest of an address, used where the address itself is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AddressDigest(pub [u8; 16]);

impl fmt::Display for AddressDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}
