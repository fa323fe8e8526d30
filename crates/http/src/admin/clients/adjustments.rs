//! `GET` and `POST /admin/v1/clients/{client}/adjustments`: pending credits and corrections for the next invoice.

use crate::admin::amount::amount;
use crate::admin::caller::Caller;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;
use voight_domain::billing::{Currency, Money};
use voight_domain::invoicing::{AdjustmentKind, NewAdjustment};

pub(super) async fn list(
    client: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let client = state.services.registrar.find_client(&client).await?;
    let pending_adjustments = state.services.billing.waiting(&client).await?;
    let adjustments: Vec<_> = pending_adjustments
        .iter()
        .map(admin::Adjustment::from)
        .collect();
    Ok(success(&adjustments))
}

pub(super) async fn make(
    client: web::Path<String>,
    Json(body): Json<admin::NewAdjustment>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let adjustment = adjustment(body, state.services.billing.currency())?;
    let client = state.services.registrar.find_client(&client).await?;
    let new_adjustment = state
        .services
        .billing
        .acting_as(&caller.actor)
        .adjust(&client, adjustment)
        .await?;
    Ok(success(&admin::Adjustment::from(&new_adjustment)))
}

/// Builds the adjustment. A credit is positive in the request and stored as the negative amount that it adds to an invoice.
fn adjustment(body: admin::NewAdjustment, currency: Currency) -> Result<NewAdjustment, ApiError> {
    let unsigned_amount = amount("amount", &body.amount, currency)?;
    let (kind, amount) = match body.kind {
        admin::AdjustmentKind::Credit => (
            AdjustmentKind::Credit,
            Money {
                minor: -unsigned_amount.minor,
                ..unsigned_amount
            },
        ),
        admin::AdjustmentKind::Correction => (AdjustmentKind::Correction, unsigned_amount),
    };
    Ok(NewAdjustment {
        kind,
        amount,
        reason: body.reason,
    })
}
