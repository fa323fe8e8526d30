//! Open connections of a listener. When all places are taken, connections that wait for their client give way to new ones.

mod victims;

use crate::limits::Network;
use futures_util::task::AtomicWaker;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Duration;
use victims::{WaitingConnection, choose_victims};

/// Divisor of the limit: share of connections that are closed at once, which spreads the cost of choosing them.
const CLOSED_SHARE: usize = 64;

/// Open connections of a listener, and their limits.
#[derive(Debug)]
pub(crate) struct ConnectionTable {
    /// Maximum number of connections.
    limit: usize,
    /// Maximum number of connections of a network; `None` means no limit.
    limit_per_network: Option<usize>,
    open: Mutex<OpenConnections>,
}

#[derive(Debug, Default)]
struct OpenConnections {
    connections: HashMap<u64, Arc<OpenConnection>>,
    /// Number of connections of each network.
    networks: HashMap<Network, usize>,
    /// Number of connections that were told to close and still are open.
    closing: usize,
    next_id: u64,
}

/// Open connection.
#[derive(Debug)]
pub(crate) struct OpenConnection {
    /// Network of the peer; `None` for a trusted proxy, which connects for many callers.
    network: Option<Network>,
    /// Time of the last request, or before it of the connection, in milliseconds of the monotonic clock.
    since: AtomicU64,
    /// `true` while a complete request is processed.
    is_in_service: AtomicBool,
    is_closing: AtomicBool,
    task: AtomicWaker,
}

/// Place of a connection, until it is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    table: Arc<ConnectionTable>,
    id: u64,
    connection: Arc<OpenConnection>,
}

/// Reason why a new connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConnectionRejection {
    /// All connections are in use.
    AllInUse,
    /// The network has too many connections.
    Network,
}

/// Admitted connection.
#[derive(Debug)]
pub(crate) struct AdmittedConnection {
    pub(crate) slot: ConnectionSlot,
    /// Number of connections that were told to close for it and for later ones.
    pub(crate) closed: usize,
}

impl ConnectionTable {
    /// Creates a table of at most `limit` connections.
    pub(crate) fn new(limit: usize, limit_per_network: Option<usize>) -> Self {
        Self {
            limit: limit.max(1),
            limit_per_network,
            open: Mutex::default(),
        }
    }

    /// Admits a connection of `network` at `now`. The connections of a trusted proxy have no network; they are never rejected
    /// or closed.
    ///
    /// # Errors
    ///
    /// Fails if the network or one that contains it has too many connections, or if all connections are in use and none of
    /// them waits for its client.
    pub(crate) fn admit(
        self: &Arc<Self>,
        network: Option<Network>,
        now: Duration,
    ) -> Result<AdmittedConnection, ConnectionRejection> {
        let mut open = self.lock();
        if let (Some(network), Some(limit)) = (network, self.limit_per_network)
            && network
                .limits(limit, self.limit)
                .any(|(network, limit)| open.count(network) >= limit)
        {
            return Err(ConnectionRejection::Network);
        }
        let mut victims = Vec::new();
        if open.connections.len() - open.closing >= self.limit {
            victims = open.choose_victims((self.limit / CLOSED_SHARE).max(1));
            if victims.is_empty() && network.is_some() {
                return Err(ConnectionRejection::AllInUse);
            }
            open.closing += victims.len();
        }
        let (id, connection) = open.insert(OpenConnection::new(network, now));
        drop(open);
        for victim in &victims {
            victim.task.wake();
        }
        Ok(AdmittedConnection {
            slot: ConnectionSlot {
                table: Arc::clone(self),
                id,
                connection,
            },
            closed: victims.len(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    fn count(&self, network: Network) -> usize {
        self.networks.get(&network).copied().unwrap_or_default()
    }

    fn insert(&mut self, connection: OpenConnection) -> (u64, Arc<OpenConnection>) {
        let id = self.next_id;
        let connection = Arc::new(connection);
        self.next_id += 1;
        for (network, _) in connection.networks() {
            *self.networks.entry(network).or_default() += 1;
        }
        self.connections.insert(id, Arc::clone(&connection));
        (id, connection)
    }

    fn remove(&mut self, id: u64) {
        let Some(connection) = self.connections.remove(&id) else {
            return;
        };
        self.closing -= usize::from(connection.is_closing.load(Ordering::Relaxed));
        for (network, _) in connection.networks() {
            if let Some(count) = self.networks.get_mut(&network) {
                *count -= 1;
                if *count == 0 {
                    self.networks.remove(&network);
                }
            }
        }
    }

    /// Chooses at most `count` connections that wait for their client, and marks them as closing.
    fn choose_victims(&self, count: usize) -> Vec<Arc<OpenConnection>> {
        let waiting = self
            .connections
            .iter()
            .filter_map(|(id, connection)| connection.waiting(*id))
            .collect();
        let victims = choose_victims(waiting, self.networks.clone(), count);
        let victims: Vec<_> = victims
            .iter()
            .filter_map(|id| self.connections.get(id))
            .cloned()
            .collect();
        for victim in &victims {
            victim.is_closing.store(true, Ordering::Release);
        }
        victims
    }
}

impl OpenConnection {
    fn new(network: Option<Network>, now: Duration) -> Self {
        Self {
            network,
            since: AtomicU64::new(millis(now)),
            is_in_service: AtomicBool::new(false),
            is_closing: AtomicBool::new(false),
            task: AtomicWaker::new(),
        }
    }

    /// Follows a request that arrived at `now`.
    pub(crate) fn begin_request(&self, now: Duration, is_complete: bool) {
        self.since.store(millis(now), Ordering::Relaxed);
        self.set_in_service(is_complete);
    }

    /// Marks whether a complete request is being processed. Otherwise the connection waits for its client.
    pub(crate) fn set_in_service(&self, is_in_service: bool) {
        self.is_in_service.store(is_in_service, Ordering::Relaxed);
    }

    fn networks(&self) -> impl Iterator<Item = (Network, usize)> {
        self.network.into_iter().flat_map(Network::widths)
    }

    /// Returns this connection if it may be closed.
    fn waiting(&self, id: u64) -> Option<WaitingConnection> {
        let is_kept =
            self.is_in_service.load(Ordering::Relaxed) || self.is_closing.load(Ordering::Relaxed);
        let network = self.network.filter(|_| !is_kept)?;
        Some(WaitingConnection {
            id,
            network,
            since: self.since.load(Ordering::Relaxed),
        })
    }
}

impl ConnectionSlot {
    /// Returns the connection.
    pub(crate) fn connection(&self) -> Arc<OpenConnection> {
        Arc::clone(&self.connection)
    }

    /// Returns `true` if the connection has to close; otherwise the task is woken when it has to.
    pub(crate) fn is_closing(&self, waker: &Waker) -> bool {
        self.connection.task.register(waker);
        self.connection.is_closing.load(Ordering::Acquire)
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.table.lock().remove(self.id);
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
#[path = "connection_table/tests.rs"]
mod tests;
