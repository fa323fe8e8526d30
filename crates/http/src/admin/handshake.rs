//! `POST /admin/v1/handshake`: the listener proves to a client that it knows the admin token, before the client proves it.

use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::operator::OwnHosts;
use crate::operator::named_token;
use crate::state::AppState;
use actix_web::{HttpRequest, HttpResponse, web};
use voight_api::AdminTokenSecret;
use voight_api::ErrorId;
use voight_api::admin::{Handshake, HandshakeProof};
use voight_api::proof::{ListenerNonce, PROOF_LIFE, answer};

pub(super) async fn prove(
    Json(handshake): Json<Handshake>,
    hosts: web::Data<OwnHosts>,
    token: web::Data<AdminTokenSecret>,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    // A client that was redirected here names the listener that it intended, so it gets no proof of this one.
    if !hosts.has(&handshake.listener) {
        return Err(ErrorId::MisdirectedAdminRequest.into());
    }
    let token_secret = match &handshake.token {
        Some(id) => Some(named_token(&state, request.peer_addr().map(|peer| peer.ip()), id).await?),
        None => None,
    };
    let end = state
        .monotonic_clock
        .elapsed()
        .saturating_add(PROOF_LIFE)
        .as_millis();
    let nonce = ListenerNonce {
        process: state.process_nonce(),
        end: u64::try_from(end).unwrap_or(u64::MAX),
        random: state.entropy.bytes(),
    };
    let proof: HandshakeProof = answer(token_secret.as_ref().unwrap_or(&token), &handshake, nonce)
        .ok_or_else(|| {
            ApiError::invalid(
                "client_nonce is 32 random bytes in 64 lower-case hexadecimal digits.",
            )
        })?;
    Ok(success(&proof))
}
