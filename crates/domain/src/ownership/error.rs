//! Errors of proving ownership. The visitor sees them: they reveal nothing about the result of the check.

/// Error of a proof of ownership.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OwnershipError {
    /// The context requires no signatures.
    #[error("this context requires no proof of wallet ownership")]
    SignatureNotRequired,
    /// The evidence was submitted before the proof.
    #[error("ownership is proven before evidence is sent; start a new check")]
    EvidenceAlreadySubmitted,
    /// The text is not a hexadecimal signature, or its numbers are out of range.
    #[error(
        "a wallet's signature is 0x followed by 130 hexadecimal digits; sign the message with personal_sign"
    )]
    Malformed,
    /// The other form of a valid signature, which any visitor can compute from it.
    #[error(
        "the signature is not in its one accepted form: its s is in the upper half of the range"
    )]
    NotCanonical,
    /// The signature does not have 65 bytes, so only a contract can verify it.
    #[error(
        "a contract account's signature cannot be verified here; let your platform's backend vouch for the visitor"
    )]
    Unverifiable,
    /// Another account signed, or another message was signed.
    #[error(
        "another account signed, or another message was signed; choose the account that you check and sign again"
    )]
    SignerMismatch,
    /// The token of a trusted browser is not valid for this check and browser.
    ///
    /// The token has expired, is for another address or context, or belongs to another browser.
    #[error("this browser has no proof of ownership of this wallet; sign with the wallet")]
    UnknownBrowser,
    /// The text is not a P-256 key in the accepted encoding.
    #[error("a browser's key is an uncompressed P-256 point of 65 bytes in base64url")]
    InvalidBrowserKey,
}

impl OwnershipError {
    /// All errors.
    pub const ALL: [Self; 8] = [
        Self::SignatureNotRequired,
        Self::EvidenceAlreadySubmitted,
        Self::Malformed,
        Self::NotCanonical,
        Self::Unverifiable,
        Self::SignerMismatch,
        Self::UnknownBrowser,
        Self::InvalidBrowserKey,
    ];

    /// Returns the stable name of the error, as logged and counted.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SignatureNotRequired => "signature_not_required",
            Self::EvidenceAlreadySubmitted => "evidence_already_submitted",
            Self::Malformed => "signature_malformed",
            Self::NotCanonical => "signature_not_canonical",
            Self::Unverifiable => "signature_unverifiable",
            Self::SignerMismatch => "signer_mismatch",
            Self::UnknownBrowser => "unknown_browser",
            Self::InvalidBrowserKey => "invalid_browser_key",
        }
    }
}
