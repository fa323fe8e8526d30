//! Restricts the admin listener to its own `Host`. In a DNS rebinding attack, a page makes its domain resolve to this machine,
//! and the browser sends that domain as `Host`.

use crate::middleware::{MiddlewareResult, refuse};
use actix_web::body::MessageBody;
use actix_web::dev::ServiceRequest;
use actix_web::http::header;
use actix_web::middleware::Next;
use actix_web::web;
use voight_api::ErrorId;

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

/// Rejects a request whose `Host` is not exactly one of the configured values.
pub(super) async fn own_host(request: ServiceRequest, next: Next<impl MessageBody + 'static>) -> MiddlewareResult {
    if is_own(&request) {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    Ok(refuse(request, &ErrorId::MisdirectedAdminRequest.into()))
}

fn is_own(request: &ServiceRequest) -> bool {
    let Some(own_hosts) = request.app_data::<web::Data<OwnHosts>>() else { return false };
    let mut hosts = request.headers().get_all(header::HOST);
    match (hosts.next().and_then(|host| host.to_str().ok()), hosts.next()) {
        (Some(host), None) => own_hosts.has(host),
        _ => false,
    }
}
