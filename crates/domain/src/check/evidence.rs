//! Evidence as received and stored: bytes that only an assessor parses.

use super::Challenge;
use crate::secrets::NetworkHash;
use crate::vocabulary::Timestamp;

/// Batch of evidence, exactly as it was received, with the metadata of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceBatch {
    /// The challenge of the check.
    pub challenge: Challenge,
    /// The number of the batch, 1 to 3.
    pub number: u8,
    /// The time of receipt.
    pub received_at: Timestamp,
    /// The metadata of the request.
    pub call: RequestMetadata,
    /// The JSON document, at most 64 KiB.
    pub body: Vec<u8>,
}

/// Metadata of a request from the window, as the server observed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestMetadata {
    /// Names (in lower case) and values of the request headers that identify the browser.
    pub headers: Vec<(String, String)>,
    /// The hash of the caller's network.
    pub network: NetworkHash,
    /// The family of the caller's IP address.
    pub family: AddressFamily,
}

/// Family of an IP address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum AddressFamily {
    V4,
    V6,
}

/// Digest of the pointer and key events of a check with at least 20 events.
///
/// Equal digests mean the same recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InputDigest(pub [u8; 16]);
