//! `GET /admin/v1/audit`: audit records, oldest first; `GET /admin/v1/audit/head`: the end of the log.

use super::query::PageQuery;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{NoQuery, Query};
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn list(
    query: Query<PageQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (after, limit) = query.page()?;
    let records = state
        .services
        .operator
        .audit_log(after.unwrap_or(0), limit)
        .await?;
    let audit_records: Vec<_> = records.iter().map(admin::AuditRecord::from).collect();
    Ok(success(&audit_records))
}

pub(super) async fn head(
    _: Query<NoQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    Ok(success(&admin::AuditHead::from(
        state.services.operator.audit_head().await?,
    )))
}
