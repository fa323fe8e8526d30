//! Bulk reads: an audit entry is stored before the first byte of the response is sent.

use crate::error::ApiError;
use crate::operator::Caller;
use crate::state::AppState;
use voight_domain::ports::StoreError;
use voight_domain::services::BulkRead;

/// Writes the audit entry of a bulk `read` by `caller`.
///
/// # Errors
///
/// 503 with the reason if the entry cannot be stored; the handler must not read anything then.
pub(super) async fn audited(
    state: &AppState,
    caller: &Caller,
    read: BulkRead,
) -> Result<(), ApiError> {
    state
        .services
        .operator
        .acting_as(&caller.actor)
        .audit_read(read)
        .await
        .map_err(|error| unaudited(&error))
}

fn unaudited(error: &StoreError) -> ApiError {
    tracing::error!(
        event = "bulk_read_rejected",
        %error,
        "a bulk read was rejected because its audit entry could not be stored"
    );
    let advice = match error {
        StoreError::Full(_) => "the store has no space left; free some, then read again",
        _ => "the store rejected it; try again, and read the log of the service if it fails again",
    };
    ApiError::unavailable_because(format!(
        "Nothing was read, because a bulk read needs an audit entry: {advice}."
    ))
}
