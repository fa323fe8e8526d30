//! The ids that the text of a path or a body refers to: an id, the unique beginning of one, or `client/title` of a context.

use crate::error::ApiError;
use crate::state::AppState;
use voight_domain::vocabulary::{ContextId, KeyId};

/// The id of the key that `text` refers to.
pub(super) async fn key_id(state: &AppState, text: &str) -> Result<KeyId, ApiError> {
    Ok(state.services.registrar.resolve_key(text).await?.id)
}

/// The id of the context that `text` refers to.
pub(super) async fn context_id(state: &AppState, text: &str) -> Result<ContextId, ApiError> {
    Ok(state.services.registrar.resolve_context(text).await?.id)
}
