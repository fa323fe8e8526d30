//! `GET /admin/v1/keys`: the API keys of one client or of all.

use crate::admin::query::ClientQuery;
use crate::admin::resolve::clients_of;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Query;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;
use voight_domain::registry::Key;

pub(super) async fn list(
    query: Query<ClientQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let mut key_views = Vec::new();
    for client in clients_of(&state, query.client.as_deref()).await? {
        let keys = state.services.registrar.keys(client.id).await?;
        key_views.extend(
            keys.iter()
                .map(|key| admin::Key::from(&with_latest_use(key, &state))),
        );
    }
    Ok(success(&key_views))
}

/// Returns the key with its latest use, including a use that is not stored yet.
fn with_latest_use(key: &Key, state: &AppState) -> Key {
    Key {
        last_used_at: key.last_used_at.max(state.key_uses.latest(key.id)),
        ..key.clone()
    }
}
