//! `GET /admin/v1/info`: information about the service.

use super::list_all;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{NoQuery, Query};
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use std::collections::HashSet;
use voight_api::admin;
use voight_domain::ports::ContextFilter;
use voight_domain::services::UnreachableContext;

/// Maximum length of each list in the response: unpinned contexts, unreachable contexts, clients without an invoice.
const MAX_LISTED: usize = 100;

pub(super) async fn show(_: Query<NoQuery>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let store = &state.services.store;
    let listeners = state.settings.listeners;
    Ok(success(&admin::Info {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        store: admin::StoreInfo::from_info(store.info(), &store.health()),
        max_open_files: state.settings.max_open_files,
        max_connections: state.settings.max_connections,
        max_connections_per_network: state.settings.max_connections_per_network,
        public_url: state.settings.public_url.clone(),
        listen: listeners.map(|bound| bound.public.to_string()),
        admin_listen: listeners.map(|bound| bound.admin.to_string()),
        contexts_without_origins: contexts_without_origins(&state).await?,
        unreachable_contexts: unreachable(&state).await?,
        forwarding_header_from_untrusted_peer: state.untrusted_proxy().is_some(),
        uninvoiced: uninvoiced(&state).await?,
        assets: voight_browser::component_assets()
            .map(|asset| admin::AssetInfo::new(asset.path, asset.integrity))
            .collect(),
    }))
}

/// Returns the first open contexts for which neither the context nor its client lists an origin.
async fn contexts_without_origins(state: &AppState) -> Result<Vec<String>, ApiError> {
    let clients = list_all::clients(state).await?;
    let open: HashSet<_> = clients.iter().filter(|client| client.origins.is_empty()).map(|client| client.id).collect();
    let mut unpinned = Vec::new();
    let mut after = None;
    loop {
        let page = state.services.store.contexts(ContextFilter::All, after, list_all::PAGE).await?;
        let found = page.iter().filter(|context| {
            context.archived_at.is_none() && context.settings.origins.is_empty() && open.contains(&context.client)
        });
        unpinned.extend(found.take(MAX_LISTED - unpinned.len()).map(|context| context.id.to_string()));
        if unpinned.len() == MAX_LISTED || page.len() < list_all::PAGE {
            return Ok(unpinned);
        }
        after = page.last().map(|context| context.id.clone());
    }
}

/// Returns the first open contexts in which no active key can look up.
async fn unreachable(state: &AppState) -> Result<Vec<admin::Unreachable>, ApiError> {
    let found = state.services.registrar.unreachable_contexts(MAX_LISTED).await?;
    let named = found.into_iter().map(|UnreachableContext { context, client }| admin::Unreachable {
        context_id: context.id.to_string(),
        key_id: context.key.to_string(),
        client: client.name.to_string(),
    });
    Ok(named.collect())
}

/// Returns the first clients with a completed period that has no invoice.
async fn uninvoiced(state: &AppState) -> Result<Vec<admin::Uninvoiced>, ApiError> {
    let mut found = Vec::new();
    for client in list_all::clients(state).await? {
        if found.len() == MAX_LISTED {
            break;
        }
        let since = state.services.billing.uninvoiced_since(&client).await?;
        found.extend(
            since
                .map(|since| admin::Uninvoiced { client: client.name.to_string(), period_ended_at: since.to_string() }),
        );
    }
    Ok(found)
}
