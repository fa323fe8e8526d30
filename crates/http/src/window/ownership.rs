//! `POST /window/v1/checks/{check}/ownership`: proves wallet ownership. The proof is a signature, or a browser in which the
//! wallet signed before.

use super::call::WindowCall;
use crate::error::ApiError;
use crate::metrics::CheckStep;
use crate::state::AppState;
use actix_web::web;
use serde::{Deserialize, Serialize};
use voight_domain::services::{OwnedCheck, OwnershipProof, ProveOwnership};

/// Proof of wallet ownership.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub(super) enum ProofBody {
    /// Signature of the check's message by the wallet.
    Signed(Signed),
    /// Browser in which the wallet signed before.
    TrustedBrowser(TrustedBrowserBody),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Signed {
    signature: String,
    #[serde(default)]
    key: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrustedBrowserBody {
    token: String,
    key: String,
    proof: String,
}

/// Challenge for the next steps.
#[derive(Debug, Serialize)]
pub(super) struct OwnedResponse {
    challenge: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    trusted_browser: Option<String>,
}

pub(super) async fn prove_ownership(
    call: WindowCall<ProofBody>,
    state: web::Data<AppState>,
) -> Result<OwnedResponse, ApiError> {
    let response = verify_proof(call, &state).await;
    state.metrics.record_step(CheckStep::Ownership, &response);
    response
}

async fn verify_proof(
    mut call: WindowCall<ProofBody>,
    state: &AppState,
) -> Result<OwnedResponse, ApiError> {
    let proof = call.check_headers();
    let challenge = call.authorise(state, &proof).await?;
    let proof_body = call.read_json().await?;
    let request = ProveOwnership {
        challenge,
        token: proof.challenge,
        proof: proof_body.into(),
    };
    let owned_check = state.services.checks.prove_ownership(request).await;
    let OwnedCheck {
        token: challenge,
        trusted_browser,
    } = owned_check.map_err(|error| call.reject(state, error))?;
    Ok(OwnedResponse {
        challenge,
        trusted_browser,
    })
}

impl From<ProofBody> for OwnershipProof {
    fn from(shown: ProofBody) -> Self {
        match shown {
            ProofBody::Signed(Signed { signature, key }) => Self::Signed { signature, key },
            ProofBody::TrustedBrowser(TrustedBrowserBody { token, key, proof }) => {
                Self::TrustedBrowser { token, key, proof }
            }
        }
    }
}
