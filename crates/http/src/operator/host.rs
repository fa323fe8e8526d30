//! Restricts the admin listener to its own `Host`, except probes and metrics. In a DNS rebinding attack, a page makes its domain resolve to this machine,
//! and the browser sends that domain as `Host`.

use crate::error::ApiError;
use actix_web::http::header;
use actix_web::{HttpRequest, web};
use std::net::IpAddr;
use voight_api::ErrorId;
use voight_api::public::routes::GET_LIVENESS;

/// Path of the readiness probe, which requires no token.
pub(crate) const READINESS: &str = "/readyz";
/// Path of the metrics, which require no token.
pub(crate) const METRICS: &str = "/metrics";

/// Values of `Host` to which a listener of the admin app answers.
#[derive(Debug, Clone)]
pub(crate) struct OwnHosts(pub(crate) Vec<String>);

impl OwnHosts {
    /// Returns the `Host` of the admin socket, which no browser can reach.
    pub(crate) fn of_socket() -> Self {
        Self(vec!["localhost".to_owned()])
    }

    /// Returns `true` if `host` is in the list.
    pub(crate) fn has(&self, host: &str) -> bool {
        self.0
            .iter()
            .any(|allowed_host| allowed_host.eq_ignore_ascii_case(host))
    }
}

/// Rejects a request whose `Host` is not exactly one of the configured values. Probes and metrics also accept any IP address:
/// a page cannot make a browser send one unless it requests that address itself.
pub(crate) fn require_own_host(request: &HttpRequest) -> Result<(), ApiError> {
    if is_own(request) {
        Ok(())
    } else {
        Err(ErrorId::MisdirectedAdminRequest.into())
    }
}

fn is_own(request: &HttpRequest) -> bool {
    let Some(own_hosts) = request.app_data::<web::Data<OwnHosts>>() else {
        return false;
    };
    let mut hosts = request.headers().get_all(header::HOST);
    match (
        hosts.next().and_then(|host| host.to_str().ok()),
        hosts.next(),
    ) {
        (Some(host), None) => own_hosts.has(host) || (is_probe(request.path()) && is_address(host)),
        _ => false,
    }
}

/// Returns `true` for the paths that orchestrators and metric collectors request by the address of a container.
fn is_probe(path: &str) -> bool {
    [GET_LIVENESS.path, READINESS, METRICS].contains(&path)
}

/// Returns `true` if `host` is an IP address, with or without a port.
fn is_address(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port))
            if port.parse::<u16>().is_ok() && (name.ends_with(']') || !name.contains(':')) =>
        {
            name
        }
        _ => host,
    };
    match name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'))
    {
        Some(name) => matches!(name.parse(), Ok(IpAddr::V6(_))),
        None => matches!(name.parse(), Ok(IpAddr::V4(_))),
    }
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn address_has_an_optional_port() {
        for host in ["10.0.0.7", "10.0.0.7:8081", "[::1]", "[fd00::7]:8081"] {
            assert!(is_address(host), "{host}");
        }
        for host in [
            "",
            "page.example",
            "10.0.0.7.page.example",
            "10.0.0.7:x",
            "10.0.0.7:8081:1",
            "::1",
            "[10.0.0.7]",
            "10.7",
        ] {
            assert!(!is_address(host), "{host}");
        }
    }
}
