//! `[server]`: listeners, their limits, and proxies.

use super::list;
use super::networks;
use super::remark::Diagnostic;
use super::word;
use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;
use voight_domain::Origin;

/// Listeners, their limits, and proxies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Server {
    /// Where the public API, the window and the component are served.
    pub(crate) listen: SocketAddr,
    /// Where operators, probes and metrics are served; never the same port.
    pub(crate) admin_listen: SocketAddr,
    /// Further values of `Host` that the admin listener answers to, for example `voight.internal:8081`.
    #[serde(with = "list")]
    pub(crate) admin_hosts: Vec<String>,
    /// The URL under which the service is reached from outside; empty if unknown. Where it is set, the window answers only
    /// documents of its origin; else those of the host that a request names.
    pub(crate) public_url: String,
    /// Networks of proxies whose forwarding headers are believed.
    #[serde(with = "networks")]
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// The header by which those proxies say whom they forward for.
    #[serde(deserialize_with = "word::deserialize")]
    pub(crate) forwarding_header: ForwardingHeader,
    /// Threads that serve requests; 0 means one for each processor.
    pub(crate) workers: usize,
    /// The most connections of a thread; further ones wait. Reduced to what the limit of open files holds.
    pub(crate) max_connections: usize,
    /// The most connections of a network (an IPv4 address, or the /64 of an IPv6 one) that is no trusted proxy; further ones
    /// are closed. At most a quarter of all.
    pub(crate) max_connections_per_network: usize,
    /// The most requests of platforms that are answered at the same time, and as many of visitors' windows; further ones are
    /// answered 503.
    pub(crate) max_in_flight: usize,
    /// The most requests of a client in flight, with those whose bodies still arrive; further ones are answered 429. At most
    /// a quarter of `max_in_flight`.
    pub(crate) max_in_flight_per_client: usize,
    /// The most requests of a network's windows in flight, with those whose bodies still arrive; further ones are answered
    /// 429. At most a quarter of `max_in_flight`.
    pub(crate) max_in_flight_per_network: usize,
    /// Seconds in which a request's head must have arrived.
    pub(crate) head_timeout_seconds: u64,
    /// Seconds in which a request's body must have arrived.
    pub(crate) body_timeout_seconds: u64,
    /// Seconds for which an idle connection is kept.
    pub(crate) keep_alive_seconds: u64,
    /// Seconds that requests in flight are given at shutdown.
    pub(crate) shutdown_seconds: u64,
    /// Percentage of clients that may be unreachable, on a store over several machines, while `/readyz` still answers 200. At most 99.
    pub(crate) max_unreachable_percent: u8,
}

/// The header that names whom a proxy forwards for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
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
            max_in_flight: 4_096,
            max_in_flight_per_client: 1_024,
            max_in_flight_per_network: 256,
            head_timeout_seconds: 5,
            body_timeout_seconds: 10,
            keep_alive_seconds: 75,
            shutdown_seconds: 30,
            max_unreachable_percent: 50,
        }
    }
}

impl Server {
    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let least = [
            ("max_connections", self.max_connections as u64),
            ("max_connections_per_network", self.max_connections_per_network as u64),
            ("max_in_flight", self.max_in_flight as u64),
            ("max_in_flight_per_client", self.max_in_flight_per_client as u64),
            ("max_in_flight_per_network", self.max_in_flight_per_network as u64),
            ("head_timeout_seconds", self.head_timeout_seconds),
            ("body_timeout_seconds", self.body_timeout_seconds),
        ];
        let nothing = least.into_iter().filter(|(_, value)| *value == 0);
        let mut wrong: Vec<_> = nothing
            .map(|(key, _)| {
                let reason = "is 0, so that nothing could be served; give at least 1";
                Diagnostic::new(format!("server.{key}"), format!("server.{key} {reason}"))
            })
            .collect();
        if self.max_unreachable_percent > 99 {
            let sentence = "server.max_unreachable_percent is above 99, so that a service that serves nobody were ready; give at most 99";
            wrong.push(Diagnostic::new("server.max_unreachable_percent", sentence));
        }
        // Port 0 means any free port, so two of them are never the same.
        if self.listen.port() != 0 && self.listen.port() == self.admin_listen.port() {
            let port = self.listen.port();
            let sentence = format!(
                "server.listen and server.admin_listen share port {port}; give the admin listener a port of its own"
            );
            wrong.push(Diagnostic::new("server.admin_listen", sentence));
        }
        let url = &self.public_url;
        if let Err(why) = check_public_url(url) {
            let sentence = format!("server.public_url is {url:?}: {why}; write for example https://voight.example");
            wrong.push(Diagnostic::new("server.public_url", sentence));
        }
        wrong
    }
}

/// Verifies that the public URL is empty, or an http(s) URL of scheme, host, port and path.
fn check_public_url(url: &str) -> Result<(), String> {
    if url.is_empty() {
        return Ok(());
    }
    if url.contains(['@', '?', '#']) || url.trim() != url {
        return Err("it may have a scheme, a host, a port and a path only".to_owned());
    }
    Origin::of_url(url).map(drop).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_url_is_one_whose_origin_a_browser_can_have() {
        for url in
            ["", "https://voight.example", "https://voight.example/base/", "http://127.0.0.1:8080", "https://[::1]"]
        {
            assert_eq!(check_public_url(url), Ok(()), "{url}");
        }
        for url in [
            "voight.example",
            "ftp://voight.example",
            "https://",
            "https://a..b",
            "https://user@voight.example",
            "https://voight.example?x",
            "https://voight.example#x",
            " https://voight.example",
            "https://voight.example:0",
        ] {
            let server = Server { public_url: url.to_owned(), ..Server::default() };
            let wrong = server.contradictions();
            assert_eq!(wrong.len(), 1, "{url}");
            assert!(wrong[0].message.starts_with(&format!("server.public_url is {url:?}: ")), "{}", wrong[0].message);
        }
    }
}
