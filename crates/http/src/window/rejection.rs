//! Rejections of checks: the operator's log contains the reason, the response to the browser reveals very little.

use crate::error::ApiError;
use crate::metrics::RejectionReason;
use crate::state::AppState;
use voight_api::ErrorId;
use voight_domain::ownership::OwnershipError;
use voight_domain::ports::EvidenceError;
use voight_domain::services::CheckError;
use voight_domain::vocabulary::{ContextId, log_text};

/// Context and origin that a page named, as they are logged.
pub(super) struct LoggedPage {
    pub(super) context: String,
    pub(super) origin: String,
}

impl LoggedPage {
    /// Removes secrets from both texts. The suffix of a context id is public.
    pub(super) fn new(context: &str, origin: &str) -> Self {
        let context = match context.parse::<ContextId>() {
            Ok(id) => format!(
                "{}{}",
                log_text(id.title()),
                &id.as_str()[id.title().len()..]
            ),
            Err(_) => log_text(context),
        };
        Self {
            context,
            origin: log_text(origin),
        }
    }
}

/// Logs and counts a failed check, and returns the error response. `page` is known when a check is opened.
pub(super) fn reject(
    state: &AppState,
    check: &str,
    request_id: &str,
    page: Option<&LoggedPage>,
    error: CheckError,
) -> ApiError {
    let reason = rejection_reason(&error);
    let response = match error {
        CheckError::Store(error) => return error.into(),
        CheckError::OwnershipNotProven(reason) => not_bound(reason),
        CheckError::EvidenceInvalid(EvidenceError(detail)) => {
            // Quoted, because the detail may repeat a member's name as it was sent.
            tracing::info!(
                ?detail,
                check,
                request_id,
                "evidence does not follow the schema"
            );
            ErrorId::InvalidEvidence.into()
        }
        CheckError::Rejected(_) => ErrorId::CheckRejected.into(),
        CheckError::ContextUnknown => ErrorId::ContextUnknown.into(),
        CheckError::ContextClosed | CheckError::ClientInactive => ErrorId::ContextClosed.into(),
        CheckError::OriginNotAllowed => ErrorId::OriginNotAllowed.into(),
        CheckError::OriginMismatch => ErrorId::OriginMismatch.into(),
        CheckError::SessionInvalid => ErrorId::SessionInvalid.into(),
    };
    if let Some(reason) = reason {
        state.metrics.record_rejection(reason);
        let context = page.map(|page| page.context.as_str());
        let origin = page.map(|page| page.origin.as_str());
        tracing::info!(
            reason = reason.as_str(),
            check,
            request_id,
            context,
            origin,
            "check rejected"
        );
    }
    response
}

/// Returns the reason that is logged and counted; `None` for an error of the store.
pub(super) const fn rejection_reason(error: &CheckError) -> Option<RejectionReason> {
    Some(match error {
        CheckError::Store(_) => return None,
        CheckError::OwnershipNotProven(reason) => RejectionReason::Ownership(*reason),
        CheckError::EvidenceInvalid(_) => RejectionReason::InvalidEvidence,
        CheckError::Rejected(reason) => RejectionReason::Gate(*reason),
        CheckError::ContextUnknown => RejectionReason::ContextUnknown,
        CheckError::ContextClosed => RejectionReason::ContextClosed,
        CheckError::ClientInactive => RejectionReason::ClientInactive,
        CheckError::OriginNotAllowed => RejectionReason::OriginNotAllowed,
        CheckError::OriginMismatch => RejectionReason::OriginMismatch,
        CheckError::SessionInvalid => RejectionReason::SessionInvalid,
    })
}

/// Returns the error of an invalid signature. The visitor may know the reason: it reveals nothing about the evidence.
fn not_bound(reason: OwnershipError) -> ApiError {
    let id = match reason {
        OwnershipError::Unverifiable => ErrorId::SignatureUnverifiable,
        _ => ErrorId::OwnershipNotProven,
    };
    ApiError::with_message(id, reason.to_string())
}
