//! Parsers of tokens that callers return. An accepted token was sealed by the service and has one encoding.
//!
//! A mutation never hits a valid MAC, so bytes are also tried as the body of a token that the test seals.

use std::str::from_utf8;
use std::sync::LazyLock;
use voight_api::AdminTokenSecret;
use voight_api::proof::{ProvenRequest, RequestProof};
use voight_domain::check::{Challenge, RECEIPT_TYPE, Receipt, VouchedSession};
use voight_domain::secrets::{Pepper, Secrets};

/// Secrets of the corpora, derived once because the derivation is slow.
pub(super) static SECRETS: LazyLock<Secrets> =
    LazyLock::new(|| Secrets::derive(&Pepper::from_bytes([7; 32]), 1));

/// Parses the token of a challenge, or its body.
pub fn challenge(bytes: &[u8]) -> bool {
    let token = from_utf8(bytes)
        .ok()
        .and_then(|token| Some((token, Challenge::from_token(token, &SECRETS)?)));
    if let Some((token, challenge)) = &token {
        assert_eq!(
            challenge.to_token(&SECRETS),
            *token,
            "one challenge has two tokens"
        );
    }
    let body = Challenge::from_bytes(bytes);
    let sealed_token = SECRETS.seal("challenge", bytes.to_vec());
    assert_eq!(
        Challenge::from_token(&sealed_token, &SECRETS),
        body.clone().ok()
    );
    assert_eq!(
        VouchedSession::from_token(&sealed_token, &SECRETS),
        None,
        "a challenge passes as a session"
    );
    if let Ok(challenge) = &body {
        assert_eq!(
            challenge.to_bytes(),
            bytes,
            "one challenge has two encodings"
        );
    }
    token.is_some() || body.is_ok()
}

/// Parses the token of a vouched session, or its body.
pub fn session(bytes: &[u8]) -> bool {
    let is_reencoded = |token: &str| {
        let session = VouchedSession::from_token(token, &SECRETS)?;
        assert_eq!(
            session.to_token(&SECRETS),
            token,
            "one session has two tokens"
        );
        Some(session)
    };
    let sealed_token = SECRETS.seal("session", bytes.to_vec());
    assert_eq!(
        Challenge::from_token(&sealed_token, &SECRETS),
        None,
        "a session passes as a challenge"
    );
    from_utf8(bytes)
        .ok()
        .and_then(is_reencoded)
        .or_else(|| is_reencoded(&sealed_token))
        .is_some()
}

/// Parses a signed receipt, or its payload. An accepted payload has one encoding.
pub fn receipt(bytes: &[u8]) -> bool {
    let Ok(token) = from_utf8(bytes) else {
        return false;
    };
    let signed_token = SECRETS.signer().sign(RECEIPT_TYPE, token);
    if let Some(receipt) = Receipt::from_token(&signed_token, &SECRETS) {
        assert_eq!(
            receipt.to_token(&SECRETS),
            signed_token,
            "one receipt has two payloads"
        );
        return true;
    }
    let Some(payload) = SECRETS.signer().verify(RECEIPT_TYPE, token) else {
        return false;
    };
    assert_eq!(
        SECRETS.signer().sign(RECEIPT_TYPE, &payload),
        token,
        "one receipt has two tokens"
    );
    assert_eq!(SECRETS.signer().verify("another type", token), None);
    true
}

/// The proof of an admin token in an `Authorization` header, behind its scheme. It has one spelling, and opens nothing for a token
/// that did not make it.
pub fn request_proof(bytes: &[u8]) -> bool {
    let Some(proof) = RequestProof::parse(bytes) else {
        return false;
    };
    assert_eq!(
        proof.to_string().as_bytes(),
        bytes,
        "one proof has two spellings"
    );
    let request = ProvenRequest {
        method: "GET",
        target: "/admin/v1/usage",
    };
    let opens = AdminTokenSecret::parse("no-proof-here-is-of-this-token")
        .map(|token| proof.is_valid_for(&token, "127.0.0.1:8081", request));
    assert_eq!(opens, Ok(false), "a forged proof is accepted");
    true
}
