//! `[server]`: listeners, their limits, and trusted proxies.

use super::diagnostic::Diagnostic;
use super::enum_value;
use super::list;
use ipnet::IpNet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;
use voight_domain::Origin;

/// Listeners, their limits, and trusted proxies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Server {
    /// Address of the public API, the window and the component.
    #[schemars(extend("x-flag" = "--listen"))]
    pub(crate) listen: SocketAddr,
    /// Address for operators, probes and metrics; it must differ from `listen`.
    #[schemars(extend("x-flag" = "--admin-listen"))]
    pub(crate) admin_listen: SocketAddr,
    /// Additional values of `Host` that the admin listener accepts, for example `voight.internal:8081`. Probes and metrics also
    /// accept an IP address.
    #[serde(deserialize_with = "list::deserialize")]
    pub(crate) admin_hosts: Vec<String>,
    /// URL under which browsers reach the service, without a path; empty if unknown. If it is set, the window answers only
    /// documents of its origin; otherwise, documents of the host that a request names.
    pub(crate) public_url: String,
    /// Networks of proxies whose forwarding headers are trusted.
    #[serde(deserialize_with = "list::networks")]
    #[schemars(with = "Vec<String>")]
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// Header in which those proxies name the original address.
    #[serde(deserialize_with = "enum_value::deserialize")]
    pub(crate) forwarding_header: ForwardingHeader,
    /// Number of threads that serve requests; 0 starts one per processor.
    #[schemars(extend("x-unit" = "threads"))]
    pub(crate) workers: usize,
    /// Maximum number of connections per thread. Reduced to fit the limit of open files.
    ///
    /// Above seven eighths of the connections of all threads, those that wait for their client are closed for new ones, those
    /// of the largest network first.
    #[schemars(range(min = 1), extend("x-unit" = "connections per thread"))]
    pub(crate) max_connections: usize,
    /// Maximum number of connections of a network that is not a trusted proxy; further ones are closed.
    ///
    /// A network is an IPv4 address, or the /64 of an IPv6 address. At most a quarter of all connections. The /24 of an IPv4
    /// address and the /48 of an IPv6 address may have eight times as many, the /32 of an IPv6 address 64 times, and each at
    /// most half of all connections.
    #[schemars(range(min = 1), extend("x-unit" = "connections"))]
    pub(crate) max_connections_per_network: usize,
    /// Maximum number of concurrent requests of platforms, and separately of visitors' windows.
    ///
    /// Further ones fail with 503.
    #[schemars(range(min = 1), extend("x-unit" = "requests"))]
    pub(crate) max_concurrent_requests: usize,
    /// Maximum number of concurrent requests of a client; further ones fail with 429.
    ///
    /// Requests whose body is being received count, too. At most a quarter of `max_concurrent_requests`.
    #[schemars(range(min = 1), extend("x-unit" = "requests"))]
    pub(crate) max_concurrent_requests_per_client: usize,
    /// Maximum number of concurrent requests of a network's windows; further ones fail with 429.
    ///
    /// Requests whose body is being received count, too. At most a quarter of `max_concurrent_requests`.
    #[schemars(range(min = 1), extend("x-unit" = "requests"))]
    pub(crate) max_concurrent_requests_per_network: usize,
    /// Timeout for receiving the head of a request.
    #[schemars(range(min = 1), extend("x-unit" = "seconds"))]
    pub(crate) head_timeout_seconds: u64,
    /// Timeout for receiving the body of a request.
    #[schemars(range(min = 1), extend("x-unit" = "seconds"))]
    pub(crate) body_timeout_seconds: u64,
    /// Idle timeout of a connection.
    #[schemars(extend("x-unit" = "seconds"))]
    pub(crate) keep_alive_timeout_seconds: u64,
    /// Timeout of a shutdown for requests in flight.
    #[schemars(extend("x-unit" = "seconds"))]
    pub(crate) shutdown_timeout_seconds: u64,
    /// Percentage of clients that may be unreachable, on a store over several machines, while `/readyz` still answers 200.
    #[schemars(range(max = 99), extend("x-unit" = "percent"))]
    pub(crate) max_unreachable_percent: u8,
}

/// Header in which a proxy names the original address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ForwardingHeader {
    /// `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            admin_listen: SocketAddr::from(([127, 0, 0, 1], 8081)),
            admin_hosts: Vec::new(),
            public_url: String::new(),
            trusted_proxies: Vec::new(),
            forwarding_header: ForwardingHeader::default(),
            workers: 0,
            max_connections: 25_000,
            max_connections_per_network: 1_024,
            max_concurrent_requests: 4_096,
            max_concurrent_requests_per_client: 1_024,
            max_concurrent_requests_per_network: 256,
            head_timeout_seconds: 5,
            body_timeout_seconds: 10,
            keep_alive_timeout_seconds: 75,
            shutdown_timeout_seconds: 30,
            max_unreachable_percent: 50,
        }
    }
}

impl Server {
    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let mut wrong = Vec::new();
        // Port 0 selects any free port, so two of them never conflict.
        if self.listen.port() != 0 && self.listen.port() == self.admin_listen.port() {
            let port = self.listen.port();
            let sentence = format!(
                "server.listen and server.admin_listen share port {port}; give the admin listener a port of its own"
            );
            wrong.push(Diagnostic::new("server.admin_listen", sentence));
        }
        let url = &self.public_url;
        if let Err(why) = check_public_url(url) {
            let sentence = format!(
                "server.public_url is {url:?}: {why}; write for example https://voight.example"
            );
            wrong.push(Diagnostic::new("server.public_url", sentence));
        }
        wrong
    }
}

/// Verifies that the public URL is empty, or an http(s) URL of scheme, host and port. A path is rejected: every other page of
/// the origin could control the window, whose evidence and storage would then prove nothing.
fn check_public_url(url: &str) -> Result<(), String> {
    if url.is_empty() {
        return Ok(());
    }
    if url.contains(['@', '?', '#']) || url.trim() != url {
        return Err("it may have a scheme, a host and a port only".to_owned());
    }
    Origin::of_url(url).map_err(|error| error.to_string())?;
    let (_, location) = url
        .split_once("://")
        .ok_or("its scheme does not end with \"://\"")?;
    let (_, path) = location.split_once(['/', '\\']).unwrap_or((location, ""));
    if path.is_empty() {
        return Ok(());
    }
    Err("it has a path, but the service needs an origin of its own, because other pages of the origin could control its \
         window; give it a host name or a port, and forward all paths to it"
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_url_must_have_a_browser_origin() {
        for url in [
            "",
            "https://voight.example",
            "https://voight.example/",
            "http://127.0.0.1:8080",
            "https://[::1]",
        ] {
            assert_eq!(check_public_url(url), Ok(()), "{url}");
        }
        for url in [
            "voight.example",
            "https://example.org/voight",
            "https://example.org/voight/",
            "https://example.org//",
            "https:/example.org",
            r"https://example.org\voight",
            "ftp://voight.example",
            "https://",
            "https://a..b",
            "https://user@voight.example",
            "https://voight.example?x",
            "https://voight.example#x",
            " https://voight.example",
            "https://voight.example:0",
        ] {
            let server = Server {
                public_url: url.to_owned(),
                ..Server::default()
            };
            let wrong = server.contradictions();
            assert_eq!(wrong.len(), 1, "{url}");
            assert!(
                wrong[0]
                    .message
                    .starts_with(&format!("server.public_url is {url:?}: ")),
                "{}",
                wrong[0].message
            );
        }
    }
}
