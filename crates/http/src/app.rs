//! Builder of the public app, for the server and for tests.

use crate::endpoint::{Endpoints, Fail};
use crate::pipeline::{Endpoint, Guards};
use crate::state::AppState;
use crate::{api, docs, landing, window};
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::{App, web};
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
    // Paths are searched in this order: lookups and batches of evidence are the most frequent requests.
    let endpoints = api::lookup_endpoints()
        .into_iter()
        .chain(window::endpoints())
        .chain(api::endpoints())
        .chain(landing::endpoints())
        .chain(docs::endpoints());
    let not_found = Endpoint::new(
        state.clone(),
        None,
        Guards::NONE,
        Fail(ErrorId::NotFound.into()),
    );
    mount(state, endpoints).default_service(not_found.into_service())
}

/// Builds an app with these endpoints.
pub(crate) fn mount(
    state: web::Data<AppState>,
    endpoints: impl IntoIterator<Item = Endpoints>,
) -> App<impl AppFactory> {
    let app = endpoints.into_iter().fold(App::new(), |app, endpoints| {
        app.service(endpoints.into_resource(&state))
    });
    app.app_data(state)
}
