//! Why a check does not go on: the operator's log has the reason, the browser is told next to nothing.

use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::state::AppState;
use voight_domain::services::CheckError;

/// The answer to a check that failed, and its line in the log.
pub(super) fn refuse(state: &AppState, check: &str, request_id: &str, error: CheckError) -> ApiError {
    let (reason, told) = match error {
        CheckError::Store(error) => return error.into(),
        CheckError::EvidenceInvalid(detail) => {
            // Quoted, because the detail may repeat a member's name as it was sent.
            tracing::info!(?detail, check, request_id, "evidence does not follow the schema");
            ("evidence_invalid", ErrorId::InvalidEvidence)
        }
        CheckError::Refused(reason) => (reason.as_str(), ErrorId::CheckRefused),
        CheckError::ContextUnknown => ("context_unknown", ErrorId::ContextUnknown),
        CheckError::ContextClosed => ("context_closed", ErrorId::ContextClosed),
        CheckError::OriginNotAllowed => ("origin_not_allowed", ErrorId::OriginNotAllowed),
        CheckError::OriginMismatch => ("origin_mismatch", ErrorId::OriginMismatch),
        CheckError::SessionInvalid => ("session_invalid", ErrorId::SessionInvalid),
    };
    state.metrics.refused(reason);
    tracing::info!(reason, check, request_id, "check refused");
    told.into()
}
