//! State and acknowledgement of the wall clock. `GET /admin/v1/clock` returns the state; `POST /admin/v1/clock/acknowledge` accepts
//! a clock that the service rejected.

use super::routes::Routes;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Json, NoQuery, Query};
use crate::operator::Caller;
use crate::state::AppState;
use actix_web::HttpResponse;
use actix_web::web;
use voight_api::ErrorId;
use voight_api::admin::{self, routes};

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::SHOW_CLOCK, show)
        .add(&routes::ACCEPT_CLOCK, accept);
}

async fn show(_: Query<NoQuery>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    state.refresh_recorded_time().await?;
    let doubt = state.clock.error().map(|doubt| doubt.to_string());
    Ok(success(&admin::Clock {
        now: state.clock.now().to_string(),
        error: doubt,
    }))
}

async fn accept(
    Json(body): Json<admin::AcknowledgeClock>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    state.refresh_recorded_time().await?;
    let Some(rejection) = state.clock.rejection() else {
        let shows = state.clock.now();
        let message = format!(
            "The wall clock shows {shows} and is not rejected: there is nothing to acknowledge."
        );
        return Err(ApiError::with_message(ErrorId::Conflict, message));
    };
    state
        .services
        .operator
        .acting_as(&caller.actor)
        .acknowledge_clock(rejection.doubt, rejection.accepted, body.reason)
        .await?;
    state.clock.accept(&rejection);
    tracing::warn!(event = "clock_acknowledged", doubt = %rejection.doubt, "an operator has accepted the wall clock");
    Ok(success(&admin::AcknowledgedClock::from(
        &rejection.accepted,
    )))
}
