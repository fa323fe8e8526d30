//! `POST /window/v1/checks`: opens a check without writing to the store.

use super::call::WindowCall;
use super::rejection::LoggedPage;
use crate::error::ApiError;
use crate::metrics::CheckStep;
use crate::state::AppState;
use actix_web::web;
use serde::{Deserialize, Serialize};
use voight_domain::services::{CheckError, OpenCheck, OpenedCheck};
use voight_domain::vocabulary::EoaAddress;

/// Check to open.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct NewCheck {
    context: String,
    address: String,
    origin: String,
    origin_site: String,
    #[serde(default)]
    session: Option<String>,
}

/// Data that the window needs for the check.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OpenedCheckBody {
    check: String,
    challenge: String,
    work: WorkBody,
    layout_seed: String,
    presses: u8,
    expires_at: String,
    test: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    sign: Option<SignRequestBody>,
}

/// Message for the visitor's wallet to sign, and the code in it, which the window displays.
#[derive(Debug, Serialize)]
struct SignRequestBody {
    message: String,
    code: String,
}

#[derive(Debug, Serialize)]
struct WorkBody {
    salt: String,
    bits: u8,
}

pub(super) async fn open(
    call: WindowCall<NewCheck>,
    state: web::Data<AppState>,
) -> Result<OpenedCheckBody, ApiError> {
    let opened_check = open_check(call, &state).await;
    state.metrics.record_step(CheckStep::Open, &opened_check);
    opened_check
}

async fn open_check(
    mut call: WindowCall<NewCheck>,
    state: &AppState,
) -> Result<OpenedCheckBody, ApiError> {
    let excess = call.count(state)?;
    let body = call.read_json().await?;
    let address = body.address.parse()?;
    let checks = &state.services.checks;
    let page = LoggedPage::new(&body.context, &body.origin);
    let opened_check = match body.into_request(address, excess) {
        Ok(request) => checks.open_check(request).await,
        Err(error) => Err(error),
    };
    opened_check
        .map(OpenedCheckBody::from)
        .map_err(|error| call.reject_page(state, &page, error))
}

impl NewCheck {
    /// Converts the request. A malformed context is unknown, and a malformed origin is not allowed.
    fn into_request(self, address: EoaAddress, excess: u32) -> Result<OpenCheck, CheckError> {
        Ok(OpenCheck {
            context: self
                .context
                .parse()
                .map_err(|_| CheckError::ContextUnknown)?,
            address,
            origin: self
                .origin
                .parse()
                .map_err(|_| CheckError::OriginNotAllowed)?,
            origin_site: self.origin_site,
            session: self.session,
            rate_excess: excess,
        })
    }
}

impl From<OpenedCheck> for OpenedCheckBody {
    fn from(opened: OpenedCheck) -> Self {
        Self {
            check: opened.check.to_string(),
            challenge: opened.token,
            work: WorkBody {
                salt: opened.work.salt,
                bits: opened.work.difficulty_bits,
            },
            layout_seed: format!("{:016x}", u64::from_be_bytes(opened.seed)),
            presses: opened.presses.count(),
            expires_at: opened.expires_at.to_string(),
            test: opened.test,
            sign: opened.sign_request.map(|request| SignRequestBody {
                message: request.to_string(),
                code: request.code,
            }),
        }
    }
}
