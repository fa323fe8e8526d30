//! `POST /window/v1/checks/{check}/evidence`: receives one batch. The body is not read before the call is authorised.

use super::call::{RawBatch, WindowCall};
use super::request_metadata::request_metadata;
use crate::error::ApiError;
use crate::metrics::CheckStep;
use crate::state::AppState;
use actix_web::web;
use serde::Serialize;
use voight_domain::check::{ChallengeStep, ChallengeStepKind};
use voight_domain::services::SubmitEvidence;

/// Response to a batch.
#[derive(Debug, Serialize)]
pub(super) struct EvidenceResponse {
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<NextStep>,
}

/// Next step of the window.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum NextStep {
    /// Show a second target.
    Press { token: String, x: f64, y: f64 },
    /// Return the token.
    Nonce { token: String },
}

pub(super) async fn submit(
    call: WindowCall<RawBatch>,
    state: web::Data<AppState>,
) -> Result<EvidenceResponse, ApiError> {
    let response = submit_batch(call, &state).await;
    state.metrics.record_step(CheckStep::Evidence, &response);
    response
}

async fn submit_batch(
    mut call: WindowCall<RawBatch>,
    state: &AppState,
) -> Result<EvidenceResponse, ApiError> {
    let checks = &state.services.checks;
    let challenge = call.authorise(state, &call.check_headers()).await?;
    call.count_batch(state, challenge.check)?;
    let body = call.read_batch(&state.settings).await?;
    let facts = request_metadata(
        call.request.headers(),
        call.ip.0,
        checks.network(&challenge.context, call.ip.0),
    );
    let submission = checks
        .submit_evidence(SubmitEvidence {
            challenge,
            call: facts,
            body,
        })
        .await;
    let step = submission.map_err(|error| call.reject(state, error))?;
    Ok(EvidenceResponse {
        step: step.map(NextStep::from),
    })
}

impl From<ChallengeStep> for NextStep {
    fn from(ChallengeStep { token, kind }: ChallengeStep) -> Self {
        match kind {
            ChallengeStepKind::Press(place) => Self::Press {
                token,
                x: place.x,
                y: place.y,
            },
            ChallengeStepKind::Nonce => Self::Nonce { token },
        }
    }
}
