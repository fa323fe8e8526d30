//! Proof of wallet ownership, which precedes any evidence.
//!
//! Accepted are a signature of the wallet, and a browser in which the wallet signed before.

use super::{CheckError, CheckService};
use crate::check::Challenge;
use crate::ownership::{BrowserKey, OwnershipError, SignRequest, TrustedBrowser, WalletSignature};
use crate::registry::OwnershipPolicy;
use crate::verdict::LayerKind;
use crate::vocabulary::Timestamp;

/// Proof of ownership in a request, not yet verified.
#[derive(Debug, Clone)]
pub enum OwnershipProof {
    /// The wallet has signed the check's message.
    Signed {
        /// The signature of the wallet.
        signature: String,
        /// The key of the browser, if it asks for a token that proves ownership later.
        key: Option<String>,
    },
    /// The wallet has signed in this browser before.
    TrustedBrowser {
        /// The token that the browser received then.
        token: String,
        /// The browser's key.
        key: String,
        /// Signature of the check's challenge by that key.
        proof: String,
    },
}

/// Request to prove the ownership of a check's address.
#[derive(Debug, Clone)]
pub struct ProveOwnership {
    /// The challenge, which was validated before the body was read.
    pub challenge: Challenge,
    /// The token that holds the challenge.
    pub token: String,
    /// The proof of ownership.
    pub proof: OwnershipProof,
}

/// Check with proven ownership of its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedCheck {
    /// The token of the challenge with which the window continues.
    pub token: String,
    /// The token of a trusted browser, if the browser asked for one.
    pub trusted_browser: Option<String>,
}

impl CheckService {
    /// Proves the ownership of a check's address.
    ///
    /// The proof is for this check alone: the signed text is unguessable before the check is opened, and the check is
    /// concluded once. Nothing is written.
    pub async fn prove_ownership(&self, request: ProveOwnership) -> Result<OwnedCheck, CheckError> {
        let now = self.now();
        let ProveOwnership {
            challenge,
            token,
            proof,
        } = request;
        if self
            .context(&challenge.context)
            .await?
            .settings
            .ownership_proof
            == OwnershipPolicy::Never
        {
            return Err(OwnershipError::SignatureNotRequired.into());
        }
        if !self.store.batches(challenge.check).await?.is_empty() {
            return Err(OwnershipError::EvidenceAlreadySubmitted.into());
        }
        let trusted_browser = match proof {
            OwnershipProof::Signed { signature, key } => {
                self.signed(&challenge, &signature, key.as_deref(), now)?
            }
            OwnershipProof::TrustedBrowser {
                token: kept,
                key,
                proof,
            } => {
                let key = self.find_trusted_browser(&challenge, &kept, &key, now)?;
                if !key.verify(&token, &proof) {
                    return Err(OwnershipError::UnknownBrowser.into());
                }
                None
            }
        };
        let bound_challenge = Challenge {
            layer: LayerKind::Owned,
            ..challenge
        };
        Ok(OwnedCheck {
            token: bound_challenge.to_token(&self.secrets),
            trusted_browser,
        })
    }

    /// Verifies the wallet's signature; returns a trusted browser's token if the request has its key.
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
        Ok(
            key.map(|key| {
                TrustedBrowser::from_signed(challenge, &key, now).to_token(&self.secrets)
            }),
        )
    }

    /// Returns the browser's key if that browser is trusted for the check's address.
    fn find_trusted_browser(
        &self,
        challenge: &Challenge,
        kept: &str,
        key: &str,
        now: Timestamp,
    ) -> Result<BrowserKey, OwnershipError> {
        let key: BrowserKey = key.parse()?;
        let trusted_browser = TrustedBrowser::from_token(kept, &self.secrets)
            .ok_or(OwnershipError::UnknownBrowser)?;
        trusted_browser.verify(challenge, &key, now).map(|()| key)
    }
}
