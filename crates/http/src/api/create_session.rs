//! `POST /api/v1/sessions`: the platform's backend creates a session for a visitor's address. Never billed.

use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorized, NoQuery, Query, RequestInput, SessionAccess, read_json};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use voight_api::ErrorId;
use voight_api::public::{CreateSession, CreatedSession};
use voight_domain::services::{CheckError, CreateVouchedSession};
use voight_domain::vocabulary::EoaAddress;

impl RequestInput for CreateVouchedSession {
    async fn read(request: &HttpRequest, payload: Payload) -> Result<Self, ApiError> {
        let body: CreateSession = read_json(request, payload).await?;
        Query::<NoQuery>::parse(request)?;
        let address = body.eoa_address.parse::<EoaAddress>()?;
        let context = body
            .context_id
            .parse()
            .map_err(|_| ErrorId::UnknownContextForKey)?;
        Ok(Self { context, address })
    }
}

pub(super) async fn handle(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<'_, SessionAccess, CreateVouchedSession>,
) -> Result<HttpResponse, ApiError> {
    let (session, expires_at) = state
        .services
        .checks
        .create_session(&caller.api_key, input)
        .await
        .map_err(api_error)?;
    Ok(success_in(
        caller.environment(),
        &CreatedSession {
            session,
            expires_at: expires_at.to_string(),
        },
    ))
}

fn api_error(error: CheckError) -> ApiError {
    match error {
        CheckError::Store(error) => error.into(),
        _ => ErrorId::UnknownContextForKey.into(),
    }
}
