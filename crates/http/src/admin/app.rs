//! Builder of the admin app, for the server and for tests.

use super::host::own_host;
use super::routes::{AdminRoute, Routes, get, post};
use super::token::with_token;
use super::{
    audit, backup, clients, clock, clusters, contexts, erase, handshake, info, invoices, keys, labels, ledger_export,
    metrics, openapi, readyz, recordings, replay, signing_keys, store, tokens, usage, usage_export, verdicts,
};
use crate::app::app_with_endpoints;
use crate::endpoint::operator_endpoint;
use crate::error::ApiError;
use crate::livez::{self, probe};
use crate::state::AppState;
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};
use actix_web::{App, HttpResponse};
use voight_api::AdminToken;
use voight_api::ErrorId;
use voight_domain::registry::Permission::{Operate, Own, Read, ReadAccounts};

/// Values of `Host` to which a listener of the admin app answers.
#[derive(Debug, Clone)]
pub(super) struct OwnHosts(pub(super) Vec<String>);

impl OwnHosts {
    /// Returns the `Host` of the admin socket, which no browser can reach.
    pub(super) fn of_socket() -> Self {
        Self(vec!["localhost".to_owned()])
    }

    /// Returns `true` if `host` is in the list.
    pub(super) fn has(&self, host: &str) -> bool {
        self.0.iter().any(|own| own.eq_ignore_ascii_case(host))
    }
}

/// Builds the admin app of the TCP listener. `/admin/v1` requires `token`; the probes and the metrics do not.
pub fn create_admin_app(
    state: web::Data<AppState>,
    token: AdminToken,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<BoxBody>,
        Error = actix_web::Error,
        InitError = (),
    >,
> {
    let hosts = OwnHosts(state.settings.admin_hosts.clone());
    admin_app(state, token, hosts)
}

/// Builds the admin app of a listener that answers to `hosts`.
pub(super) fn admin_app(
    state: web::Data<AppState>,
    token: AdminToken,
    hosts: OwnHosts,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<BoxBody>,
        Error = actix_web::Error,
        InitError = (),
    >,
> {
    app_with_endpoints(state, |cfg| configure(cfg, token, hosts))
}

/// Returns every route that requires the token.
fn routes() -> Routes {
    let mut routes = Routes::default();
    for configure in [
        clients::configure as fn(&mut Routes),
        keys::configure,
        verdicts::configure,
        contexts::configure,
        invoices::configure,
        labels::configure,
        clock::configure,
        signing_keys::configure,
        tokens::configure,
    ] {
        configure(&mut routes);
    }
    routes
        .add("/contexts/{context}/replay", "POST", [post(Operate, replay::replay)])
        .add("/contexts/{context}/recordings", "GET", [get(Read, recordings::show)])
        .add("/usage", "GET", [get(ReadAccounts, usage::show)])
        .add("/usage/export", "GET", [get(ReadAccounts, usage_export::show)])
        .add("/contexts/{context}/clusters", "POST", [post(Operate, clusters::import)])
        .add("/audit", "GET", [get(Read, audit::list)])
        .add("/erasures", "POST", [post(Operate, erase::erase)])
        .add("/audit/head", "GET", [get(Read, audit::head)])
        .add("/audit/export", "GET", [get(Read, ledger_export::show)])
        .add("/info", "GET", [get(ReadAccounts, info::show)])
        .add("/store", "GET", [get(Read, store::show)])
        .add("/store/backup", "GET", [get(Own, backup::show)]);
    routes
}

/// Returns the routes that require the admin token, each with the permission that it demands of the caller's role.
pub fn admin_routes() -> Vec<AdminRoute> {
    routes().into_list()
}

fn configure(cfg: &mut ServiceConfig, token: AdminToken, hosts: OwnHosts) {
    let api = routes().into_scope("/admin/v1").default_service(web::to(not_found)).wrap(from_fn(with_token));
    let everything = web::scope("")
        .service(probe(livez::PATH, web::get().to(livez::show)))
        .service(probe(openapi::PATH, web::get().to(openapi::show)))
        .service(probe("/readyz", web::get().to(readyz::show)))
        .service(probe("/metrics", web::get().to(metrics::show)))
        .service(operator_endpoint("/admin/v1/handshake", "POST", [web::post().to(handshake::prove)]))
        .service(api)
        .default_service(web::to(not_found))
        .wrap(from_fn(own_host));
    cfg.app_data(web::Data::new(token)).app_data(web::Data::new(hosts)).service(everything);
}

async fn not_found() -> Result<HttpResponse, ApiError> {
    Err(ApiError::with_message(ErrorId::NotFound, "This path of the admin listener does not exist."))
}
