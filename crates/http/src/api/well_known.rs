//! `GET /.well-known/voight-keys.json`: the public keys of receipts and ledger heads, as a JWK set (RFC 7517).

use crate::state::AppState;
use actix_web::http::header;
use actix_web::{HttpResponse, web};
use voight_api::KeySet;
use voight_api::openapi::{Operation, ResponseBody};

/// Path of the endpoint.
pub(super) const PATH: &str = "/.well-known/voight-keys.json";
/// `Cache-Control` of the response. Keys change by rotation only, and retired keys remain listed.
const CACHE: &str = "public, max-age=300";

pub(super) async fn handle(state: web::Data<AppState>) -> HttpResponse {
    let keys = KeySet::from(&*state.services.secrets.signer());
    HttpResponse::Ok().insert_header((header::CACHE_CONTROL, CACHE)).json(keys)
}

pub(super) fn operation() -> Operation {
    Operation {
        method: "get",
        path: PATH,
        id: "getKeys",
        summary: "The public keys of receipts and of heads of ledgers",
        description: "A JWK set. Receipts (type voight-receipt+jwt) and heads of ledgers (type head+jwt) are compact JWS signed with \
            EdDSA; verify them with the key that their kid names. A receipt counts only if its key has no retired_at and is the \
            first, or if it is dated at most a minute after the retired_at of its key; heads of ledgers stay valid.",
        needs_key: false,
        parameters: vec![],
        request: None,
        answer: ResponseBody::Plain("KeySet"),
        headers: &[],
        errors: &[],
    }
}
