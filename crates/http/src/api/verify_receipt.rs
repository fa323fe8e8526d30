//! `POST /api/v1/receipts/verify`: the platform's backend redeems a receipt, once. Never billed. The response contains no
//! finding.

use super::replay;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Authorized, NoQuery, Query, RequestInput, SessionAccess, idempotency_key, read_json};
use crate::metrics::RedemptionLabel;
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_api::ErrorId;
use voight_api::openapi::{Operation, ResponseBody, idempotency_key as idempotency_parameter};
use voight_domain::check::{Receipt, RedeemOutcome};
use voight_domain::services::{RedeemReceipt, Redeemed};

/// Path of the endpoint.
pub(super) const PATH: &str = "/api/v1/receipts/verify";
const ROUTE: &str = "redeem";

/// Receipt to redeem.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerifyReceipt {
    /// Receipt, as passed to the page by the component.
    receipt: String,
}

/// Status and content of a receipt. The response to a forged receipt has no content.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerifiedReceipt {
    /// Status of the receipt.
    status: ReceiptStatus,
    /// Context of the check.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    context_id: Option<String>,
    /// Address of the check, with its EIP-55 checksum.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, pattern = "^0x[0-9a-fA-F]{40}$")]
    eoa_address: Option<String>,
    /// Origin of the page that hosted the check.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    origin: Option<String>,
    /// `true` if the origin was on a list of allowed origins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    origin_allowlisted: Option<bool>,
    /// `true` if wallet ownership was proven, by a signature or by a session that your backend created.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    owned: Option<bool>,
    /// `true` for a receipt of the sandbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    test: Option<bool>,
    /// Time at which the check was completed, RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = DateTime)]
    issued_at: Option<String>,
    /// Time of expiry, RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = DateTime)]
    expires_at: Option<String>,
    /// Time at which the receipt was redeemed before, RFC 3339 in UTC; absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = DateTime)]
    used_at: Option<String>,
}

/// Status of a receipt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReceiptStatus {
    /// The check was completed, and its receipt is redeemed for the first time.
    Valid,
    /// The receipt was redeemed before.
    Used,
    /// The receipt expired; it is valid for ten minutes.
    Expired,
    /// The receipt was not issued by this service, or is for a context that this key may not use.
    #[default]
    Forged,
}

impl RequestInput for RedeemReceipt {
    async fn read(request: &HttpRequest, payload: Payload) -> Result<Self, ApiError> {
        let VerifyReceipt { receipt } = read_json(request, payload).await?;
        Query::<NoQuery>::parse(request)?;
        Ok(Self { token: receipt, idempotency_key: idempotency_key(request)? })
    }
}

pub(super) async fn handle(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<SessionAccess, RedeemReceipt>,
) -> Result<HttpResponse, ApiError> {
    let _turn = state
        .idempotency_locks
        .acquire_if_present(caller.holder.client.id, ROUTE, input.idempotency_key.as_ref())
        .await?;
    let redeemed = state.services.receipts.redeem(&caller.holder, input).await;
    let redeemed = redeemed.inspect_err(|_| state.metrics.record_redemption(RedemptionLabel::Failed))?;
    state.metrics.record_redemption(outcome_label(redeemed.outcome));
    let verified = verified(&redeemed)?;
    Ok(replay(success(caller.is_test(), &verified), redeemed.outcome == RedeemOutcome::Replayed))
}

fn verified(redeemed: &Redeemed) -> Result<VerifiedReceipt, ApiError> {
    let (status, used_at) = match redeemed.outcome {
        RedeemOutcome::Valid | RedeemOutcome::Replayed => (ReceiptStatus::Valid, None),
        RedeemOutcome::Used { at } => (ReceiptStatus::Used, Some(at.to_string())),
        RedeemOutcome::Expired => (ReceiptStatus::Expired, None),
        RedeemOutcome::Forged => (ReceiptStatus::Forged, None),
        RedeemOutcome::KeyRefused => return Err(ErrorId::InvalidKey.into()),
        RedeemOutcome::KeyReused => return Err(ErrorId::IdempotencyKeyReused.into()),
    };
    let said = redeemed.receipt.as_ref().map_or_else(VerifiedReceipt::default, VerifiedReceipt::from);
    Ok(VerifiedReceipt { status, used_at, ..said })
}

impl From<&Receipt> for VerifiedReceipt {
    fn from(receipt: &Receipt) -> Self {
        Self {
            context_id: Some(receipt.context.to_string()),
            eoa_address: Some(receipt.address.to_string()),
            origin: Some(receipt.origin.to_string()),
            origin_allowlisted: Some(receipt.origin_allowlisted),
            owned: Some(receipt.owned),
            test: Some(receipt.environment.is_test()),
            issued_at: Some(receipt.issued_at.to_string()),
            expires_at: Some(receipt.expires_at().to_string()),
            ..Self::default()
        }
    }
}

const fn outcome_label(outcome: RedeemOutcome) -> RedemptionLabel {
    match outcome {
        RedeemOutcome::Valid => RedemptionLabel::Valid,
        RedeemOutcome::Replayed => RedemptionLabel::Replayed,
        RedeemOutcome::Used { .. } => RedemptionLabel::Used,
        RedeemOutcome::Expired => RedemptionLabel::Expired,
        RedeemOutcome::Forged => RedemptionLabel::Forged,
        RedeemOutcome::KeyRefused => RedemptionLabel::InvalidKey,
        RedeemOutcome::KeyReused => RedemptionLabel::IdempotencyKeyReused,
    }
}

pub(super) fn operation() -> Operation {
    Operation {
        method: "post",
        path: PATH,
        id: "verifyReceipt",
        summary: "Redeem a receipt",
        description: "Redeems a receipt, which proves that a check was completed. It is valid once, within ten minutes; a retry with the same Idempotency-Key is answered `valid` again. The response contains no findings. Never billed; it counts against the \
            rate limit of lookups.",
        needs_key: true,
        parameters: vec![idempotency_parameter()],
        request: Some("VerifyReceipt"),
        answer: ResponseBody::Enveloped("VerifiedReceipt"),
        headers: &[("idempotency-replayed", false, "`true` if this answers a retry.")],
        errors: &[ErrorId::IdempotencyConflict, ErrorId::IdempotencyKeyReused],
    }
}
