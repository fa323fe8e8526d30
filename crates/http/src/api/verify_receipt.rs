//! `POST /api/v1/receipts/verify`: the platform's backend redeems a receipt, once. Never billed. The response contains no
//! finding.

use super::mark_replayed;
use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{
    Authorized, NoQuery, Query, RequestInput, SessionAccess, idempotency_key, read_json,
};
use crate::metrics::RedemptionLabel;
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use voight_api::ErrorId;
use voight_api::public::{ReceiptStatus, VerifiedReceipt, VerifyReceipt};
use voight_domain::check::RedeemOutcome;
use voight_domain::services::{RedeemReceipt, Redeemed};

const ROUTE: &str = "redeem";

impl RequestInput for RedeemReceipt {
    async fn read(request: &HttpRequest, payload: Payload) -> Result<Self, ApiError> {
        let VerifyReceipt { receipt } = read_json(request, payload).await?;
        Query::<NoQuery>::parse(request)?;
        Ok(Self {
            token: receipt,
            idempotency_key: idempotency_key(request)?,
        })
    }
}

pub(super) async fn handle(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<'_, SessionAccess, RedeemReceipt>,
) -> Result<HttpResponse, ApiError> {
    let _idempotency_guard = state
        .idempotency_locks
        .acquire_if_present(
            caller.api_key.client.id,
            ROUTE,
            input.idempotency_key.as_ref(),
        )
        .await?;
    let redemption = state.services.receipts.redeem(&caller.api_key, input).await;
    let redemption =
        redemption.inspect_err(|_| state.metrics.record_redemption(RedemptionLabel::Failed))?;
    state
        .metrics
        .record_redemption(outcome_label(redemption.outcome));
    let answer = success_in(caller.environment(), &verified(&redemption)?);
    Ok(if redemption.outcome == RedeemOutcome::Replayed {
        mark_replayed(answer)
    } else {
        answer
    })
}

fn verified(redeemed: &Redeemed) -> Result<VerifiedReceipt, ApiError> {
    let (status, used_at) = match redeemed.outcome {
        RedeemOutcome::Valid | RedeemOutcome::Replayed => (ReceiptStatus::Valid, None),
        RedeemOutcome::Used { at } => (ReceiptStatus::Used, Some(at.to_string())),
        RedeemOutcome::Expired => (ReceiptStatus::Expired, None),
        RedeemOutcome::Forged => (ReceiptStatus::Forged, None),
        RedeemOutcome::KeyRejected => return Err(ErrorId::InvalidKey.into()),
        RedeemOutcome::KeyReused => return Err(ErrorId::IdempotencyKeyReused.into()),
    };
    let details = redeemed
        .receipt
        .as_ref()
        .map_or_else(VerifiedReceipt::default, VerifiedReceipt::from);
    Ok(VerifiedReceipt {
        status,
        used_at,
        ..details
    })
}

const fn outcome_label(outcome: RedeemOutcome) -> RedemptionLabel {
    match outcome {
        RedeemOutcome::Valid => RedemptionLabel::Valid,
        RedeemOutcome::Replayed => RedemptionLabel::Replayed,
        RedeemOutcome::Used { .. } => RedemptionLabel::Used,
        RedeemOutcome::Expired => RedemptionLabel::Expired,
        RedeemOutcome::Forged => RedemptionLabel::Forged,
        RedeemOutcome::KeyRejected => RedemptionLabel::InvalidKey,
        RedeemOutcome::KeyReused => RedemptionLabel::IdempotencyKeyReused,
    }
}
