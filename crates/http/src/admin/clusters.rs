//! `POST /admin/v1/contexts/{context}/clusters`: adds addresses to wallet clusters from an external source.

use super::error::parsed;
use super::resolve::context_id;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::LargeJson;
use crate::operator::Caller;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

/// Imports all members or none.
pub(super) async fn import(
    context: web::Path<String>,
    LargeJson(body): LargeJson<admin::ClusterImport>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let context = context_id(&state, &context).await?;
    let member =
        |(index, admin::ClusterMember { address, cluster }): (usize, admin::ClusterMember)| {
            parsed(&format!("members[{index}].address"), &address).map(|address| (address, cluster))
        };
    let members = body
        .members
        .into_iter()
        .enumerate()
        .map(member)
        .collect::<Result<Vec<_>, _>>()?;
    let (addresses, clusters) = state
        .services
        .operator
        .acting_as(&caller.actor)
        .import_clusters(&context, &members)
        .await?;
    Ok(success(&admin::ClusterImported {
        addresses,
        clusters,
    }))
}
