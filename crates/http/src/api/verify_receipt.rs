//! `POST /api/v1/receipts/verify`: the platform's backend redeems a receipt, once. Never billed; it says nothing of a finding.

use super::replay;
use crate::envelope::success;
use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::extract::{Authorized, NoQuery, Query, RequestInput, SessionAccess, idempotency_key, read_json};
use crate::openapi::{Operation, ResponseBody, idempotency_key as idempotency_parameter};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::check::{Receipt, RedeemOutcome};
use voight_domain::services::{RedeemReceipt, Redeemed};

/// Where the endpoint is mounted.
pub(super) const PATH: &str = "/api/v1/receipts/verify";
const ROUTE: &str = "redeem";

/// A receipt to redeem.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerifyReceipt {
    /// The receipt, as the component gave it to the page.
    receipt: String,
}

/// Whether a receipt is valid, and what it says. A forged one says nothing.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerifiedReceipt {
    /// Whether it is valid.
    status: ReceiptStatus,
    /// The context of the check.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    context_id: Option<String>,
    /// The address of the check, with its EIP-55 checksum.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, pattern = "^0x[0-9a-fA-F]{40}$")]
    eoa_address: Option<String>,
    /// The origin of the page that hosted the check.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    origin: Option<String>,
    /// Whether that origin was on a pinned list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pinned: Option<bool>,
    /// Whether the address was shown to be the visitor's, by a signature or your backend's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    bound: Option<bool>,
    /// Whether it is a receipt of the sandbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    test: Option<bool>,
    /// When the check was completed, RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = DateTime)]
    issued_at: Option<String>,
    /// From when on the receipt is no longer valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = DateTime)]
    expires_at: Option<String>,
    /// When it was redeemed before; only if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = DateTime)]
    used_at: Option<String>,
}

/// What a receipt is worth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReceiptStatus {
    /// A check was completed, and this is the first time that its receipt is redeemed.
    Valid,
    /// It was redeemed before.
    Used,
    /// Its ten minutes are over.
    Expired,
    /// It is not of this service, or of a context that this key may not use.
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
    let redeemed = redeemed.inspect_err(|_| state.metrics.receipt("failed"))?;
    state.metrics.receipt(outcome_label(redeemed.outcome));
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
            pinned: Some(receipt.pinned),
            bound: Some(receipt.bound),
            test: Some(receipt.environment.is_test()),
            issued_at: Some(receipt.issued_at.to_string()),
            expires_at: Some(receipt.expires_at().to_string()),
            ..Self::default()
        }
    }
}

const fn outcome_label(outcome: RedeemOutcome) -> &'static str {
    match outcome {
        RedeemOutcome::Valid => "valid",
        RedeemOutcome::Replayed => "replayed",
        RedeemOutcome::Used { .. } => "used",
        RedeemOutcome::Expired => "expired",
        RedeemOutcome::Forged => "forged",
        RedeemOutcome::KeyRefused => "key_refused",
        RedeemOutcome::KeyReused => "key_reused",
    }
}

pub(super) fn operation() -> Operation {
    Operation {
        method: "post",
        path: PATH,
        id: "verifyReceipt",
        summary: "Redeem a receipt",
        description: "Says whether a check was completed: a receipt is valid once, within ten minutes. A retry with the same \
            Idempotency-Key is answered valid again. It never says what was found, and is never billed; it counts against the \
            rate limit of lookups.",
        needs_key: true,
        parameters: vec![idempotency_parameter()],
        request: Some("VerifyReceipt"),
        answer: ResponseBody::Enveloped("VerifiedReceipt"),
        headers: &[("idempotency-replayed", false, "`true` if this answers a retry.")],
        errors: &[ErrorId::IdempotencyConflict, ErrorId::IdempotencyKeyReused],
    }
}
