//! `POST /admin/v1/erasures`: removes what is known of an address.

use super::caller::Caller;
use super::dto;
use super::error::parsed;
use crate::envelope::success;
use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use tokio::runtime::Handle;

/// On a thread of its own, because it goes through the whole store; and to its end, also if nobody waits for the answer.
pub(super) async fn erase(
    Json(body): Json<dto::ErasureRequest>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let dto::ErasureRequest { address, reason, dry_run } = body;
    let address = parsed("address", &address)?;
    let (operator, runtime) = (state.services.operator.acting_as(&caller.actor), Handle::current());
    let work = web::block(move || runtime.block_on(operator.erase(address, &reason, dry_run)));
    let report = work.await.map_err(|_| ErrorId::Internal)??;
    Ok(success(false, &dto::Erasure::from_report(&report, dry_run)))
}
