//! `GET` and `PATCH /admin/v1/clients/{client}/limits`: limits on the usage of a client in a period.

use crate::admin::amount::amount;
use crate::admin::caller::Caller;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;
use voight_domain::billing::{Currency, Money};
use voight_domain::metering::Limit;

pub(super) async fn show(
    client: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let client = state.services.registrar.find_client(&client).await?;
    let line = state.services.operator.usage(client).await?;
    Ok(success(&admin::Limits::from(&line)))
}

pub(super) async fn change(
    client: web::Path<String>,
    Json(body): Json<admin::LimitsPatch>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    // Every member is validated before anything is changed.
    let limits = limits(body, state.services.billing.currency())?;
    let client_record = state.services.registrar.find_client(&client).await?;
    for limit in limits {
        state
            .services
            .billing
            .acting_as(&caller.actor)
            .set_limit(&client_record, limit)
            .await?;
    }
    show(client, state).await
}

fn limits(patch: admin::LimitsPatch, currency: Currency) -> Result<Vec<Limit>, ApiError> {
    let money = |member, change: admin::NullablePatch<String>| -> Result<Option<Money>, ApiError> {
        change
            .into_option()
            .map(|text| amount(member, &text, currency))
            .transpose()
    };
    let cap = patch.cap.map(|cap| Limit::Lookups(cap.into_option()));
    let money_cap = patch
        .money_cap
        .map(|cap| money("money_cap", cap).map(Limit::Money))
        .transpose()?;
    let budget = patch
        .budget
        .map(|budget| money("budget", budget).map(Limit::Budget))
        .transpose()?;
    let limits: Vec<_> = [cap, money_cap, budget].into_iter().flatten().collect();
    if limits.is_empty() {
        return Err(ApiError::invalid(
            "The request changes nothing: send cap, money_cap or budget.",
        ));
    }
    Ok(limits)
}
