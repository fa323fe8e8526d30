//! `POST /window/v1/checks/{check}/evidence`: receives one batch. The body is not read before the call is authorised.

use super::call::WindowCall;
use super::check_headers::CheckHeaders;
use super::request_metadata::request_metadata;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::read_body;
use crate::settings::HttpSettings;
use crate::state::AppState;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;
use voight_domain::check::{ChallengeStep, ChallengeStepKind};
use voight_domain::services::SubmitEvidence;

/// Response to a batch.
#[derive(Debug, Serialize)]
struct EvidenceResponse {
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
    call: WindowCall,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let checks = &state.services.checks;
    let challenge = call.authorise(&state, &CheckHeaders::from_http_request(&request)).await?;
    WindowCall::count_batch(&state, challenge.check)?;
    let body = read_batch(&request, payload, &state.settings).await?;
    let facts = request_metadata(request.headers(), call.ip.0, checks.network(&challenge.context, call.ip.0));
    let submitted = checks.submit_evidence(SubmitEvidence { challenge, call: facts, body }).await;
    let step = submitted.map_err(|error| call.reject(&state, error))?;
    Ok(success(&EvidenceResponse { step: step.map(NextStep::from) }))
}

/// Reads a batch without parsing it: the assessor owns the schema and validates it.
async fn read_batch(
    request: &HttpRequest,
    payload: web::Payload,
    settings: &HttpSettings,
) -> Result<Vec<u8>, ApiError> {
    let body = read_body(request, payload.into_inner(), settings.evidence_bytes, settings.body_timeout).await?;
    Ok(body.into())
}

impl From<ChallengeStep> for NextStep {
    fn from(ChallengeStep { token, kind }: ChallengeStep) -> Self {
        match kind {
            ChallengeStepKind::Press(place) => Self::Press { token, x: place.x, y: place.y },
            ChallengeStepKind::Nonce => Self::Nonce { token },
        }
    }
}
