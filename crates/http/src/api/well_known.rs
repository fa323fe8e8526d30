//! `GET /.well-known/voight-keys.json`: the public keys of receipts and ledger heads, as a JWK set (RFC 7517).

use crate::state::AppState;
use actix_web::http::header;
use actix_web::{HttpResponse, web};
use voight_api::KeySet;

/// `Cache-Control` of the response. Keys change by rotation only, and retired keys remain listed.
const CACHE: &str = "public, max-age=300";

pub(super) async fn handle(state: web::Data<AppState>) -> HttpResponse {
    let keys = KeySet::from(&*state.services.operator.signer());
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, CACHE))
        .json(keys)
}
