//! `GET /admin/v1/info`: what the service says of itself.

use super::{dto, pages};
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{NoQuery, Query};
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use std::collections::HashSet;
use voight_domain::ports::ContextFilter;
use voight_domain::services::UnreachableContext;

/// How many unpinned contexts, and clients without an invoice, are named. There may be any number.
const MAX_LISTED: usize = 100;

pub(super) async fn show(_: Query<NoQuery>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let store = &state.services.store;
    let listeners = state.settings.listeners;
    Ok(success(
        false,
        &dto::Info {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            store: dto::StoreInfo::from_info(store.info(), &store.health()),
            max_open_files: state.settings.max_open_files,
            max_connections: state.settings.max_connections,
            max_connections_per_network: state.settings.max_connections_per_network,
            public_url: state.settings.public_url.clone(),
            listen: listeners.map(|bound| bound.public.to_string()),
            admin_listen: listeners.map(|bound| bound.admin.to_string()),
            unpinned_contexts: contexts_without_origins(&state).await?,
            unreachable_contexts: unreachable(&state).await?,
            forwarding_header_from_untrusted_peer: state.untrusted_proxy().is_some(),
            uninvoiced: uninvoiced(&state).await?,
            assets: dto::AssetInfo::of_component(),
        },
    ))
}

/// The first open contexts that any origin may host, because neither they nor their client list one.
async fn contexts_without_origins(state: &AppState) -> Result<Vec<String>, ApiError> {
    let clients = pages::clients(state).await?;
    let open: HashSet<_> = clients.iter().filter(|client| client.origins.is_empty()).map(|client| client.id).collect();
    let mut unpinned = Vec::new();
    let mut after = None;
    loop {
        let page = state.services.store.contexts(ContextFilter::All, after, pages::PAGE).await?;
        let found = page.iter().filter(|context| {
            context.archived_at.is_none() && context.settings.origins.is_empty() && open.contains(&context.client)
        });
        unpinned.extend(found.take(MAX_LISTED - unpinned.len()).map(|context| context.id.to_string()));
        if unpinned.len() == MAX_LISTED || page.len() < pages::PAGE {
            return Ok(unpinned);
        }
        after = page.last().map(|context| context.id.clone());
    }
}

/// The first open contexts in which no active key can look up.
async fn unreachable(state: &AppState) -> Result<Vec<dto::Unreachable>, ApiError> {
    let found = state.services.registrar.unreachable_contexts(MAX_LISTED).await?;
    let named = found.into_iter().map(|UnreachableContext { context, client }| dto::Unreachable {
        context_id: context.id.to_string(),
        key_id: context.key.to_string(),
        client: client.name.to_string(),
    });
    Ok(named.collect())
}

/// The first clients with a period that is over and on no invoice.
async fn uninvoiced(state: &AppState) -> Result<Vec<dto::Uninvoiced>, ApiError> {
    let mut found = Vec::new();
    for client in pages::clients(state).await? {
        if found.len() == MAX_LISTED {
            break;
        }
        let since = state.services.billing.uninvoiced_since(&client).await?;
        found.extend(since.map(|since| dto::Uninvoiced { client: client.name.to_string(), since: since.to_string() }));
    }
    Ok(found)
}
