//! Builder of the admin app, for the server and for tests.

use super::host::{METRICS, OwnHosts, READINESS, own_host};
use super::token::with_token;
use super::{every_route, handshake, metrics, openapi, readyz};
use crate::app::{AppFactory, app_with_endpoints};
use crate::endpoint::operator_endpoint;
use crate::error::ApiError;
use crate::livez::{self, probe};
use crate::state::AppState;
use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};
use actix_web::{App, HttpResponse};
use voight_api::AdminTokenSecret;
use voight_api::ErrorId;
use voight_api::proof::HANDSHAKE_PATH;
use voight_api::public::routes::GET_LIVENESS;

/// Builds the admin app of the TCP listener. `/admin/v1` requires `token`; the probes and the metrics do not.
pub fn create_admin_app(
    state: web::Data<AppState>,
    token: AdminTokenSecret,
) -> App<impl AppFactory> {
    let hosts = OwnHosts(state.settings.admin_hosts.clone());
    admin_app(state, token, hosts)
}

/// Builds the admin app of a listener that answers to `hosts`.
pub(super) fn admin_app(
    state: web::Data<AppState>,
    token: AdminTokenSecret,
    hosts: OwnHosts,
) -> App<impl AppFactory> {
    app_with_endpoints(state, |cfg| configure(cfg, token, hosts))
}

fn configure(cfg: &mut ServiceConfig, token: AdminTokenSecret, hosts: OwnHosts) {
    let api = every_route()
        .into_scope()
        .default_service(web::to(not_found))
        .wrap(from_fn(with_token));
    let everything = web::scope("")
        .service(probe(GET_LIVENESS.path, web::get().to(livez::show)))
        .service(probe(openapi::PATH, web::get().to(openapi::show)))
        .service(probe(READINESS, web::get().to(readyz::show)))
        .service(probe(METRICS, web::get().to(metrics::show)))
        .service(operator_endpoint(
            HANDSHAKE_PATH,
            "POST",
            [web::post().to(handshake::prove)],
        ))
        .service(api)
        .default_service(web::to(not_found))
        .wrap(from_fn(own_host));
    cfg.app_data(web::Data::new(token))
        .app_data(web::Data::new(hosts))
        .service(everything);
}

async fn not_found() -> Result<HttpResponse, ApiError> {
    Err(ApiError::with_message(
        ErrorId::NotFound,
        "This path of the admin listener does not exist.",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_api::admin::routes::ADMIN_ROUTES;

    #[test]
    fn every_row_of_the_table_is_mounted_once() {
        let mut mounted_routes: Vec<_> = every_route()
            .mounted()
            .map(|(method, path)| (path, method.as_str()))
            .collect();
        let mut table_routes: Vec<_> = ADMIN_ROUTES
            .iter()
            .map(|row| (row.path, row.method.as_str()))
            .collect();
        mounted_routes.sort_unstable();
        table_routes.sort_unstable();
        assert_eq!(mounted_routes, table_routes);
    }
}
