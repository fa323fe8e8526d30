//! `GET /admin/v1/info`: information about the service.

use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{NoQuery, Query};
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;
use voight_domain::services::UnreachableContext;

/// Maximum length of each list in the response: unpinned contexts, unreachable contexts, clients without an invoice.
const MAX_LISTED: usize = 100;

pub(super) async fn show(
    _: Query<NoQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let store = &state.services.maintenance;
    let registry = &state.services.registry;
    let without_origins = registry.contexts_without_origins(MAX_LISTED).await?;
    let listeners = state.settings.listeners;
    Ok(success(&admin::Info {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        store: admin::StoreInfo::from_info(store.info(), &store.health()),
        max_open_files: state.settings.max_open_files,
        max_connections: state.settings.max_connections,
        max_connections_per_network: state.settings.max_connections_per_network,
        public_url: state.settings.public_url.clone(),
        listen: listeners.map(|addresses| addresses.public.to_string()),
        admin_listen: listeners.map(|addresses| addresses.admin.to_string()),
        contexts_without_origins: without_origins
            .iter()
            .map(|context| context.id.to_string())
            .collect(),
        unreachable_contexts: unreachable(&state).await?,
        forwarding_header_from_untrusted_peer: state.untrusted_proxy().is_some(),
        uninvoiced: uninvoiced(&state).await?,
        assets: voight_browser::component_assets()
            .map(|asset| admin::AssetInfo::new(asset.path, asset.integrity))
            .collect(),
    }))
}

/// Returns the first open contexts in which no active key can look up.
async fn unreachable(state: &AppState) -> Result<Vec<admin::Unreachable>, ApiError> {
    let contexts = state
        .services
        .registry
        .unreachable_contexts(MAX_LISTED)
        .await?;
    let context_views =
        contexts.into_iter().map(
            |UnreachableContext { context, client }| admin::Unreachable {
                context_id: context.id.to_string(),
                key_id: context.key.to_string(),
                client: client.name.to_string(),
            },
        );
    Ok(context_views.collect())
}

/// Returns the first clients with a completed period that has no invoice.
async fn uninvoiced(state: &AppState) -> Result<Vec<admin::Uninvoiced>, ApiError> {
    let mut clients = Vec::new();
    for client in state.services.registry.all_clients().await? {
        if clients.len() == MAX_LISTED {
            break;
        }
        let since = state.services.billing.uninvoiced_since(&client).await?;
        clients.extend(since.map(|since| admin::Uninvoiced {
            client: client.name.to_string(),
            period_ended_at: since.to_string(),
        }));
    }
    Ok(clients)
}
