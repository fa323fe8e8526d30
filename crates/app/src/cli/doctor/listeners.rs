//! Ports of the configuration: free, bound by this data directory's server, or by another service.

use super::report::DoctorFindings;
use crate::config::Config;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::time::Duration;
use ureq::Agent;
use voight_api::admin::Info;

const CHECK: &str = "listeners";
/// Timeout for the identification of the service on a port.
const TIMEOUT: Duration = Duration::from_secs(2);
/// The largest response that is read of a service on a port, in bytes.
const MAX_BYTES: u64 = 4_096;

/// Addresses on which the server of this data directory listens.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RunningServer {
    public: Option<SocketAddr>,
    admin: Option<SocketAddr>,
}

impl RunningServer {
    /// Returns the addresses that a running server reports.
    pub(super) fn new(info: &Info) -> Self {
        let parse = |addr: &Option<String>| addr.as_deref().and_then(|addr| addr.parse().ok());
        Self {
            public: parse(&info.listen),
            admin: parse(&info.admin_listen),
        }
    }
}

/// Checks both addresses of the configuration. `running` is `None` if no server runs.
pub(super) fn examine(
    config: &Config,
    running: Option<RunningServer>,
    report: &mut DoctorFindings,
) {
    let listeners = running.unwrap_or_default();
    let server = &config.server;
    for (addr, own, flag) in [
        (
            server.listen,
            listeners.public,
            "choose another with --listen, or stop the other service",
        ),
        (
            server.admin_listen,
            listeners.admin,
            "choose another with --admin-listen, or stop the other service",
        ),
    ] {
        if own.is_some_and(|listener| serves(listener, addr)) {
            report.ok(CHECK, format!("the server listens at {addr}"));
            continue;
        }
        let elsewhere = own.map_or_else(String::new, |listener| {
            format!("; the running server listens at {listener}")
        });
        let server_state = if running.is_none() {
            "no server runs; "
        } else {
            ""
        };
        match TcpListener::bind(addr) {
            Ok(_) => report.ok(CHECK, format!("{server_state}{addr} is free{elsewhere}")),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                report.warn(
                    CHECK,
                    format!("{addr} is held by {}{elsewhere}", holder(addr)),
                    flag,
                );
            }
            Err(error) => report.warn(
                CHECK,
                format!("{addr} cannot be used ({error}){elsewhere}"),
                flag,
            ),
        }
    }
}

/// Returns `true` if a listener at `listener` serves `addr`.
fn serves(listener: SocketAddr, addr: SocketAddr) -> bool {
    listener.port() == addr.port() && (listener.ip() == addr.ip() || listener.ip().is_unspecified())
}

/// Describes the service on a port by its response to `GET /`.
fn holder(addr: SocketAddr) -> &'static str {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .max_redirects(0);
    let agent = Agent::new_with_config(config.timeout_global(Some(TIMEOUT)).build());
    let response = agent
        .get(format!("http://{}/", reachable(addr)))
        .header("accept", "application/json")
        .call();
    let Ok(mut response) = response else {
        return "a program that does not speak HTTP";
    };
    match response
        .body_mut()
        .with_config()
        .limit(MAX_BYTES)
        .read_to_string()
    {
        Ok(body) if is_voight(&body) => "the server of another data directory",
        _ => "another HTTP service",
    }
}

/// Returns `true` for the response of a public listener, or of an admin listener of this service.
fn is_voight(body: &str) -> bool {
    let Ok(body) = serde_json::from_str::<serde_json::Value>(body) else {
        return false;
    };
    body["data"]["name"] == "Voight"
        || body["error"]["message"]
            .as_str()
            .is_some_and(|message| message.contains("admin listener"))
}

/// Returns an address through which a listener on all addresses can be reached.
fn reachable(addr: SocketAddr) -> SocketAddr {
    let ip = match addr.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, addr.port())
}
