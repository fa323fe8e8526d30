//! Hosts of a URL: a process keeps its host, and switches to the next one when it cannot connect.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, LoadBalanceHosts};

/// Configuration of each host, and the index of the current one.
pub(super) struct Hosts {
    configs: Vec<Config>,
    current: AtomicUsize,
}

impl Hosts {
    /// Creates the list of hosts of `config`.
    ///
    /// Processes begin with a random host, unless the URL disables load balancing.
    pub(super) fn from_config(config: &Config) -> Self {
        let configs: Vec<_> = (0..config.get_hosts().len())
            .map(|index| alone(config, index))
            .collect();
        let first = match config.get_load_balance_hosts() {
            LoadBalanceHosts::Random => random(configs.len()),
            _ => 0,
        };
        Self {
            configs,
            current: AtomicUsize::new(first),
        }
    }

    /// Returns the number of hosts.
    pub(super) fn count(&self) -> usize {
        self.configs.len()
    }

    /// Returns the hosts in the order of attempts, the current one first.
    pub(super) fn in_order(&self) -> impl Iterator<Item = (usize, &Config)> {
        let current = self.current.load(Ordering::Relaxed);
        (0..self.configs.len()).filter_map(move |offset| {
            let index = (current + offset) % self.configs.len();
            Some((index, self.configs.get(index)?))
        })
    }

    /// Makes this host the current one.
    pub(super) fn stay(&self, index: usize) {
        self.current.store(index, Ordering::Relaxed);
    }

    /// Makes the next host the current one, if this host still is.
    pub(super) fn leave(&self, index: usize) {
        let next = (index + 1) % self.configs.len().max(1);
        let _ = self
            .current
            .compare_exchange(index, next, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Returns a configuration for the host at `index` only.
pub(super) fn alone(config: &Config, index: usize) -> Config {
    let mut host_config = Config::new();
    match config.get_hosts().get(index) {
        Some(Host::Tcp(name)) => host_config.host(name),
        Some(Host::Unix(folder)) => host_config.host_path(folder),
        None => &mut host_config,
    };
    if let Some(address) = config.get_hostaddrs().get(index) {
        host_config.hostaddr(*address);
    }
    // A single port applies to all hosts.
    if let Some(port) = config
        .get_ports()
        .get(index)
        .or_else(|| config.get_ports().first())
    {
        host_config.port(*port);
    }
    copy_login(config, &mut host_config);
    copy_socket(config, &mut host_config);
    host_config
}

fn copy_login(config: &Config, host_config: &mut Config) {
    if let Some(user) = config.get_user() {
        host_config.user(user);
    }
    if let Some(password) = config.get_password() {
        host_config.password(password);
    }
    if let Some(database) = config.get_dbname() {
        host_config.dbname(database);
    }
    if let Some(options) = config.get_options() {
        host_config.options(options);
    }
    if let Some(name) = config.get_application_name() {
        host_config.application_name(name);
    }
    host_config
        .ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation());
    host_config
        .target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding());
}

fn copy_socket(config: &Config, host_config: &mut Config) {
    if let Some(timeout) = config.get_connect_timeout() {
        host_config.connect_timeout(*timeout);
    }
    if let Some(timeout) = config.get_tcp_user_timeout() {
        host_config.tcp_user_timeout(*timeout);
    }
    host_config
        .keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle());
    if let Some(interval) = config.get_keepalives_interval() {
        host_config.keepalives_interval(interval);
    }
    if let Some(retries) = config.get_keepalives_retries() {
        host_config.keepalives_retries(retries);
    }
}

/// Returns a number below `end` that differs between processes.
fn random(end: usize) -> usize {
    let number = RandomState::new().hash_one(std::process::id());
    usize::try_from(number % (end.max(1) as u64)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    #[test]
    fn host_order_changes_on_failure_only() {
        let config: Config =
            "postgres://u:p@a:1,b:2,c:3/d?load_balance_hosts=disable&target_session_attrs=read-write".parse().unwrap();
        let hosts = Hosts::from_config(&config);
        let order = || hosts.in_order().map(|(index, _)| index).collect::<Vec<_>>();
        assert_eq!(order(), [0, 1, 2]);
        hosts.leave(0);
        assert_eq!(order(), [1, 2, 0]);
        hosts.leave(0);
        assert_eq!(order(), [1, 2, 0], "another connection has left it before");
        hosts.stay(2);
        assert_eq!(order(), [2, 0, 1]);
        let (_, third) = hosts.in_order().next().unwrap();
        assert_eq!(third.get_hosts(), &[Host::Tcp("c".to_owned())][..]);
        assert_eq!(third.get_ports(), &[3][..]);
        assert_eq!(
            third.get_target_session_attrs(),
            config.get_target_session_attrs()
        );
        assert_eq!(third.get_user(), Some("u"));
        assert_eq!(third.get_password(), Some(&b"p"[..]));
        assert_eq!(third.get_dbname(), Some("d"));
    }

    #[test]
    fn host_keeps_its_address_and_port() {
        let config: Config = "postgres://a:7,b:8/d?hostaddr=10.0.0.1,10.0.0.2"
            .parse()
            .unwrap();
        let second = alone(&config, 1);
        assert_eq!(
            second.get_hostaddrs(),
            ["10.0.0.2".parse::<IpAddr>().unwrap()]
        );
        assert_eq!(second.get_ports(), [8]);
    }
}
