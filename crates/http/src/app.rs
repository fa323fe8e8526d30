//! Builder of the public app, for the server and for tests.

use crate::error::ApiError;
use crate::middleware::request_context;
use crate::state::AppState;
use crate::{api, docs, landing, window};
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::from_fn;
use actix_web::{App, HttpResponse, web};
use voight_api::ErrorId;

/// Factory of the services of an app, as the server and tests run it.
pub trait AppFactory:
    ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<BoxBody>,
        Error = actix_web::Error,
        InitError = (),
    >
{
}

impl<F> AppFactory for F where
    F: ServiceFactory<
            ServiceRequest,
            Config = (),
            Response = ServiceResponse<BoxBody>,
            Error = actix_web::Error,
            InitError = (),
        >
{
}

/// Builds the public app: API, window, landing page, documentation and probe.
pub fn create_app(state: web::Data<AppState>) -> App<impl AppFactory> {
    let lookups = state.clone();
    build(
        state,
        move |cfg| api::configure_lookups(cfg, &lookups),
        |cfg| {
            // Routes are searched in this order, and the batches of evidence are the most frequent of these requests.
            window::configure(cfg);
            api::configure(cfg);
            landing::configure(cfg);
            docs::configure(cfg);
        },
    )
}

/// Builds an app with these endpoints and the middleware of every endpoint.
pub fn app_with_endpoints(
    state: web::Data<AppState>,
    endpoints: impl FnOnce(&mut web::ServiceConfig),
) -> App<impl AppFactory> {
    build(state, |_| {}, endpoints)
}

/// Builds an app with endpoints without and with middleware.
fn build(
    state: web::Data<AppState>,
    bare: impl FnOnce(&mut web::ServiceConfig),
    endpoints: impl FnOnce(&mut web::ServiceConfig),
) -> App<impl AppFactory> {
    let request_context_of = |state: web::Data<AppState>| {
        from_fn(move |request, next| request_context(state.clone(), request, next))
    };
    // The scope has every path that begins with a slash.
    let scope = web::scope("")
        .configure(endpoints)
        .default_service(web::to(not_found))
        .wrap(request_context_of(state.clone()));
    let fallback = web::to(not_found).wrap(request_context_of(state.clone()));
    App::new()
        .app_data(state)
        .configure(bare)
        .service(scope)
        .default_service(fallback)
}

async fn not_found() -> Result<HttpResponse, ApiError> {
    Err(ErrorId::NotFound.into())
}
