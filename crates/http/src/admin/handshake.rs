//! `POST /admin/v1/handshake`: the listener proves to a client that it knows the admin token, before the client proves it.

use super::AdminToken;
use super::app::OwnHosts;
use super::dto::{Handshake, HandshakeProof};
use super::proof::{ListenerNonce, PROOF_LIFE, answer};
use crate::envelope::success;
use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};

pub(super) async fn prove(
    Json(asked): Json<Handshake>,
    hosts: web::Data<OwnHosts>,
    token: web::Data<AdminToken>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    // A client that was led elsewhere names the listener that it means: no proof of this one serves there.
    if !hosts.has(&asked.listener) {
        return Err(ErrorId::AdminHost.into());
    }
    let end = state.ticks.elapsed().saturating_add(PROOF_LIFE).as_millis();
    let nonce = ListenerNonce {
        process: state.process_nonce(),
        end: u64::try_from(end).unwrap_or(u64::MAX),
        random: state.services.entropy.bytes(),
    };
    let proof: HandshakeProof = answer(&token, &asked, nonce)
        .ok_or_else(|| ApiError::invalid("client_nonce is 32 random bytes in 64 lower-case hexadecimal digits."))?;
    Ok(success(false, &proof))
}
