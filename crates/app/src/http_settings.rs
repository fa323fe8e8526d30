//! Settings and state of the HTTP listeners, from the configuration.

use crate::config::{self, Config};
use crate::data_dir::DataDir;
use crate::os::{ConnectionLimits, OsEntropy, SystemClock};
use actix_web::web;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use voight_domain::services::Services;
use voight_http::{
    AppState, ForwardingHeader, HttpSettings, MonotonicClock, SpoolSettings, SystemPorts,
};

/// Returns the settings of the listeners; `admin` is the address of the admin listener.
pub(crate) fn settings(config: &Config, admin: SocketAddr) -> HttpSettings {
    let server = &config.server;
    let seconds = Duration::from_secs;
    HttpSettings {
        limits: config.limits,
        trusted_proxies: server.trusted_proxies.clone(),
        forwarding_header: match server.forwarding_header {
            config::ForwardingHeader::XForwardedFor => ForwardingHeader::XForwardedFor,
            config::ForwardingHeader::Forwarded => ForwardingHeader::Forwarded,
        },
        head_timeout: seconds(server.head_timeout_seconds),
        body_timeout: seconds(server.body_timeout_seconds),
        keep_alive_timeout: seconds(server.keep_alive_timeout_seconds),
        max_connections: server.max_connections,
        max_connections_per_network: server.max_connections_per_network,
        max_concurrent_requests: server.max_concurrent_requests,
        max_concurrent_requests_per_client: server.max_concurrent_requests_per_client,
        max_concurrent_requests_per_network: server.max_concurrent_requests_per_network,
        spool: SpoolSettings {
            reserved_free_bytes: config.store.reserved_free_bytes(),
            ..SpoolSettings::default()
        },
        shutdown_timeout: seconds(server.shutdown_timeout_seconds),
        workers: Some(server.workers).filter(|workers| *workers > 0),
        public_url: given(&server.public_url),
        evidence_retention_days: config.evidence.retention_days,
        operator_name: given(&config.operator.name),
        operator_contact: given(&config.operator.contact),
        admin_hosts: admin_hosts(admin, &server.admin_hosts),
        max_unreachable_percent: server.max_unreachable_percent,
        ..HttpSettings::default()
    }
}

/// Creates temporary files in the data directory: on its disk, and readable by its owner only.
pub(crate) fn spool_in(data_dir: &DataDir, settings: HttpSettings) -> HttpSettings {
    let spool = SpoolSettings {
        directory: data_dir.path().to_owned(),
        ..settings.spool
    };
    HttpSettings { spool, ..settings }
}

/// Returns the state of the listeners, with the clocks and the random generator of this machine.
pub(crate) fn app_state(services: Services, settings: HttpSettings) -> web::Data<AppState> {
    let system = SystemPorts {
        clock: Arc::new(SystemClock),
        monotonic_clock: MonotonicClock::system(),
        entropy: Arc::new(OsEntropy),
    };
    web::Data::new(AppState::new(services, settings, system))
}

impl ConnectionLimits {
    /// Applies these limits to the settings of the listeners.
    pub(crate) fn apply(self, settings: HttpSettings) -> HttpSettings {
        HttpSettings {
            max_open_files: Some(self.open_files),
            max_connections: self.per_worker,
            max_connections_per_network: self.per_network,
            max_admin_connections: self.admin,
            ..settings
        }
    }
}

/// Returns a setting unless it is empty.
pub(crate) fn given(setting: &str) -> Option<String> {
    Some(setting.trim().to_owned()).filter(|setting| !setting.is_empty())
}

/// Returns the values of `Host` that the admin listener accepts.
///
/// These are its own address, `localhost` if that is equivalent, and the configured ones. A page that rebinds its own name to
/// this address (DNS rebinding) sends another `Host`, and is rejected.
pub(crate) fn admin_hosts(admin: SocketAddr, further: &[String]) -> Vec<String> {
    let mut hosts = vec![admin.to_string()];
    if admin.ip().is_loopback() || admin.ip().is_unspecified() {
        let port = admin.port();
        hosts.extend([
            format!("localhost:{port}"),
            format!("127.0.0.1:{port}"),
            format!("[::1]:{port}"),
        ]);
    }
    hosts.extend_from_slice(further);
    hosts.dedup();
    hosts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_of_both_sides_are_the_same() {
        let settings = settings(&Config::default(), "127.0.0.1:8081".parse().unwrap());
        let hosts = settings.admin_hosts.clone();
        assert_eq!(
            settings,
            HttpSettings {
                admin_hosts: hosts,
                ..HttpSettings::default()
            }
        );
    }

    #[test]
    fn the_admin_listener_answers_to_its_own_names_only() {
        let hosts =
            |addr: &str| admin_hosts(addr.parse().unwrap(), &["voight.internal:9".to_owned()]);
        assert!(hosts("127.0.0.1:9").contains(&"localhost:9".to_owned()));
        assert_eq!(hosts("10.0.0.1:9"), ["10.0.0.1:9", "voight.internal:9"]);
    }
}
