//! Restricts the admin listener to its own `Host`. In a DNS rebinding attack, a page makes its domain resolve to this machine,
//! and the browser sends that domain as `Host`.

use super::app::OwnHosts;
use crate::middleware::{MiddlewareResult, refuse};
use actix_web::body::MessageBody;
use actix_web::dev::ServiceRequest;
use actix_web::http::header;
use actix_web::middleware::Next;
use actix_web::web;
use voight_api::ErrorId;

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
