//! Binding a check to its address, before any evidence: by the wallet's signature, or by a browser in which it once signed.

use super::{CheckError, CheckService};
use crate::binding::{BrowserKey, OwnershipError, SignRequest, TrustedBrowser, WalletSignature};
use crate::check::Challenge;
use crate::registry::OwnershipPolicy;
use crate::verdict::LayerKind;
use crate::vocabulary::Timestamp;

/// What shows that the address is the visitor's, as it arrives.
#[derive(Debug, Clone)]
pub enum OwnershipProof {
    /// The wallet has signed the check's message.
    Signed {
        /// Its signature.
        signature: String,
        /// The key of a browser that wants to be remembered.
        key: Option<String>,
    },
    /// The wallet has signed in this browser before.
    TrustedBrowser {
        /// The token that the browser was given then.
        token: String,
        /// The browser's key.
        key: String,
        /// That key's signature of the check's challenge.
        proof: String,
    },
}

/// A check to bind.
#[derive(Debug, Clone)]
pub struct ProveOwnership {
    /// The challenge that was admitted before the body was read.
    pub challenge: Challenge,
    /// The token that it came in.
    pub token: String,
    /// What shows whose check it is.
    pub proof: OwnershipProof,
}

/// A check that belongs to its address from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedCheck {
    /// The challenge to go on with.
    pub token: String,
    /// The token by which the browser is remembered, if it asked to be.
    pub remembered: Option<String>,
}

impl CheckService {
    /// Binds a check. The proof is for this check alone: what is signed is unguessable before the check is opened, and the
    /// check is concluded once. Nothing is written.
    pub async fn prove_ownership(&self, request: ProveOwnership) -> Result<OwnedCheck, CheckError> {
        let now = self.now();
        let ProveOwnership { challenge, token, proof } = request;
        if self.context(&challenge.context).await?.settings.binding == OwnershipPolicy::Never {
            return Err(OwnershipError::SignatureNotRequired.into());
        }
        if !self.evidence.batches(challenge.check).await?.is_empty() {
            return Err(OwnershipError::EvidenceAlreadySubmitted.into());
        }
        let remembered = match proof {
            OwnershipProof::Signed { signature, key } => self.signed(&challenge, &signature, key.as_deref(), now)?,
            OwnershipProof::TrustedBrowser { token: kept, key, proof } => {
                let key = self.find_trusted_browser(&challenge, &kept, &key, now)?;
                if !key.verify(&token, &proof) {
                    return Err(OwnershipError::UnknownBrowser.into());
                }
                None
            }
        };
        let bound = Challenge { layer: LayerKind::Owned, ..challenge };
        Ok(OwnedCheck { token: bound.to_token(&self.secrets), remembered })
    }

    /// Verifies the wallet's signature; returns the token for a browser that wants to be remembered.
    fn signed(
        &self,
        challenge: &Challenge,
        signature: &str,
        key: Option<&str>,
        now: Timestamp,
    ) -> Result<Option<String>, OwnershipError> {
        let signature: WalletSignature = signature.parse()?;
        let key: Option<BrowserKey> = key.map(str::parse).transpose()?;
        SignRequest::for_challenge(challenge, &self.secrets).verify(&signature)?;
        Ok(key.map(|key| TrustedBrowser::from_signed(challenge, &key, now).to_token(&self.secrets)))
    }

    /// The browser's key, if that browser is remembered for the check's address.
    fn find_trusted_browser(
        &self,
        challenge: &Challenge,
        kept: &str,
        key: &str,
        now: Timestamp,
    ) -> Result<BrowserKey, OwnershipError> {
        let key: BrowserKey = key.parse()?;
        let remembered = TrustedBrowser::from_token(kept, &self.secrets).ok_or(OwnershipError::UnknownBrowser)?;
        remembered.verify(challenge, &key, now).map(|()| key)
    }
}
