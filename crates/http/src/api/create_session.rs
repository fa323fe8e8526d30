//! `POST /api/v1/sessions`: the platform's backend creates a session for a visitor's address. Never billed.

use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Authorized, NoQuery, Query, RequestInput, SessionAccess, read_json};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_api::ErrorId;
use voight_api::openapi::{Operation, ResponseBody};
use voight_domain::services::{CheckError, CreateVouchedSession};
use voight_domain::vocabulary::EoaAddress;

/// Path of the endpoint.
pub(super) const PATH: &str = "/api/v1/sessions";

/// Session to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateSession {
    /// Context that this key may use.
    context_id: String,
    /// Address of the platform's signed-in visitor.
    #[schema(schema_with = voight_api::openapi::address_schema)]
    eoa_address: String,
}

/// Session token.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreatedSession {
    /// Token that the page passes to the component as `session`.
    session: String,
    /// Time of expiry, RFC 3339 in UTC.
    #[schema(format = DateTime)]
    expires_at: String,
}

impl RequestInput for CreateVouchedSession {
    async fn read(request: &HttpRequest, payload: Payload) -> Result<Self, ApiError> {
        let body: CreateSession = read_json(request, payload).await?;
        Query::<NoQuery>::parse(request)?;
        let address = body.eoa_address.parse::<EoaAddress>()?;
        let context = body.context_id.parse().map_err(|_| ErrorId::UnknownContextForKey)?;
        Ok(Self { context, address })
    }
}

pub(super) async fn handle(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<SessionAccess, CreateVouchedSession>,
) -> Result<HttpResponse, ApiError> {
    let (session, expires_at) = state.services.checks.create_session(&caller.holder, input).await.map_err(refusal)?;
    Ok(success(caller.is_test(), &CreatedSession { session, expires_at: expires_at.to_string() }))
}

fn refusal(error: CheckError) -> ApiError {
    match error {
        CheckError::Store(error) => error.into(),
        _ => ErrorId::UnknownContextForKey.into(),
    }
}

pub(super) fn operation() -> Operation {
    Operation {
        method: "post",
        path: PATH,
        id: "createSession",
        summary: "Vouch for an address",
        description: "Returns a short-lived token by which the platform's backend says that the address is its visitor's. \
            The page hands it to the component as `session`. Never billed.",
        needs_key: true,
        parameters: vec![],
        request: Some("CreateSession"),
        answer: ResponseBody::Enveloped("CreatedSession"),
        headers: &[],
        errors: &[ErrorId::InvalidAddress, ErrorId::InvalidChecksum, ErrorId::UnknownContextForKey],
    }
}
