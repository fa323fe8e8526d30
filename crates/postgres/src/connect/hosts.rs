//! Hosts of a URL: a process keeps its host, and switches to the next one when it cannot connect.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, LoadBalanceHosts};

/// Configuration of each host, and the index of the current one.
pub(super) struct Hosts {
    each: Vec<Config>,
    current: AtomicUsize,
}

impl Hosts {
    /// Creates the list of hosts of `config`.
    ///
    /// Processes begin with a random host, unless the URL disables load balancing.
    pub(super) fn of(config: &Config) -> Self {
        let each: Vec<_> = (0..config.get_hosts().len())
            .map(|index| alone(config, index))
            .collect();
        let first = match config.get_load_balance_hosts() {
            LoadBalanceHosts::Random => random(each.len()),
            _ => 0,
        };
        Self {
            each,
            current: AtomicUsize::new(first),
        }
    }

    /// Returns the number of hosts.
    pub(super) fn count(&self) -> usize {
        self.each.len()
    }

    /// Returns the hosts in the order of attempts, the current one first.
    pub(super) fn in_order(&self) -> impl Iterator<Item = (usize, &Config)> {
        let current = self.current.load(Ordering::Relaxed);
        (0..self.each.len()).filter_map(move |transaction| {
            let index = (current + transaction) % self.each.len();
            Some((index, self.each.get(index)?))
        })
    }

    /// Makes this host the current one.
    pub(super) fn stay(&self, index: usize) {
        self.current.store(index, Ordering::Relaxed);
    }

    /// Makes the next host the current one, if this host still is.
    pub(super) fn leave(&self, index: usize) {
        let next = (index + 1) % self.each.len().max(1);
        let _ = self
            .current
            .compare_exchange(index, next, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Returns a configuration for the host at `index` only.
pub(super) fn alone(config: &Config, index: usize) -> Config {
    let mut one = Config::new();
    match config.get_hosts().get(index) {
        Some(Host::Tcp(name)) => one.host(name),
        Some(Host::Unix(folder)) => one.host_path(folder),
        None => &mut one,
    };
    if let Some(address) = config.get_hostaddrs().get(index) {
        one.hostaddr(*address);
    }
    // A single port applies to all hosts.
    if let Some(port) = config
        .get_ports()
        .get(index)
        .or_else(|| config.get_ports().first())
    {
        one.port(*port);
    }
    copy_login(config, &mut one);
    copy_socket(config, &mut one);
    one
}

fn copy_login(config: &Config, one: &mut Config) {
    if let Some(user) = config.get_user() {
        one.user(user);
    }
    if let Some(password) = config.get_password() {
        one.password(password);
    }
    if let Some(database) = config.get_dbname() {
        one.dbname(database);
    }
    if let Some(options) = config.get_options() {
        one.options(options);
    }
    if let Some(name) = config.get_application_name() {
        one.application_name(name);
    }
    one.ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation());
    one.target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding());
}

fn copy_socket(config: &Config, one: &mut Config) {
    if let Some(timeout) = config.get_connect_timeout() {
        one.connect_timeout(*timeout);
    }
    if let Some(timeout) = config.get_tcp_user_timeout() {
        one.tcp_user_timeout(*timeout);
    }
    one.keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle());
    if let Some(interval) = config.get_keepalives_interval() {
        one.keepalives_interval(interval);
    }
    if let Some(retries) = config.get_keepalives_retries() {
        one.keepalives_retries(retries);
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
    fn host_order_changes_only_when_a_host_is_left() {
        let config: Config =
            "postgres://u:p@a:1,b:2,c:3/d?load_balance_hosts=disable&target_session_attrs=read-write".parse().unwrap();
        let hosts = Hosts::of(&config);
        let order = || hosts.in_order().map(|(index, _)| index).collect::<Vec<_>>();
        assert_eq!(order(), [0, 1, 2]);
        hosts.leave(0);
        assert_eq!(order(), [1, 2, 0]);
        hosts.leave(0);
        assert_eq!(order(), [1, 2, 0], "another connection has left it before");
        hosts.stay(2);
        assert_eq!(order(), [2, 0, 1]);
        let (_, third) = hosts.in_order().next().unwrap();
        assert_eq!(
            (third.get_hosts(), third.get_ports()),
            (&[Host::Tcp("c".to_owned())][..], &[3][..])
        );
        assert_eq!(
            third.get_target_session_attrs(),
            config.get_target_session_attrs()
        );
        assert_eq!(
            (third.get_user(), third.get_password(), third.get_dbname()),
            (Some("u"), Some(&b"p"[..]), Some("d"))
        );
    }

    #[test]
    fn a_host_keeps_its_address_and_port() {
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
