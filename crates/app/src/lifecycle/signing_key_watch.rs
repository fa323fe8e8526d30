//! Switches to a signing key that another node has rotated to.

use actix_web::web;
use std::time::Duration;
use tokio::time::sleep;
use voight_http::AppState;

/// Time between two queries of the store.
const PAUSE: Duration = Duration::from_secs(1);

/// Queries the store for as long as the service runs. A store that does not answer is reported elsewhere.
pub(super) async fn run(state: web::Data<AppState>) {
    loop {
        sleep(PAUSE).await;
        if let Ok(true) = state.services.operator.load_signing_key().await {
            let signer = state.services.operator.signer();
            tracing::info!(
                event = "signing_key_adopted",
                kid = %signer.public_key().kid,
                "another node has rotated the signing key; this node now uses the new one"
            );
        }
    }
}
