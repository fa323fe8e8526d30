//! Builder of the admin app, for the server and for tests.

use super::{every_route, handshake, metrics, readyz};
use crate::app::{AppFactory, mount};
use crate::endpoint::{Endpoints, Fail, with_arguments};
use crate::error::ApiError;
use crate::operator::{METRICS, OwnHosts, READINESS};
use crate::pipeline::{Endpoint, Guards, OperatorAccess};
use crate::state::AppState;
use crate::{livez, openapi};
use actix_web::http::Method;
use actix_web::{App, web};
use std::sync::Arc;
use voight_api::AdminTokenSecret;
use voight_api::ErrorId;
use voight_api::proof::HANDSHAKE_PATH;
use voight_api::public::routes::{GET_LIVENESS, GET_OPEN_API};
use voight_api::route::ADMIN_PREFIX;

/// Builds the admin app of the TCP listener. `/admin/v1` requires `token`; the probes and the metrics do not.
pub fn create_admin_app(
    state: web::Data<AppState>,
    token: AdminTokenSecret,
) -> App<impl AppFactory> {
    let hosts = OwnHosts(state.settings.admin_hosts.clone());
    admin_app(state, token, hosts, None)
}

/// Pages of the admin listener beside the admin API. They have guards of their own.
pub type AdminPages = Arc<dyn Fn(&mut web::ServiceConfig) + Send + Sync>;

/// Builds the admin app of a listener that answers to `hosts`.
pub(super) fn admin_app(
    state: web::Data<AppState>,
    token: AdminTokenSecret,
    hosts: OwnHosts,
    pages: Option<AdminPages>,
) -> App<impl AppFactory> {
    let not_found = |access| {
        let error = ApiError::with_message(
            ErrorId::NotFound,
            "This path of the admin listener does not exist.",
        );
        let guards = Guards::for_operators(access).without_admission();
        Endpoint::new(state.clone(), None, guards, Fail(error)).into_service()
    };
    let unknown_path = not_found(OperatorAccess::Host);
    let unknown_api_path = not_found(OperatorAccess::Token);
    mount(state, endpoints())
        .app_data(web::Data::new(token))
        .app_data(web::Data::new(hosts))
        .configure(|config| {
            if let Some(pages) = pages {
                pages(config);
            }
        })
        .service(web::scope(ADMIN_PREFIX).default_service(unknown_api_path))
        .default_service(unknown_path)
}

/// Returns the probes, the handshake and the admin API.
fn endpoints() -> Vec<Endpoints> {
    let guards = Guards::for_operators(OperatorAccess::Host);
    let probe = |path| Endpoints::new(path, guards.without_admission());
    let mut endpoints = vec![
        probe(GET_LIVENESS.path).add(Method::GET, with_arguments(livez::show)),
        probe(GET_OPEN_API.path).add(Method::GET, with_arguments(openapi::show_admin)),
        probe(READINESS).add(Method::GET, with_arguments(readyz::show)),
        probe(METRICS).add(Method::GET, with_arguments(metrics::show)),
        Endpoints::new(HANDSHAKE_PATH, guards).add(Method::POST, with_arguments(handshake::prove)),
    ];
    endpoints.extend(every_route().into_endpoints());
    endpoints
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_api::admin::routes::ADMIN_ROUTES;

    #[test]
    fn every_row_of_the_table_is_mounted_once() {
        let mut mounted_routes: Vec<_> = every_route()
            .into_endpoints()
            .iter()
            .map(|endpoints| (endpoints.path().to_owned(), endpoints.allow()))
            .flat_map(|(path, allow)| {
                let rows = allow
                    .split(", ")
                    .map(|method| (path.clone(), method.to_owned()));
                rows.collect::<Vec<_>>()
            })
            .collect();
        let mut table_routes: Vec<_> = ADMIN_ROUTES
            .iter()
            .map(|row| (row.full_path(), row.method.to_string()))
            .collect();
        mounted_routes.sort_unstable();
        table_routes.sort_unstable();
        assert_eq!(mounted_routes, table_routes);
    }
}
