//! Evidence as it arrives and is kept: bytes that only an assessor can read.

use super::Challenge;
use crate::secrets::NetworkHash;
use crate::vocabulary::Timestamp;

/// One batch of evidence, exactly as it was received, with what the server saw of the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceBatch {
    /// What the check was opened with.
    pub challenge: Challenge,
    /// The batch's number, 1 to 3.
    pub number: u8,
    /// When it arrived.
    pub received_at: Timestamp,
    /// What the server saw of the call.
    pub call: RequestMetadata,
    /// The JSON document, at most 64 KiB.
    pub body: Vec<u8>,
}

/// What the server itself saw of a call from the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestMetadata {
    /// Names (in lower case) and values of the request headers that say something of the browser.
    pub headers: Vec<(String, String)>,
    /// The caller's network, hashed.
    pub network: NetworkHash,
    /// The family of the caller's address.
    pub family: AddressFamily,
}

/// IPv4 or IPv6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum AddressFamily {
    V4,
    V6,
}

/// The digest of the pointer and key events of a check, from 20 events on: equal digests are the same recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InputDigest(pub [u8; 16]);
