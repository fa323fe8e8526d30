//! What an operator may set about the HTTP interface, with the defaults of the product.

use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// Settings of the public listener and of the admin listener.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpSettings {
    /// Rate limits.
    pub limits: LimitSettings,
    /// Networks whose forwarding headers are believed; empty means nobody's.
    pub trusted_proxies: Vec<IpNet>,
    /// The header by which the trusted proxies say whom they forward for. The other one is never read, since a proxy passes
    /// on what it does not write itself.
    pub forwarding_header: ForwardingHeader,
    /// The largest JSON body of the public API, in bytes.
    pub body_bytes: usize,
    /// The largest batch of evidence, in bytes.
    pub evidence_bytes: usize,
    /// The longest request target (path and query), in bytes.
    pub target_bytes: usize,
    /// The largest header section, in bytes: names and values together.
    pub header_bytes: usize,
    /// How long a request's head may take to arrive.
    pub head_timeout: Duration,
    /// How long a body may take to arrive, whole.
    pub body_timeout: Duration,
    /// How long an idle connection is kept.
    pub keep_alive: Duration,
    /// The limit of open files that the process has, where it was asked for.
    pub max_open_files: Option<u64>,
    /// The most connections of a worker thread.
    pub max_connections: usize,
    /// The most connections of a network that is no trusted proxy; further ones are closed.
    pub max_connections_per_network: usize,
    /// The most connections of the admin listener.
    pub max_admin_connections: usize,
    /// The most requests of platforms that are answered at the same time, and as many of visitors' windows; more are shed with
    /// 503 before they reach the store. A request whose body is still being received is not counted.
    pub max_in_flight: usize,
    /// The most requests of a client in flight, bodies that are being received included; more are answered 429. At most a
    /// quarter of `max_in_flight`, so that no client alone makes the service overloaded.
    pub max_in_flight_per_client: usize,
    /// The most requests of a network's windows in flight, bodies that are being received included; more are answered 429.
    pub max_in_flight_per_network: usize,
    /// The most memory of bodies that have arrived in part, in bytes: that much for platforms, and as much for visitors.
    pub receiving_bytes: usize,
    /// How long a shutdown waits for requests that are being answered.
    pub shutdown_timeout: Duration,
    /// Worker threads; `None` means one for each core.
    pub workers: Option<usize>,
    /// The URL under which the service is reached from outside, for documents; `None` leaves it relative.
    pub public_url: Option<String>,
    /// The most days for which raw evidence is kept, as whoever is checked is told.
    pub evidence_days: u16,
    /// Name of the operator, shown to visitors; `None` shows none.
    pub operator_name: Option<String>,
    /// Contact for questions and requests for erasure, shown to visitors; `None` shows none.
    pub operator_contact: Option<String>,
    /// The values of `Host` that the admin listener answers to.
    pub admin_hosts: Vec<String>,
    /// Percentage of clients that the store may not reach while the service is ready.
    pub max_unreachable_percent: u8,
    /// Bound addresses of both listeners; `None` where no server runs.
    pub listeners: Option<Listeners>,
}

/// Bound addresses of the listeners of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listeners {
    /// The public listener.
    pub public: SocketAddr,
    /// The admin listener.
    pub admin: SocketAddr,
}

/// The part of all permits that one client or network may have: one in so many.
const SHARE: usize = 4;

impl HttpSettings {
    /// Returns `true` for the address of a trusted proxy.
    pub(crate) fn trusts(&self, ip: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.contains(&ip))
    }

    /// The most requests of a client in flight.
    pub(crate) fn in_flight_per_client(&self) -> usize {
        self.max_in_flight_per_client.min(self.max_in_flight / SHARE)
    }

    /// The most requests of a network's windows in flight.
    pub(crate) fn in_flight_per_network(&self) -> usize {
        self.max_in_flight_per_network.min(self.max_in_flight / SHARE)
    }
}

/// The header that names whom a proxy forwards for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ForwardingHeader {
    /// `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

/// Rate limits (GCRA).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitSettings {
    /// Whether requests are limited at all.
    pub enabled: bool,
    /// Lookups a second, for each client that has no rate of its own.
    pub lookups_per_second: u32,
    /// Lookups that a client may make at once.
    pub lookup_burst: u32,
    /// Registrations a minute, for each client.
    pub registrations_per_minute: u32,
    /// Registrations that a client may make at once.
    pub registration_burst: u32,
    /// Reads of usage a minute, for each client: one may go through many rows.
    pub usage_per_minute: u32,
    /// Reads of usage that a client may make at once.
    pub usage_burst: u32,
    /// Requests without a valid key a minute, for each network.
    pub invalid_keys_per_minute: u32,
    /// Checks a minute from which on a network's work puzzles grow.
    pub checks_per_minute: u32,
    /// Checks a minute from which on a network is refused.
    pub max_checks_per_minute: u32,
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            lookups_per_second: 200,
            lookup_burst: 400,
            registrations_per_minute: 10,
            registration_burst: 60,
            usage_per_minute: 60,
            usage_burst: 30,
            invalid_keys_per_minute: 20,
            checks_per_minute: 30,
            max_checks_per_minute: 300,
        }
    }
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            limits: LimitSettings::default(),
            trusted_proxies: Vec::new(),
            forwarding_header: ForwardingHeader::default(),
            body_bytes: 4 * 1024,
            evidence_bytes: 64 * 1024,
            target_bytes: 2 * 1024,
            header_bytes: 16 * 1024,
            head_timeout: Duration::from_secs(5),
            body_timeout: Duration::from_secs(10),
            keep_alive: Duration::from_secs(75),
            max_open_files: None,
            max_connections: 25_000,
            max_connections_per_network: 1_024,
            max_admin_connections: 256,
            max_in_flight: 4_096,
            max_in_flight_per_client: 1_024,
            max_in_flight_per_network: 256,
            receiving_bytes: 64 << 20,
            shutdown_timeout: Duration::from_secs(30),
            workers: None,
            public_url: None,
            evidence_days: 30,
            operator_name: None,
            operator_contact: None,
            admin_hosts: vec!["127.0.0.1:8081".to_owned(), "localhost:8081".to_owned()],
            max_unreachable_percent: 50,
            listeners: None,
        }
    }
}
