//! Verdicts of a context.

use super::bulk_read::audited;
use super::error::parsed;
use super::query::{AddressQuery, PageQuery, parse_page};
use super::resolve::context_id;
use super::routes::Routes;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Json, Query};
use crate::operator::Caller;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin::{self, routes};
use voight_domain::services::BulkRead;
use voight_domain::vocabulary::{ContextId, EoaAddress};

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_VERDICTS, list)
        .add(&routes::FIND_VERDICTS, find)
        .add(&routes::EXPLAIN_VERDICT, explain)
        .add(&routes::OVERRIDE_VERDICT, override_verdict);
}

/// Returns the context and the address that a path names.
async fn subject(
    state: &AppState,
    path: &(String, String),
) -> Result<(ContextId, EoaAddress), ApiError> {
    Ok((
        context_id(state, &path.0).await?,
        parsed("address", &path.1)?,
    ))
}

/// `GET /admin/v1/contexts/{context}/verdicts`: the verdicts of a context, ordered by address.
async fn list(
    context: web::Path<String>,
    query: Query<PageQuery>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (after, limit) = query.page()?;
    let context = state.services.registry.resolve_context(&context).await?;
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

/// `GET /admin/v1/verdicts`: the verdicts on an address in all contexts, ordered by the id of the context.
async fn find(
    query: Query<AddressQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let address = parsed("address", &query.address)?;
    let (after, limit) = parse_page(query.after.as_deref(), query.limit.as_deref())?;
    let found_verdicts = state
        .services
        .operator
        .find_verdicts(address, after, limit)
        .await?;
    let verdict_views: Vec<_> = found_verdicts
        .iter()
        .map(admin::FoundVerdict::from)
        .collect();
    Ok(success(&verdict_views))
}

/// Maximum number of events in the response; the latest are returned.
const EVENTS: usize = 100;

/// `GET /admin/v1/contexts/{context}/verdicts/{address}`: a verdict with its evidence and event history.
async fn explain(
    path: web::Path<(String, String)>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (context, address) = subject(&state, &path).await?;
    let explanation = state
        .services
        .operator
        .explain(&context, &address, EVENTS)
        .await?;
    Ok(success(&admin::Explanation::from_explanation(
        address,
        &explanation,
    )))
}

/// `POST /admin/v1/contexts/{context}/verdicts/{address}/override`: sets the verdict and starts a new epoch.
async fn override_verdict(
    path: web::Path<(String, String)>,
    Json(body): Json<admin::OverrideRequest>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (context, address) = subject(&state, &path).await?;
    let admin::OverrideRequest {
        verdict: to,
        reason,
    } = body;
    let explanation = state
        .services
        .operator
        .acting_as(&caller.actor)
        .override_verdict(&context, address, to.into(), reason)
        .await?;
    Ok(success(&admin::Explanation::from_explanation(
        address,
        &explanation,
    )))
}
