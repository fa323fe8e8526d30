//! `GET /api/v1/usage/head`: returns the signed head of the client's ledger.

use super::usage::ledger_of;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Authorized, NoQuery, Query, RequestInput, UsageAccess};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;
use voight_api::ErrorId;
use voight_api::openapi::{Operation, ResponseBody};

/// Path of the endpoint.
pub(super) const PATH: &str = "/api/v1/usage/head";

/// Signed head of a ledger.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignedLedgerHead {
    /// Sequence number of the last row; 0 if the ledger is empty.
    seq: u64,
    /// Chain head after that row.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    head: String,
    /// Time of signing.
    #[schema(format = DateTime)]
    at: String,
    /// Compact JWS of type `head+jwt` over client, environment (`live` or `test`), seq, head and at.
    #[schema(pattern = "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$")]
    signed: String,
}

/// Input of an endpoint without parameters.
pub(crate) struct NoInput;

impl RequestInput for NoInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        Query::<NoQuery>::parse(request).map(|_| Self)
    }
}

pub(super) async fn handle(
    state: web::Data<AppState>,
    Authorized { caller, .. }: Authorized<UsageAccess, NoInput>,
) -> Result<HttpResponse, ApiError> {
    let (head, signed) = state.services.ledgers.signed_head(ledger_of(&caller)).await?;
    let data = SignedLedgerHead { seq: head.seq, head: head.head.to_string(), at: head.at.to_string(), signed };
    Ok(success(caller.is_test(), &data))
}

pub(super) fn operation() -> Operation {
    Operation {
        method: "get",
        path: PATH,
        id: "getLedgerHead",
        summary: "The signed head of the client's ledger",
        description: "Save the heads: a ledger whose chain does not contain a signed head was rewritten. The \
            signature is EdDSA; verify it with the key of /.well-known/voight-keys.json that its kid names. Needs the scope \
            usage:read.",
        needs_key: true,
        parameters: vec![],
        request: None,
        answer: ResponseBody::Enveloped("SignedLedgerHead"),
        headers: &[],
        errors: &[ErrorId::InvalidRequest],
    }
}
