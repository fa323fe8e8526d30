//! `GET /.well-known/voight-keys.json`: the public keys of receipts, as a JWK set (RFC 7517).

use crate::openapi::{Body, Operation};
use crate::state::AppState;
use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;

/// Where the endpoint is mounted.
pub(super) const PATH: &str = "/.well-known/voight-keys.json";
/// Keys change by rotation only, and older ones stay listed.
const CACHE: &str = "public, max-age=300";

/// The public keys, the current one first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeySet {
    keys: Vec<PublicJwk>,
}

/// An Ed25519 public key (RFC 8037).
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublicJwk {
    kty: &'static str,
    crv: &'static str,
    alg: &'static str,
    #[serde(rename = "use")]
    usage: &'static str,
    kid: String,
    x: String,
}

pub(super) async fn handle(state: web::Data<AppState>) -> HttpResponse {
    let published = state.services.secrets.signer().public_keys().0.iter();
    let keys = published.map(|key| PublicJwk {
        kty: "OKP",
        crv: "Ed25519",
        alg: "EdDSA",
        usage: "sig",
        kid: key.kid.clone(),
        x: key.x.clone(),
    });
    HttpResponse::Ok().insert_header((header::CACHE_CONTROL, CACHE)).json(KeySet { keys: keys.collect() })
}

pub(super) fn operation() -> Operation {
    Operation {
        method: "get",
        path: PATH,
        id: "getKeys",
        summary: "The public keys of receipts",
        description: "A JWK set. Receipts are compact JWS signed with EdDSA; verify them with the key that their kid names.",
        needs_key: false,
        parameters: vec![],
        request: None,
        answer: Body::Plain("KeySet"),
        headers: &[],
        errors: &[],
    }
}
