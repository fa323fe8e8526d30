//! `GET /admin/v1/store`: status of the store. Record counts are those of the last scrubber pass; the request itself counts
//! nothing.

use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{NoQuery, Query};
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn show(
    _: Query<NoQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let store = &state.services.maintenance;
    let info = admin::StoreInfo::from_info(store.info(), &store.health());
    Ok(success(&admin::Store::from_info(info, store.status()?)))
}
