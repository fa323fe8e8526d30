//! Mutual proof of the admin token. Client and listener exchange MACs over fresh nonces, so that a program that listens in the
//! place of the service learns neither the token nor a proof that another listener accepts. ADR 22 has the threat model.
//!
//! 1. The client sends a nonce and the name under which it reaches the listener (`POST /admin/v1/handshake`).
//! 2. The listener answers with a nonce of its own and the MAC `listener` over both nonces and that name.
//! 3. The client verifies the MAC, and only then sends its request with the MAC `request` over both nonces, the name, and the
//!    method and target of the request. The listener accepts the proof for that request only, within [`PROOF_LIFE`].

use crate::AdminTokenSecret;
use crate::admin::{Handshake, HandshakeProof};
use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;
use std::time::Duration;
use subtle::ConstantTimeEq;
use voight_domain::vocabulary::AdminTokenId;

/// Scheme of the `Authorization` header that carries a proof.
pub const SCHEME: &str = "Voight-Proof";
/// Time after the handshake in which its proof is accepted.
pub const PROOF_LIFE: Duration = Duration::from_mins(1);
/// Path of the handshake.
pub const HANDSHAKE_PATH: &str = "/admin/v1/handshake";
/// Length of a client nonce, in bytes.
pub const CLIENT_NONCE_BYTES: usize = 32;
/// Length of an HMAC-SHA-256, in bytes.
const MAC_BYTES: usize = 32;
/// Length of the id of a named token, in characters.
const ID_CHARACTERS: usize = 26;

const LISTENER: &[u8] = b"voight admin listener 1";
const REQUEST: &[u8] = b"voight admin request 1";

/// Nonce of a listener, valid until a time on the monotonic clock of its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListenerNonce {
    /// Random bytes that identify the process.
    pub process: [u8; 16],
    /// Expiry, in milliseconds since the start of the process.
    pub end: u64,
    /// Random bytes of this nonce.
    pub random: [u8; 16],
}

impl ListenerNonce {
    fn to_bytes(self) -> [u8; 40] {
        let mut bytes = [0; 40];
        bytes[..16].copy_from_slice(&self.process);
        bytes[16..24].copy_from_slice(&self.end.to_be_bytes());
        bytes[24..].copy_from_slice(&self.random);
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (process, rest) = bytes.split_first_chunk()?;
        let (end, random) = rest.split_first_chunk()?;
        Some(Self {
            process: *process,
            end: u64::from_be_bytes(*end),
            random: random.try_into().ok()?,
        })
    }
}

/// Part of a request that its proof covers. The body is not covered.
#[derive(Debug, Clone, Copy)]
pub struct ProvenRequest<'a> {
    /// The method.
    pub method: &'a str,
    /// Path and query.
    pub target: &'a str,
}

/// Proof in an `Authorization` header, after the scheme. Its only accepted spelling is the one that `Display` writes.
pub struct RequestProof {
    /// Id of the named token that made the proof; `None` for the token of the data directory.
    pub token: Option<AdminTokenId>,
    client_nonce: [u8; CLIENT_NONCE_BYTES],
    /// Nonce of the listener.
    pub nonce: ListenerNonce,
    mac: [u8; MAC_BYTES],
}

impl fmt::Display for RequestProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(token) = self.token {
            write!(f, "{token}.")?;
        }
        let [client_nonce, nonce, mac] =
            [&self.client_nonce[..], &self.nonce.to_bytes(), &self.mac];
        let hex = |bytes| HEXLOWER.encode(bytes);
        write!(f, "{}.{}.{}", hex(client_nonce), hex(nonce), hex(mac))
    }
}

impl RequestProof {
    /// Parses the header value after the scheme. Returns `None` if a part is missing or has another length or spelling.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let (token, text) = match text.split(|byte| *byte == b'.').count() {
            4 => {
                let (id, rest) = text.split_at_checked(ID_CHARACTERS)?;
                (
                    Some(std::str::from_utf8(id).ok()?.parse().ok()?),
                    rest.strip_prefix(b".")?,
                )
            }
            _ => (None, text),
        };
        let mut parts = text
            .split(|byte| *byte == b'.')
            .map(|part| HEXLOWER.decode(part).ok());
        let client_nonce = parts.next()??;
        let nonce = parts.next()??;
        let mac = parts.next()??;
        if parts.next().is_some() {
            return None;
        }
        let [client_nonce, mac] = [client_nonce.try_into().ok()?, mac.try_into().ok()?];
        Some(Self {
            token,
            client_nonce,
            nonce: ListenerNonce::from_bytes(&nonce)?,
            mac,
        })
    }

    /// Returns `true` if the proof was made with `token` for this request to the listener of this name.
    pub fn is_valid_for(
        &self,
        token: &AdminTokenSecret,
        listener: &str,
        request: ProvenRequest<'_>,
    ) -> bool {
        let mac = request_mac(
            token,
            listener,
            &self.client_nonce,
            &self.nonce.to_bytes(),
            request,
        );
        mac.ct_eq(&self.mac).into()
    }
}

/// Answers a handshake as the listener. Returns `None` if the client's nonce has another length or is not hexadecimal.
pub fn answer(
    token: &AdminTokenSecret,
    handshake: &Handshake,
    nonce: ListenerNonce,
) -> Option<HandshakeProof> {
    let client_nonce = HEXLOWER.decode(handshake.client_nonce.as_bytes()).ok()?;
    if client_nonce.len() != CLIENT_NONCE_BYTES {
        return None;
    }
    let nonce = nonce.to_bytes();
    let proof = listener_mac(token, &handshake.listener, &client_nonce, &nonce);
    Some(HandshakeProof {
        listener_nonce: HEXLOWER.encode(&nonce),
        proof: HEXLOWER.encode(&proof),
    })
}

/// Begins a handshake as a client that reaches the listener under the name `listener`. Of a named token the handshake contains
/// only the id; of the token of the data directory it contains nothing.
pub fn handshake(
    token: &AdminTokenSecret,
    listener: &str,
    client_nonce: &[u8; CLIENT_NONCE_BYTES],
) -> Handshake {
    let token = token.named_id().map(|id| id.to_string());
    Handshake {
        client_nonce: HEXLOWER.encode(client_nonce),
        listener: listener.to_owned(),
        token,
    }
}

/// Returns the value of the `Authorization` header for one request, or `None` if the listener did not prove that it knows the token.
pub fn authorization(
    token: &AdminTokenSecret,
    handshake: &Handshake,
    answer: &HandshakeProof,
    request: ProvenRequest<'_>,
) -> Option<String> {
    let client_nonce: [u8; CLIENT_NONCE_BYTES] = HEXLOWER
        .decode(handshake.client_nonce.as_bytes())
        .ok()?
        .try_into()
        .ok()?;
    let nonce = HEXLOWER.decode(answer.listener_nonce.as_bytes()).ok()?;
    let proof = HEXLOWER.decode(answer.proof.as_bytes()).ok()?;
    let listener_nonce = ListenerNonce::from_bytes(&nonce)?;
    if !bool::from(listener_mac(token, &handshake.listener, &client_nonce, &nonce).ct_eq(&proof)) {
        return None;
    }
    let mac = request_mac(token, &handshake.listener, &client_nonce, &nonce, request);
    Some(format!(
        "{SCHEME} {}",
        RequestProof {
            token: token.named_id(),
            client_nonce,
            nonce: listener_nonce,
            mac
        }
    ))
}

fn listener_mac(
    token: &AdminTokenSecret,
    listener: &str,
    client_nonce: &[u8],
    nonce: &[u8],
) -> [u8; MAC_BYTES] {
    mac(token, &[LISTENER, listener.as_bytes(), client_nonce, nonce])
}

fn request_mac(
    token: &AdminTokenSecret,
    listener: &str,
    client_nonce: &[u8],
    nonce: &[u8],
    ProvenRequest { method, target }: ProvenRequest<'_>,
) -> [u8; MAC_BYTES] {
    mac(
        token,
        &[
            REQUEST,
            listener.as_bytes(),
            client_nonce,
            nonce,
            method.as_bytes(),
            target.as_bytes(),
        ],
    )
}

/// Computes an HMAC-SHA-256 keyed with the token over the parts with their lengths, so that no two lists of parts have the same bytes.
fn mac(token: &AdminTokenSecret, parts: &[&[u8]]) -> [u8; MAC_BYTES] {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(token.expose().as_bytes()) else {
        unreachable!("HMAC takes keys of every length");
    };
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONCE: ListenerNonce = ListenerNonce {
        process: [1; 16],
        end: 60_000,
        random: [2; 16],
    };
    const READ: ProvenRequest<'static> = ProvenRequest {
        method: "GET",
        target: "/admin/v1/usage",
    };

    fn token(text: &str) -> AdminTokenSecret {
        AdminTokenSecret::parse(text).unwrap()
    }

    fn is_accepted(header: &str, listener: &str, request: ProvenRequest<'_>) -> bool {
        let text = header.strip_prefix("Voight-Proof ").unwrap();
        let proof = RequestProof::parse(text.as_bytes()).unwrap();
        assert_eq!(proof.nonce, NONCE);
        proof.is_valid_for(&token("0123456789abcdef"), listener, request)
    }

    #[test]
    fn proof_is_accepted_for_one_request_by_one_listener() {
        let token = token("0123456789abcdef");
        let hello = handshake(&token, "127.0.0.1:8081", &[3; 32]);
        let answer = answer(&token, &hello, NONCE).unwrap();
        let header = authorization(&token, &hello, &answer, READ).unwrap();
        assert!(is_accepted(&header, "127.0.0.1:8081", READ));
        assert!(!is_accepted(&header, "127.0.0.1:9091", READ));
        assert!(!is_accepted(
            &header,
            "127.0.0.1:8081",
            ProvenRequest {
                method: "POST",
                ..READ
            }
        ));
        assert!(!is_accepted(
            &header,
            "127.0.0.1:8081",
            ProvenRequest {
                target: "/admin/v1/usage?client=a",
                ..READ
            }
        ));
    }

    #[test]
    fn proof_is_sent_only_to_a_listener_with_the_token() {
        let own_token = token("0123456789abcdef");
        let other_token = token("fedcba9876543210");
        let hello = handshake(&own_token, "127.0.0.1:8081", &[3; 32]);
        let foreign = answer(&other_token, &hello, NONCE).unwrap();
        assert_eq!(authorization(&own_token, &hello, &foreign, READ), None);
        // A listener that relays the handshake of another name to the service proves that name, not its own.
        let relayed_proof = answer(
            &own_token,
            &handshake(&own_token, "127.0.0.1:9091", &[3; 32]),
            NONCE,
        )
        .unwrap();
        assert_eq!(
            authorization(&own_token, &hello, &relayed_proof, READ),
            None
        );
        let other_nonce = answer(
            &own_token,
            &handshake(&own_token, "127.0.0.1:8081", &[4; 32]),
            NONCE,
        )
        .unwrap();
        assert_eq!(authorization(&own_token, &hello, &other_nonce, READ), None);
    }

    #[test]
    fn malformed_proofs_and_nonces_are_rejected() {
        for text in [
            "",
            "..",
            "00.00.00",
            "zz.zz.zz",
            &format!("{}.{}.00.00", "00".repeat(32), "00".repeat(40)),
        ] {
            assert!(RequestProof::parse(text.as_bytes()).is_none(), "{text}");
        }
        let short = Handshake {
            client_nonce: "00".into(),
            listener: "localhost".into(),
            token: None,
        };
        assert_eq!(answer(&token("0123456789abcdef"), &short, NONCE), None);
    }
}
