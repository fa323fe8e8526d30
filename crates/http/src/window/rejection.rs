//! Rejections of checks: the operator's log contains the reason, the response to the browser reveals very little.

use crate::error::ApiError;
use crate::logged_context::logged_context;
use crate::metrics::RejectionReason;
use crate::state::AppState;
use voight_api::ErrorId;
use voight_domain::ownership::OwnershipError;
use voight_domain::ports::EvidenceError;
use voight_domain::services::CheckError;
use voight_domain::vocabulary::log_text;

/// Context and origin of a page, as they are logged; `None` if a call does not name them.
#[derive(Default)]
pub(super) struct LoggedPage {
    pub(super) context: Option<String>,
    pub(super) origin: Option<String>,
}

impl LoggedPage {
    /// Removes secrets from both texts.
    pub(super) fn new(context: &str, origin: &str) -> Self {
        Self {
            context: Some(logged_context(context)),
            origin: Some(log_text(origin)),
        }
    }
}

/// Call of a check, as it is logged.
#[derive(Clone, Copy)]
pub(super) struct LoggedCall<'a> {
    pub(super) check: &'a str,
    pub(super) request_id: &'a str,
    pub(super) page: &'a LoggedPage,
}

impl LoggedCall<'_> {
    /// Logs and counts the call, which is rejected for this reason.
    pub(super) fn reject_for(self, state: &AppState, reason: RejectionReason) {
        let Self {
            check,
            request_id,
            page: LoggedPage { context, origin },
        } = self;
        state.metrics.record_rejection(reason);
        tracing::info!(
            event = "check_rejected",
            reason = reason.as_str(),
            check,
            request_id,
            context,
            origin,
            "check rejected"
        );
    }

    /// Logs and counts the call, which failed, and returns the error response.
    pub(super) fn reject(self, state: &AppState, error: CheckError) -> ApiError {
        if let Some(reason) = rejection_reason(&error) {
            self.reject_for(state, reason);
        }
        match error {
            CheckError::Store(error) => error.into(),
            CheckError::OwnershipNotProven(reason) => not_bound(reason),
            CheckError::EvidenceInvalid(EvidenceError(detail)) => {
                // Quoted, because the detail may repeat a member's name as it was sent.
                tracing::info!(
                    event = "evidence_rejected",
                    ?detail,
                    check = self.check,
                    request_id = self.request_id,
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
        }
    }
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
