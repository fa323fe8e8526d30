//! Handshake before a request that carries a proof of the admin token.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// First message of the handshake, sent by the client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Handshake {
    /// Nonce: 32 random bytes in hexadecimal digits.
    pub client_nonce: String,
    /// `Host` header with which the client reaches the listener.
    pub listener: String,
    /// Id of the client's named token; absent for the token of the data directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

/// Response of the listener to a handshake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HandshakeProof {
    /// Nonce of the listener, in hexadecimal digits.
    pub listener_nonce: String,
    /// HMAC-SHA-256 under the admin token, in hexadecimal digits.
    pub proof: String,
}
