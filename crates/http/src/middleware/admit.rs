//! What is refused before anybody looks at who asks: too much at once, too long, or too late.

use super::{Answer, refuse};
use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::places::Places;
use crate::state::AppState;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web;

/// Enforces the limits on request target and headers, and lets nobody in while the service drains. Runs behind the choice
/// of route and method.
pub(crate) async fn admit(request: ServiceRequest, next: Next<impl MessageBody + 'static>) -> Answer {
    let Some(state) = request.app_data::<web::Data<AppState>>().cloned() else {
        return Ok(refuse(request, &ErrorId::Internal.into()));
    };
    match check(&request, &state) {
        Ok(()) => Ok(next.call(request).await?.map_into_boxed_body()),
        Err(error) => Ok(turn_away(request, &state, &error)),
    }
}

/// Sheds what platforms send beyond what the service answers at the same time, and everything while the wall clock cannot be
/// believed, since rows, checks and expiries would be dated by it. Operators are never shed: they may be the ones to end the
/// overload or the doubt, and their listener takes few connections.
pub(crate) async fn shed_platforms(request: ServiceRequest, next: Next<impl MessageBody + 'static>) -> Answer {
    shed(request, next, |state| &state.platforms).await
}

/// The same for visitors, who have places of their own.
pub(crate) async fn shed_visitors(request: ServiceRequest, next: Next<impl MessageBody + 'static>) -> Answer {
    shed(request, next, |state| &state.visitors).await
}

async fn shed(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    places: fn(&AppState) -> &Places,
) -> Answer {
    let Some(state) = request.app_data::<web::Data<AppState>>().cloned() else {
        return Ok(refuse(request, &ErrorId::Internal.into()));
    };
    if state.clock.doubt().is_some() {
        return Ok(turn_away(request, &state, &ApiError::unavailable()));
    }
    let Some(_place) = places(&state).take(state.settings.max_in_flight, state.ticks.elapsed()) else {
        return Ok(turn_away(request, &state, &ApiError::unavailable()));
    };
    Ok(next.call(request).await?.map_into_boxed_body())
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
