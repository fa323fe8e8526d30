//! Clients, with their limits and adjustments.

use super::amount::amount;
use super::error::{parsed, parsed_list};
use super::routes::Routes;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Json, NoQuery, Query};
use crate::operator::Caller;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin::{self, routes};
use voight_domain::billing::{Currency, Money};
use voight_domain::invoicing::{AdjustmentKind, NewAdjustment};
use voight_domain::metering::Limit;
use voight_domain::registry::ClientChange;
use voight_domain::vocabulary::Origin;

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_CLIENTS, list)
        .add(&routes::CREATE_CLIENT, create)
        .add(&routes::SHOW_CLIENT, show)
        .add(&routes::CHANGE_CLIENT, change)
        .add(&routes::CLOSE_CLIENT, close)
        .add(&routes::SHOW_LIMITS, show_limits)
        .add(&routes::CHANGE_LIMITS, change_limits)
        .add(&routes::LIST_ADJUSTMENTS, list_adjustments)
        .add(&routes::ADJUST, adjust);
}

/// `GET /admin/v1/clients`: all clients, in the order of their creation.
async fn list(_: Query<NoQuery>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let clients = state.services.registry.all_clients().await?;
    let client_views: Vec<_> = clients.iter().map(admin::Client::from).collect();
    Ok(success(&client_views))
}

/// `POST /admin/v1/clients`: creates a client.
async fn create(
    Json(body): Json<admin::NewClient>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let name = parsed("name", &body.name)?;
    let client = state
        .services
        .registry
        .acting_as(&caller.actor)
        .create_client(name)
        .await?;
    Ok(success(&admin::Client::from(&client)))
}

/// `GET /admin/v1/clients/{client}`: the client of this name or id, with its limits and its balance.
async fn show(
    client: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let services = &state.services;
    let client = services.registry.find_client(&client).await?;
    let balance = services
        .billing
        .balance(&client)
        .await?
        .into_iter()
        .map(admin::Money::from)
        .collect();
    let account = admin::Client::from(&client);
    let limits = admin::Limits::from(&services.operator.usage(client).await?);
    Ok(success(&admin::ClientAccount {
        client: account,
        limits,
        balance,
    }))
}

/// `PATCH /admin/v1/clients/{client}`: changes the client of this name or id.
async fn change(
    client: web::Path<String>,
    Json(body): Json<admin::ClientPatch>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    // Every member is validated before anything is changed.
    let changes = changes(body)?;
    let registry = state.services.registry.acting_as(&caller.actor);
    let mut client = registry.find_client(&client).await?;
    for change in changes {
        client = registry.change_client(client.id, change).await?;
    }
    Ok(success(&admin::Client::from(&client)))
}

fn changes(patch: admin::ClientPatch) -> Result<Vec<ClientChange>, ApiError> {
    let status = patch
        .status
        .map(|status| ClientChange::Status(status.into()));
    let origins = match patch.origins {
        Some(origins) => Some(ClientChange::Origins(parsed_list::<Origin, _>(
            "origins", &origins,
        )?)),
        None => None,
    };
    if patch.lookup_rate == Some(admin::NullablePatch::Set(0)) {
        return Err(ApiError::invalid(
            "lookup_rate is at least 1 a second; suspend the client to stop its lookups.",
        ));
    }
    let rate = patch
        .lookup_rate
        .map(|rate| ClientChange::LookupRate(rate.into_option()));
    let contexts = patch
        .contexts
        .map(|access| ClientChange::Contexts(access.into()));
    let changes: Vec<_> = [status, origins, rate, contexts]
        .into_iter()
        .flatten()
        .collect();
    if changes.is_empty() {
        return Err(ApiError::invalid(
            "The request changes nothing: send status, origins, lookup_rate or contexts.",
        ));
    }
    Ok(changes)
}

/// `POST /admin/v1/clients/{client}/close`: closes a client permanently and issues its last invoice.
async fn close(
    client: web::Path<String>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    state.require_trusted_clock().await?;
    let registry = &state.services.registry;
    let open = registry.find_client(&client).await?;
    let final_invoices = state
        .services
        .billing
        .acting_as(&caller.actor)
        .close_client(&open)
        .await?;
    let closed_client = registry.find_client(&open.id.to_string()).await?;
    let invoices = final_invoices
        .iter()
        .map(admin::InvoiceSummary::from)
        .collect();
    Ok(success(&admin::ClosedClient {
        client: (&closed_client).into(),
        invoices,
    }))
}

/// `GET /admin/v1/clients/{client}/limits`: limits on the usage of a client in a period.
async fn show_limits(
    client: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let client = state.services.registry.find_client(&client).await?;
    let line = state.services.operator.usage(client).await?;
    Ok(success(&admin::Limits::from(&line)))
}

/// `PATCH /admin/v1/clients/{client}/limits`: changes these limits.
async fn change_limits(
    client: web::Path<String>,
    Json(body): Json<admin::LimitsPatch>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    // Every member is validated before anything is changed.
    let limits = limits(body, state.services.billing.currency())?;
    let client_record = state.services.registry.find_client(&client).await?;
    for limit in limits {
        state
            .services
            .billing
            .acting_as(&caller.actor)
            .set_limit(&client_record, limit)
            .await?;
    }
    show_limits(client, state).await
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

/// `GET /admin/v1/clients/{client}/adjustments`: pending credits and corrections for the next invoice.
async fn list_adjustments(
    client: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let client = state.services.registry.find_client(&client).await?;
    let pending_adjustments = state.services.billing.waiting(&client).await?;
    let adjustments: Vec<_> = pending_adjustments
        .iter()
        .map(admin::Adjustment::from)
        .collect();
    Ok(success(&adjustments))
}

/// `POST /admin/v1/clients/{client}/adjustments`: adds a credit or a correction to the next invoice.
async fn adjust(
    client: web::Path<String>,
    Json(body): Json<admin::NewAdjustment>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let adjustment = adjustment(body, state.services.billing.currency())?;
    let client = state.services.registry.find_client(&client).await?;
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
