//! `GET /admin/v1/store/backup`: streams a dump of the complete store, without an envelope.

use super::bulk_read::audited;
use super::error::from_store_error;
use crate::error::ApiError;
use crate::extract::{NoQuery, Query};
use crate::operator::Caller;
use crate::state::AppState;
use crate::streamed_body::StreamedBody;
use actix_web::{HttpResponse, web};
use std::sync::Arc;
use voight_api::ErrorId;
use voight_domain::services::BulkRead;

const BACKUP_IN_PROGRESS: &str = "Another backup is in progress; try again after its end.";

pub(super) async fn show(
    _: Query<NoQuery>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let permit = Arc::clone(&state.backup).try_acquire_owned();
    let permit =
        permit.map_err(|_| ApiError::with_message(ErrorId::Conflict, BACKUP_IN_PROGRESS))?;
    audited(
        &state,
        &caller,
        BulkRead::of_store(&state.services.maintenance.info().identity),
    )
    .await?;
    let store = state.services.maintenance.clone();
    let dump = StreamedBody::respond("application/octet-stream", move |runtime, out| {
        let _until_the_end = permit;
        let records = store.backup(out).map_err(from_store_error)?;
        tracing::info!(event = "backup_taken", records, "a backup was taken");
        runtime.block_on(record(&state, &caller, records));
        Ok(())
    });
    dump.await
}

/// Records a backup whose last byte was sent. A store without space cannot record it, but its backup is complete.
async fn record(state: &AppState, caller: &Caller, records: u64) {
    state.metrics.note_backup(state.clock.now());
    let operator = state.services.operator.acting_as(&caller.actor);
    if let Err(error) = operator.record_backup(records).await {
        tracing::warn!(
            event = "backup_not_recorded",
            %error,
            "a backup was taken but could not be recorded, so its age is unknown after a restart"
        );
    }
}
