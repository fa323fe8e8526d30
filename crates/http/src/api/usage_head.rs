//! `GET /api/v1/usage/head`: returns the signed head of the client's ledger.

use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorized, NoQuery, Query, RequestInput, UsageAccess};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use voight_api::public::SignedLedgerHead;

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
    let (head, signed) = state
        .services
        .ledgers
        .signed_head(caller.api_key.ledger())
        .await?;
    let data = SignedLedgerHead {
        seq: head.seq,
        head: head.head.to_string(),
        at: head.at.to_string(),
        signed,
    };
    Ok(success_in(caller.environment(), &data))
}
