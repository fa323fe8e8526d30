//! `POST /admin/v1/erasures`: erases the data of an address.

use super::error::parsed;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::operator::Caller;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use tokio::runtime::Handle;
use voight_api::ErrorId;
use voight_api::admin;
use voight_domain::ports::EraseMode;

/// Erases on a separate thread, because the erasure scans the whole store. It runs to the end also if the caller disconnects.
pub(super) async fn erase(
    Json(body): Json<admin::ErasureRequest>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let admin::ErasureRequest {
        address,
        reason,
        dry_run,
    } = body;
    let address = parsed("address", &address)?;
    let operator = state.services.operator.acting_as(&caller.actor);
    let runtime = Handle::current();
    let mode = if dry_run {
        EraseMode::DryRun
    } else {
        EraseMode::Execute
    };
    let work = web::block(move || runtime.block_on(operator.erase(address, &reason, mode)));
    let report = work.await.map_err(|_| ErrorId::Internal)??;
    Ok(success(&admin::Erasure::from_report(&report, mode)))
}
