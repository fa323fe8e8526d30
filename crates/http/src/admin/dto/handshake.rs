//! The handshake before a request that carries a proof of the admin token.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A client's part of the handshake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Handshake {
    /// 32 random bytes in hexadecimal digits.
    pub client_nonce: String,
    /// The `Host` under which the client reaches the listener.
    pub listener: String,
    /// The id of the named token that the client has; without it, the token of the data directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

/// The listener's part of the handshake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HandshakeProof {
    /// The listener's nonce in hexadecimal digits.
    pub listener_nonce: String,
    /// HMAC-SHA-256 under the admin token, in hexadecimal digits.
    pub proof: String,
}
