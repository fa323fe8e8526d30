//! Background job: stores the last uses of keys once a minute.

use actix_web::web;
use tokio::time::sleep;
use voight_domain::registry::KEY_USE_RESOLUTION;
use voight_http::AppState;

/// Stores key uses for as long as the service runs.
pub(super) async fn run(state: web::Data<AppState>) {
    loop {
        sleep(KEY_USE_RESOLUTION).await;
        store(&state).await;
    }
}

/// Stores the uses since the last call. Uses that cannot be stored are retried at the next call; nothing is stored while the
/// clock is rejected.
pub(super) async fn store(state: &AppState) {
    if state.clock.error().is_some() {
        return;
    }
    let uses = state.key_uses.take();
    if uses.is_empty() {
        return;
    }
    if let Err(error) = state.services.registry.store_key_uses(uses.clone()).await {
        tracing::warn!(event = "key_uses_not_stored", %error, "last uses of keys cannot be stored now");
        state.key_uses.put_back(uses);
    }
}
