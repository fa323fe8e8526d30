//! `GET /admin/v1/store`: how the store is doing. Nothing is counted for it; the rows are those that the scrubber saw.

use super::dto;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{NoQuery, Query};
use crate::state::AppState;
use actix_web::{HttpResponse, web};

pub(super) async fn show(_: Query<NoQuery>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let store = &state.services.store;
    let info = dto::StoreInfo::from_info(store.info(), &store.health());
    Ok(success(false, &dto::Store::from_info(info, store.status()?)))
}
