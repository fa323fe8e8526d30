//! Labels: `/admin/v1/contexts/{context}/labels` and `GET /admin/v1/calibration`.

use super::bulk_read::audited;
use super::error::parsed;
use super::query::PageQuery;
use super::resolve::context_id;
use super::routes::Routes;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{LargeJson, Query};
use crate::operator::Caller;
use crate::state::AppState;
use actix_web::HttpResponse;
use actix_web::web;
use serde::Deserialize;
use voight_api::admin::{self, routes};
use voight_domain::services::{BulkRead, LabelInput};

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_LABELS, list)
        .add(&routes::LABEL, create)
        .add(&routes::CALIBRATION, calibration);
}

/// Contexts that a calibration covers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CalibrationQuery {
    /// Context; all contexts if absent.
    context: Option<String>,
}

/// Lists the labels of a context, in the order of their addresses.
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
        BulkRead::of_labels(&context.id, after, limit),
    )
    .await?;
    let labels = state
        .services
        .operator
        .labels(&context.id, after, limit)
        .await?;
    Ok(success(
        &labels.iter().map(admin::Label::from).collect::<Vec<_>>(),
    ))
}

/// Stores all labels or none.
async fn create(
    context: web::Path<String>,
    LargeJson(body): LargeJson<admin::NewLabels>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let context = context_id(&state, &context).await?;
    let labels = body
        .labels
        .into_iter()
        .enumerate()
        .map(|(index, label)| given(index, label))
        .collect::<Result<_, _>>()?;
    let label_count = state
        .services
        .operator
        .acting_as(&caller.actor)
        .label(&context, labels, &body.reason)
        .await?;
    Ok(success(&admin::Labelled {
        labelled: label_count,
    }))
}

fn given(index: usize, label: admin::NewLabel) -> Result<LabelInput, ApiError> {
    let admin::NewLabel {
        address,
        label,
        consent,
        reason,
    } = label;
    let address = parsed(&format!("labels[{index}].address"), &address)?;
    Ok(LabelInput {
        address,
        truth: label.into(),
        consent,
        reason,
    })
}

/// Compares the verdicts with the labels.
async fn calibration(
    Query(query): Query<CalibrationQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let context = match query.context {
        Some(context) => Some(context_id(&state, &context).await?),
        None => None,
    };
    let calibration = state
        .services
        .operator
        .calibration(context.as_ref())
        .await?;
    Ok(success(&admin::Calibration::from(&calibration)))
}
