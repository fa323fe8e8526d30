//! Resolves references in a path or body: an id, a unique prefix of an id, or `client/title` of a context.

use crate::error::ApiError;
use crate::state::AppState;
use voight_domain::registry::Client;
use voight_domain::vocabulary::{ContextId, KeyId};

/// Returns the client with this name or id, or all clients if `name_or_id` is `None`.
pub(super) async fn clients_of(
    state: &AppState,
    name_or_id: Option<&str>,
) -> Result<Vec<Client>, ApiError> {
    let registry = &state.services.registry;
    match name_or_id {
        Some(name_or_id) => Ok(vec![registry.find_client(name_or_id).await?]),
        None => Ok(registry.all_clients().await?),
    }
}

/// Returns the id of the key to which `text` refers.
pub(super) async fn key_id(state: &AppState, text: &str) -> Result<KeyId, ApiError> {
    Ok(state.services.registry.resolve_key(text).await?.id)
}

/// Returns the id of the context to which `text` refers.
pub(super) async fn context_id(state: &AppState, text: &str) -> Result<ContextId, ApiError> {
    Ok(state.services.registry.resolve_context(text).await?.id)
}
