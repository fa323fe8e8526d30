//! Rejections of checks: the operator's log contains the reason, the response to the browser reveals very little.

use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::state::AppState;
use voight_domain::ownership::OwnershipError;
use voight_domain::services::CheckError;

/// Logs a failed check and returns the error response.
pub(super) fn reject(state: &AppState, check: &str, request_id: &str, error: CheckError) -> ApiError {
    let (reason, told) = match error {
        CheckError::Store(error) => return error.into(),
        CheckError::OwnershipNotProven(reason) => (reason.as_str(), not_bound(reason)),
        CheckError::EvidenceInvalid(detail) => {
            // Quoted, because the detail may repeat a member's name as it was sent.
            tracing::info!(?detail, check, request_id, "evidence does not follow the schema");
            ("evidence_invalid", ErrorId::InvalidEvidence.into())
        }
        CheckError::Refused(reason) => (reason.as_str(), ErrorId::CheckRefused.into()),
        CheckError::ContextUnknown => ("context_unknown", ErrorId::ContextUnknown.into()),
        CheckError::ContextClosed => ("context_closed", ErrorId::ContextClosed.into()),
        CheckError::ClientInactive => ("client_inactive", ErrorId::ContextClosed.into()),
        CheckError::OriginNotAllowed => ("origin_not_allowed", ErrorId::OriginNotAllowed.into()),
        CheckError::OriginMismatch => ("origin_mismatch", ErrorId::OriginMismatch.into()),
        CheckError::SessionInvalid => ("session_invalid", ErrorId::SessionInvalid.into()),
    };
    state.metrics.record_rejection(reason);
    tracing::info!(reason, check, request_id, "check refused");
    told
}

/// Returns the error of an invalid signature. The visitor may know the reason: it reveals nothing about the evidence.
fn not_bound(reason: OwnershipError) -> ApiError {
    let id = match reason {
        OwnershipError::Unverifiable => ErrorId::SignatureUnverifiable,
        _ => ErrorId::OwnershipNotProven,
    };
    ApiError::with_message(id, reason.to_string())
}
