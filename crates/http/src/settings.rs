//! Settings of the HTTP interface, with the product's defaults.

use crate::spool::SpoolSettings;
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use voight_domain::rate_limit::RateLimitPolicy;

/// Settings of the public listener and of the admin listener.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpSettings {
    /// Rate limits.
    pub limits: RateLimitPolicy,
    /// Networks whose forwarding headers are trusted; empty means none.
    pub trusted_proxies: Vec<IpNet>,
    /// Forwarding header of the trusted proxies. The other one is ignored, since a proxy passes on headers that it does not
    /// write itself.
    pub forwarding_header: ForwardingHeader,
    /// Maximum JSON body of the public API, in bytes.
    pub body_bytes: usize,
    /// Maximum batch of evidence, in bytes.
    pub evidence_bytes: usize,
    /// Maximum request target (path and query), in bytes.
    pub target_bytes: usize,
    /// Maximum header section (names and values), in bytes.
    pub header_bytes: usize,
    /// Timeout for receiving a request head.
    pub head_timeout: Duration,
    /// Timeout for receiving a complete body.
    pub body_timeout: Duration,
    /// Timeout of an idle connection.
    pub keep_alive_timeout: Duration,
    /// Limit of open files of the process, if known.
    pub max_open_files: Option<u64>,
    /// Maximum number of connections of a worker thread.
    pub max_connections: usize,
    /// Maximum number of connections of a network that is not a trusted proxy; further ones are closed.
    pub max_connections_per_network: usize,
    /// Maximum number of connections of the admin listener.
    pub max_admin_connections: usize,
    /// Maximum number of concurrent requests of platforms, and separately of visitors' windows. Further requests are shed with
    /// 503 before they reach the store. A request whose body is still being received is not counted.
    pub max_concurrent_requests: usize,
    /// Maximum number of requests in flight of a client, including those whose body is being received. Further requests fail
    /// with 429. At most a quarter of `max_concurrent_requests`, so that no single client can overload the service.
    pub max_concurrent_requests_per_client: usize,
    /// Maximum number of requests in flight of a network's windows. Includes requests whose body is being received. Further
    /// requests fail with 429.
    pub max_concurrent_requests_per_network: usize,
    /// Maximum memory of partially received bodies, in bytes: one limit for platforms and an equal one for visitors.
    pub receiving_bytes: usize,
    /// Temporary files of uploads and downloads.
    pub spool: SpoolSettings,
    /// Timeout of a shutdown for requests in progress.
    pub shutdown_timeout: Duration,
    /// Number of worker threads; `None` means one for each core.
    pub workers: Option<usize>,
    /// Public URL of the service, for documents; `None` leaves URLs relative.
    pub public_url: Option<String>,
    /// Maximum retention of raw evidence in days, as disclosed to visitors.
    pub evidence_retention_days: u16,
    /// Name of the operator, shown to visitors; `None` shows no name.
    pub operator_name: Option<String>,
    /// Contact for questions and requests for erasure, shown to visitors; `None` shows no contact.
    pub operator_contact: Option<String>,
    /// Values of `Host` to which the admin listener answers.
    pub admin_hosts: Vec<String>,
    /// Maximum percentage of unreachable clients with which the service is ready.
    pub max_unreachable_percent: u8,
    /// Bound addresses of both listeners; `None` if no server is running.
    pub listeners: Option<Listeners>,
}

/// Bound addresses of the listeners of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listeners {
    /// Address of the public listener.
    pub public: SocketAddr,
    /// Address of the admin listener.
    pub admin: SocketAddr,
}

/// Divisor: one client or network may have at most this fraction of all permits.
const SHARE: usize = 4;

impl HttpSettings {
    /// Returns `true` for the address of a trusted proxy.
    pub(crate) fn trusts(&self, ip: IpAddr) -> bool {
        self.trusted_proxies
            .iter()
            .any(|network| network.contains(&ip))
    }

    /// Returns the maximum number of requests in flight of a client.
    pub(crate) fn in_flight_per_client(&self) -> usize {
        self.max_concurrent_requests_per_client
            .min(self.max_concurrent_requests / SHARE)
    }

    /// Returns the maximum number of requests in flight of a network's windows.
    pub(crate) fn in_flight_per_network(&self) -> usize {
        self.max_concurrent_requests_per_network
            .min(self.max_concurrent_requests / SHARE)
    }
}

/// Header in which a proxy names the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ForwardingHeader {
    /// `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            limits: RateLimitPolicy::default(),
            trusted_proxies: Vec::new(),
            forwarding_header: ForwardingHeader::default(),
            body_bytes: 4 * 1024,
            evidence_bytes: 64 * 1024,
            target_bytes: 2 * 1024,
            header_bytes: 16 * 1024,
            head_timeout: Duration::from_secs(5),
            body_timeout: Duration::from_secs(10),
            keep_alive_timeout: Duration::from_secs(75),
            max_open_files: None,
            max_connections: 25_000,
            max_connections_per_network: 1_024,
            max_admin_connections: 256,
            max_concurrent_requests: 4_096,
            max_concurrent_requests_per_client: 1_024,
            max_concurrent_requests_per_network: 256,
            receiving_bytes: 64 << 20,
            spool: SpoolSettings::default(),
            shutdown_timeout: Duration::from_secs(30),
            workers: None,
            public_url: None,
            evidence_retention_days: 30,
            operator_name: None,
            operator_contact: None,
            admin_hosts: vec!["127.0.0.1:8081".to_owned(), "localhost:8081".to_owned()],
            max_unreachable_percent: 50,
            listeners: None,
        }
    }
}
