//! File descriptors: the limit of this process, and the connections within it.

use crate::config::Server;
use crate::exit::CommandError;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// Descriptors reserved for files.
///
/// These are the store with its logs and sidecars, connections to a database, backups, and the log.
const FILES: u64 = 64;
/// Descriptors of a worker thread, for its event queues.
const PER_WORKER: u64 = 8;
/// Number of admin listeners: the socket and TCP.
const ADMIN_LISTENERS: u64 = 2;
/// Divisor for the share of the admin listeners in the limit; then the bounds of each.
const ADMIN_SHARE: u64 = 8;
const ADMIN: (u64, u64) = (16, 256);
/// Minimum number of public connections with which the service starts.
const LEAST: u64 = 64;
/// Divisor for the share of one network in the public connections.
const NETWORK_SHARE: usize = 4;

/// Connection limits that fit the limit of open files.
///
/// Descriptors for the store and the admin listeners are reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ConnectionLimits {
    /// Limit of open files.
    pub(crate) open_files: u64,
    /// Connections per worker thread.
    pub(crate) per_worker: usize,
    /// Connections per network.
    pub(crate) per_network: usize,
    /// Connections per admin listener.
    pub(crate) admin: usize,
}

impl ConnectionLimits {
    /// Raises the soft limit of this process to the hard limit, and fits the connections into it. Configured connections that
    /// do not fit are reduced with a warning, the default silently.
    ///
    /// # Errors
    ///
    /// A limit that is too low to serve at all.
    pub(crate) fn of_process(server: &Server) -> Result<Self, CommandError> {
        let limits = Self::fit(raise(), server)?;
        let is_configured = server.max_connections != Server::default().max_connections;
        if is_configured && limits.per_worker < server.max_connections {
            tracing::warn!(
                event = "connections_reduced",
                open_files = limits.open_files,
                configured = server.max_connections,
                max_connections = limits.per_worker,
                "the limit of open files holds fewer connections than server.max_connections; raise it with `ulimit -n` or \
                 LimitNOFILE="
            );
        }
        Ok(limits)
    }

    /// Computes the connection limits for a limit of `open_files`.
    pub(crate) fn fit(open_files: u64, server: &Server) -> Result<Self, CommandError> {
        let workers = workers(server);
        let reserve = FILES + PER_WORKER * workers;
        let admin = (open_files / ADMIN_SHARE / ADMIN_LISTENERS).clamp(ADMIN.0, ADMIN.1);
        let public = open_files.saturating_sub(reserve + ADMIN_LISTENERS * admin);
        if public < LEAST {
            return Err(too_low(open_files, reserve));
        }
        let per_worker = usize::try_from(public / workers)
            .unwrap_or(usize::MAX)
            .clamp(1, server.max_connections);
        let total = per_worker.saturating_mul(usize::try_from(workers).unwrap_or(usize::MAX));
        let per_network = server
            .max_connections_per_network
            .min((total / NETWORK_SHARE).max(1));
        Ok(Self {
            open_files,
            per_worker,
            per_network,
            admin: usize::try_from(admin).unwrap_or(usize::MAX),
        })
    }
}

fn too_low(open_files: u64, reserve: u64) -> CommandError {
    // The admin listeners have a share of the limit, or their minimum.
    let needed_files = ((reserve + LEAST) * ADMIN_SHARE)
        .div_ceil(ADMIN_SHARE - 1)
        .max(reserve + LEAST + ADMIN_LISTENERS * ADMIN.0);
    CommandError::configuration(format!(
        "this process may have {open_files} open files, and the service needs at least {needed_files}: {reserve} for its store and \
         its threads, the rest for connections; raise the limit with `ulimit -n 65536`, or LimitNOFILE=65536 in the unit of \
         systemd"
    ))
}

/// Raises the soft limit to the hard limit; returns the resulting soft limit.
fn raise() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum
        && setrlimit(
            Resource::Nofile,
            Rlimit {
                current: maximum,
                maximum,
            },
        )
        .is_ok()
    {
        return maximum.unwrap_or(u64::MAX);
    }
    current.unwrap_or(u64::MAX)
}

/// Returns the hard limit of this process, to which the service would raise the soft limit.
pub(crate) fn hard_limit() -> u64 {
    getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX)
}

fn workers(server: &Server) -> u64 {
    let workers = match server.workers {
        0 => available_parallelism().map_or(1, NonZeroUsize::get),
        workers => workers,
    };
    workers as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(workers: usize) -> Server {
        Server {
            workers,
            ..Server::default()
        }
    }

    #[test]
    fn a_high_limit_holds_what_is_configured() {
        let limits = ConnectionLimits::fit(1 << 20, &server(2)).unwrap();
        assert_eq!(
            (limits.per_worker, limits.per_network, limits.admin),
            (25_000, 1_024, 256)
        );
        assert_eq!(
            ConnectionLimits::fit(u64::MAX, &server(2))
                .unwrap()
                .per_worker,
            25_000
        );
    }

    #[test]
    fn a_low_limit_keeps_descriptors_for_the_store_and_the_admin_listener() {
        let limits = ConnectionLimits::fit(1024, &server(2)).unwrap();
        assert_eq!(
            (limits.per_worker, limits.per_network, limits.admin),
            (408, 204, 64)
        );
        assert!(
            2 * limits.per_worker as u64 + ADMIN_LISTENERS * limits.admin as u64 + FILES <= 1024
        );
    }

    #[test]
    fn a_limit_that_is_too_low_names_one_that_is_enough() {
        for workers in [1, 2, 64] {
            let sentence = ConnectionLimits::fit(100, &server(workers))
                .unwrap_err()
                .message;
            let words = sentence.split("at least ").nth(1).unwrap();
            let needed_files: u64 = words.split(':').next().unwrap().parse().unwrap();
            assert!(
                ConnectionLimits::fit(needed_files, &server(workers)).is_ok(),
                "{sentence}"
            );
            assert!(
                sentence.contains("ulimit -n") && sentence.contains("LimitNOFILE="),
                "{sentence}"
            );
        }
    }
}
