//! `POST /window/v1/checks/{check}/binding`: the wallet's signature, or a browser in which it once signed, binds the check.

use super::call::Call;
use super::proof::Proof;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::read_json;
use crate::state::AppState;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};
use voight_domain::services::{BindCheck, BindingProof, BoundCheck};

/// What shows that the address is the visitor's: one of the two.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum Shown {
    /// The wallet has signed the check's message.
    Signed(Signed),
    /// The wallet has signed in this browser before.
    Remembered(Remembered),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Signed {
    signature: String,
    #[serde(default)]
    key: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Remembered {
    token: String,
    key: String,
    proof: String,
}

/// The challenge to go on with.
#[derive(Debug, Serialize)]
struct Bound {
    challenge: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    remembered: Option<String>,
}

pub(super) async fn bind(
    call: Call,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let proof = Proof::of(&request);
    let challenge = call.admit(&state, &proof).await?;
    let shown: Shown = read_json(&request, payload.into_inner()).await?;
    let asked = BindCheck { challenge, token: proof.challenge, proof: shown.into() };
    let bound = state.services.checks.bind_check(asked).await;
    let BoundCheck { token: challenge, remembered } = bound.map_err(|error| call.refuse(&state, error))?;
    Ok(success(false, &Bound { challenge, remembered }))
}

impl From<Shown> for BindingProof {
    fn from(shown: Shown) -> Self {
        match shown {
            Shown::Signed(Signed { signature, key }) => Self::Signed { signature, key },
            Shown::Remembered(Remembered { token, key, proof }) => Self::Remembered { token, key, proof },
        }
    }
}
