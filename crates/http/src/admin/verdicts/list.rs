//! `GET /admin/v1/contexts/{context}/verdicts`: the verdicts of a context, ordered by address.

use crate::admin::bulk_read::audited;
use crate::admin::caller::Caller;
use crate::admin::query::PageQuery;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Query;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;
use voight_domain::services::BulkRead;

pub(super) async fn list(
    context: web::Path<String>,
    query: Query<PageQuery>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (after, limit) = query.page()?;
    let context = state.services.registrar.resolve_context(&context).await?;
    audited(
        &state,
        &caller,
        BulkRead::of_verdicts(&context.id, after, limit),
    )
    .await?;
    let verdicts = state
        .services
        .operator
        .verdicts(&context.id, after, limit)
        .await?;
    let verdict_views: Vec<_> = verdicts
        .iter()
        .map(|verdict| admin::ListedVerdict::from_known(verdict, &context.settings))
        .collect();
    Ok(success(&verdict_views))
}
