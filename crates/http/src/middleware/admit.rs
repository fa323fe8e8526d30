//! What is refused before anybody looks at who asks: too much at once, too long, or too late.

use super::panics::catching;
use super::{Answer, refuse};
use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::places::{Place, Places};
use crate::state::AppState;
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web;

/// Whose places a request takes one of.
pub(crate) type Whose = fn(&AppState) -> &Places;

/// Enforces the limits on request target and headers, lets nobody in while the service drains, sheds what is more than there are
/// places for, and catches panics of what is behind it. Runs behind the choice of route and method.
///
/// One for all of it, since each layer around a handler costs a lookup a fiftieth of its instructions. Where nobody's places
/// are named nothing is shed: operators may be the ones to end an overload or a doubt, and their listener takes few connections.
pub(crate) async fn admit(request: ServiceRequest, next: Next<BoxBody>, whose: Option<Whose>) -> Answer {
    let Some(state) = request.app_data::<web::Data<AppState>>().cloned() else {
        return Ok(refuse(request, &ErrorId::Internal.into()));
    };
    let admitted = check(&request, &state).and_then(|()| whose.map(|whose| place(&state, whose)).transpose());
    match admitted {
        Ok(_place) => Ok(catching(request, next).await),
        Err(error) => Ok(turn_away(request, &state, &error)),
    }
}

/// A place, unless all are taken, or the wall clock cannot be believed: rows, checks and expiries would be dated by it.
fn place(state: &AppState, whose: Whose) -> Result<Place<'_>, ApiError> {
    if state.clock.doubt().is_some() {
        return Err(ApiError::unavailable());
    }
    whose(state).take(state.settings.max_in_flight, state.ticks.elapsed()).ok_or_else(ApiError::unavailable)
}

fn turn_away(request: ServiceRequest, state: &AppState, error: &ApiError) -> ServiceResponse<BoxBody> {
    state.metrics.refused("not_admitted");
    refuse(request, error)
}

fn check(request: &ServiceRequest, state: &AppState) -> Result<(), ApiError> {
    let settings = &state.settings;
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    let header_bytes: usize =
        request.headers().iter().map(|(name, value)| name.as_str().len() + value.as_bytes().len()).sum();
    if target > settings.target_bytes {
        let limit = settings.target_bytes;
        let message = format!("The request target is longer than {limit} bytes.");
        Err(ApiError::with_message(ErrorId::UriTooLong, message))
    } else if header_bytes > settings.header_bytes {
        let limit = settings.header_bytes;
        let message = format!("The request's headers are larger than {limit} bytes.");
        Err(ApiError::with_message(ErrorId::HeadersTooLarge, message))
    } else if state.is_draining() {
        Err(ApiError::unavailable())
    } else {
        Ok(())
    }
}
