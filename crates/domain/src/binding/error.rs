//! Why a check was not bound. The visitor is told: it says nothing of what a check finds.

/// What is wrong with a proof that an address is the visitor's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OwnershipError {
    /// The context asks for no signatures.
    #[error("this context binds no checks to a wallet")]
    SignatureNotRequired,
    /// Evidence came before the proof.
    #[error("a check is bound before its evidence is sent; start a new check")]
    EvidenceAlreadySubmitted,
    /// No hexadecimal signature of 65 bytes.
    #[error("a wallet's signature is 0x followed by 130 hexadecimal digits; sign the message with personal_sign")]
    Malformed,
    /// Another spelling of a valid signature, which anybody can make of it.
    #[error("the signature is not in its one accepted form: its s is in the upper half of the range")]
    NotCanonical,
    /// A signature that only a contract could verify.
    #[error(
        "a contract account's signature cannot be verified here; let your platform's backend vouch for the visitor"
    )]
    Unverifiable,
    /// The key that signed is not the address's, or it signed another message.
    #[error("another account signed, or another message was signed; choose the account that you check and sign again")]
    SignerMismatch,
    /// A remembered binding that has ended, is of another address or context, or comes from another browser.
    #[error("this browser is not remembered for this wallet; sign with the wallet")]
    UnknownBrowser,
    /// No P-256 key, or not as it should be written.
    #[error("a browser's key is an uncompressed P-256 point of 65 bytes in base64url")]
    InvalidBrowserKey,
}

impl OwnershipError {
    /// The reason's stable name, as logged and counted.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SignatureNotRequired => "binding_not_asked",
            Self::EvidenceAlreadySubmitted => "binding_too_late",
            Self::Malformed => "signature_malformed",
            Self::NotCanonical => "signature_not_canonical",
            Self::Unverifiable => "signature_unverifiable",
            Self::SignerMismatch => "signature_of_another",
            Self::UnknownBrowser => "not_remembered",
            Self::InvalidBrowserKey => "frame_key_malformed",
        }
    }
}
