//! Parsers of wallet ownership.

use super::tokens::SECRETS;
use std::str::from_utf8;
use voight_domain::check::{Challenge, VouchedSession};
use voight_domain::ownership::{BrowserKey, TrustedBrowser, WalletSignature};

/// Parses a frame's public key, as a browser exports it.
pub fn frame_key(bytes: &[u8]) -> bool {
    let Some((text, key)) = from_utf8(bytes)
        .ok()
        .and_then(|text| Some((text, text.parse::<BrowserKey>().ok()?)))
    else {
        return false;
    };
    assert_eq!(text.len(), 87, "65 bytes have another spelling");
    assert!(
        !key.verify("a challenge", text),
        "a key passes as its own signature"
    );
    assert_eq!(
        text.parse::<BrowserKey>()
            .map(|parsed_key| parsed_key.thumbprint()),
        Ok(key.thumbprint())
    );
    true
}

/// Parses the token of a trusted browser, or its body.
pub fn browser_key(bytes: &[u8]) -> bool {
    let is_reencoded = |token: &str| {
        let browser = TrustedBrowser::from_token(token, &SECRETS)?;
        assert_eq!(
            browser.to_token(&SECRETS),
            token,
            "one browser has two tokens"
        );
        Some(browser)
    };
    let sealed_token = SECRETS.seal("remembered binding", bytes.to_vec());
    assert_eq!(
        Challenge::from_token(&sealed_token, &SECRETS),
        None,
        "a trusted browser passes as a challenge"
    );
    assert_eq!(
        VouchedSession::from_token(&sealed_token, &SECRETS),
        None,
        "a trusted browser passes as a session"
    );
    from_utf8(bytes)
        .ok()
        .and_then(is_reencoded)
        .or_else(|| is_reencoded(&sealed_token))
        .is_some()
}

/// Parses the result of `personal_sign`.
pub fn wallet_signature(bytes: &[u8]) -> bool {
    let text_and_signature = from_utf8(bytes)
        .ok()
        .and_then(|text| Some((text, text.parse::<WalletSignature>().ok()?)));
    let Some((text, signature)) = text_and_signature else {
        return false;
    };
    let upper = format!("0x{}", text[2..].to_uppercase());
    assert_eq!(
        upper.parse(),
        Ok(signature),
        "the case of digits changes the signature"
    );
    let first_signer = signature.recover_signer("one text");
    let second_signer = signature.recover_signer("another text");
    assert_eq!(
        signature.recover_signer("one text"),
        first_signer,
        "the signer changes"
    );
    assert!(
        first_signer.is_err() || first_signer != second_signer,
        "one signature is of two texts"
    );
    true
}
