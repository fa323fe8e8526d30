//! Servers of a distributed store: location of each client, permits for each server, and health.
//!
//! A connection that waits for a hanging server is unavailable to all other calls. Each server therefore has fewer
//! permits than the pool has connections, and calls fail at once for a server that is known not to answer.
//!
//! A call for a client uses a connection to the server of the client if the URL names that server, because a statement
//! that another server forwards takes more processor time.

mod node;

use crate::connect::{self, OpenError, PostgresUrl};
use crate::connection::Transaction;
use crate::error::Error;
use crate::sql::citus;
use crate::value::{RowExt, values};
use deadpool_postgres::{Object, Pool};
pub(crate) use node::Node;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use voight_domain::ports::Health;
use voight_domain::vocabulary::ClientId;

/// Maximum number of connections that may wait for one server, of the 16 connections of the pool.
const OF_A_NODE: usize = 6;
/// Maximum number of connections for calls that need all servers, or one that is not known beforehand.
const OF_NO_NODE: usize = 6;
/// Timeout for a permit.
const WAIT: Duration = Duration::from_secs(5);
/// Maximum number of clients whose servers are cached. When it is reached the cache is cleared, because a re-read is
/// cheap.
const CAPACITY: usize = 16_384;

/// Class of calls by the server that they wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Reference tables only: every server has a copy.
    Local,
    /// Server that stores the rows of this client.
    Of(ClientId),
    /// Any server, or all of them.
    Any,
}

/// Servers of the store, with the cached locations of clients.
pub(crate) struct Workers {
    state: Mutex<State>,
    others: Arc<Semaphore>,
    hosts: Vec<HostPool>,
}

/// Connections to one host of the URL.
pub(crate) struct HostPool {
    pool: Pool,
    /// Group of the server; `None` until it is read, and after a failed connection.
    group: Mutex<Option<u64>>,
}

impl HostPool {
    fn new(url: &PostgresUrl) -> Result<Self, OpenError> {
        Ok(Self {
            pool: connect::pool(url, OF_A_NODE)?,
            group: Mutex::default(),
        })
    }

    fn group(&self) -> Option<u64> {
        *self.group.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_group(&self, group: Option<u64>) {
        *self.group.lock().unwrap_or_else(PoisonError::into_inner) = group;
    }
}

struct State {
    nodes: Vec<Node>,
    of_client: HashMap<ClientId, u64>,
}

impl State {
    /// Returns the server that stores a client, if it is cached.
    fn node_of(&self, client: ClientId) -> Option<&Node> {
        let group = self.of_client.get(&client)?;
        self.nodes.iter().find(|node| node.group == *group)
    }
}

impl Workers {
    /// Reads the servers from the metadata of the database that `transaction` is connected to.
    pub(crate) async fn load(transaction: &Transaction) -> Result<Self, Error> {
        let nodes = nodes(transaction).await?;
        let state = Mutex::new(State {
            nodes,
            of_client: HashMap::new(),
        });
        Ok(Self {
            state,
            others: Arc::new(Semaphore::new(OF_NO_NODE)),
            hosts: Vec::new(),
        })
    }

    /// Creates a pool for each of several hosts of the URL; does not connect yet.
    pub(crate) fn with_hosts_of(self, url: &PostgresUrl) -> Result<Self, OpenError> {
        let hosts = if url.has_several_hosts() {
            url.hosts()
        } else {
            Vec::new()
        };
        Ok(Self {
            hosts: hosts.iter().map(HostPool::new).collect::<Result<_, _>>()?,
            ..self
        })
    }

    /// Reads the groups of the hosts of the URL that are not known yet.
    pub(crate) async fn find_hosts(&self, limit: Duration) {
        for host in self.hosts.iter().filter(|host| host.group().is_none()) {
            let group = async {
                let connection = host.pool.get().await.ok()?;
                let row = connection.query_one(citus::HERE, &[]).await.ok()?;
                row.number(0).ok()
            };
            host.set_group(timeout(limit, group).await.unwrap_or_default());
        }
    }

    /// Returns a connection to the server of a lane; `None` if the URL does not name it, or if it cannot be connected to.
    pub(crate) async fn connect(&self, lane: Lane) -> Option<Object> {
        let Lane::Of(client) = lane else { return None };
        let group = self.known(client)?;
        let host = self.hosts.iter().find(|host| host.group() == Some(group))?;
        match host.pool.get().await {
            Ok(connection) => Some(connection),
            Err(error) => {
                tracing::debug!(
                    event = "cluster_host_skipped",
                    error = %connect::describe(&error),
                    "skipped a host of the cluster"
                );
                host.set_group(None);
                None
            }
        }
    }

    /// Rejects servers whose settings may lose acknowledged writes. A server that does not answer is checked again
    /// later.
    pub(crate) async fn check(&self, transaction: &Transaction) -> Result<(), OpenError> {
        for node in self.nodes() {
            match node.ask(transaction).await {
                Ok(Some(setting)) => {
                    return Err(OpenError::NotDurable {
                        place: node.place(),
                        setting: setting.to_owned(),
                        value: "off".to_owned(),
                    });
                }
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(
                        event = "cluster_machine_not_checked",
                        %error,
                        node = node.place(),
                        "a machine of the cluster does not answer"
                    );
                }
            }
        }
        Ok(())
    }

    /// Returns the group of the server that stores a client, if it is cached.
    pub(crate) fn known(&self, client: ClientId) -> Option<u64> {
        self.lock().of_client.get(&client).copied()
    }

    /// Reads and caches the group of the server that stores a client.
    pub(crate) async fn locate(
        &self,
        transaction: &Transaction,
        client: ClientId,
    ) -> Result<(), Error> {
        let row = transaction.row(citus::NODE_OF, values![client]).await?;
        let Some(group) = row.map(|row| row.number(0)).transpose()? else {
            return Ok(());
        };
        let mut state = self.lock();
        if state.of_client.len() >= CAPACITY {
            state.of_client.clear();
        }
        state.of_client.insert(client, group);
        Ok(())
    }

    /// Waits for a permit of a lane; returns `None` for a lane that needs none.
    ///
    /// # Errors
    ///
    /// No permit within the timeout, or a server that is known not to answer.
    pub(crate) async fn admit(&self, lane: Lane) -> Result<Option<OwnedSemaphorePermit>, Error> {
        let permits = match lane {
            Lane::Local => return Ok(None),
            Lane::Any => Arc::clone(&self.others),
            Lane::Of(client) => match self.permits(client)? {
                Some(permits) => permits,
                None => Arc::clone(&self.others),
            },
        };
        match timeout(WAIT, permits.acquire_owned()).await {
            Ok(Ok(permit)) => Ok(Some(permit)),
            Ok(Err(_)) => Err(Error::Timeout),
            Err(_) => Err(Error::Unreachable(
                "all connections to this machine of the cluster are in use".to_owned(),
            )),
        }
    }

    fn permits(&self, client: ClientId) -> Result<Option<Arc<Semaphore>>, Error> {
        let state = self.lock();
        let node = state.node_of(client);
        match node.and_then(|node| node.trouble.as_ref().map(|why| (node.place(), why))) {
            Some((address, why)) => Err(Error::Unreachable(format!(
                "{address} holds this client and cannot be used: {why}"
            ))),
            None => Ok(node.map(|node| Arc::clone(&node.permits))),
        }
    }

    /// Returns the servers in their current state.
    pub(crate) fn nodes(&self) -> Vec<Node> {
        self.lock().nodes.clone()
    }

    /// Reads the metadata again. Keeps permits and health of known servers, and clears the cached locations of clients
    /// if servers were added or removed, or if shards were moved.
    pub(crate) async fn renew(&self, transaction: &Transaction) -> Result<(), Error> {
        self.replace(nodes(transaction).await?);
        Ok(())
    }

    fn replace(&self, mut nodes: Vec<Node>) {
        let mut state = self.lock();
        for node in &mut nodes {
            if let Some(known_node) = state
                .nodes
                .iter()
                .find(|known_node| known_node.group == node.group)
            {
                node.permits = Arc::clone(&known_node.permits);
                node.given_up = Arc::clone(&known_node.given_up);
                node.trouble.clone_from(&known_node.trouble);
            }
        }
        let is_same = |(old, new): (&Node, &Node)| (old.group, old.parts) == (new.group, new.parts);
        if state.nodes.len() != nodes.len() || !state.nodes.iter().zip(&nodes).all(is_same) {
            state.of_client.clear();
        }
        state.nodes = nodes;
    }

    /// Clears the cached locations of clients, which shards that were exchanged between servers make wrong.
    pub(crate) fn clear_locations(&self) {
        self.lock().of_client.clear();
    }

    /// Records the result of a health check: the reason that a server cannot be used, or `None`.
    pub(crate) fn note(&self, group: u64, trouble: Option<String>) {
        let mut state = self.lock();
        let Some(node) = state.nodes.iter_mut().find(|node| node.group == group) else {
            return;
        };
        match (&node.trouble, &trouble) {
            (None, Some(why)) => tracing::error!(
                event = "cluster_machine_lost",
                why,
                node = node.place(),
                "a machine of the cluster cannot be used"
            ),
            (Some(_), None) => {
                tracing::info!(
                    event = "cluster_machine_recovered",
                    node = node.place(),
                    "a machine of the cluster is back"
                );
            }
            _ => {}
        }
        node.trouble = trouble;
        if node.trouble.is_some() {
            node.given_up.notify_waiters();
            for host in self.hosts.iter().filter(|host| host.group() == Some(group)) {
                host.pool.retain(|_, _| false);
            }
        }
    }

    /// Returns the notification that the server of this lane was given up. `None` if the server is not known.
    pub(crate) fn given_up(&self, lane: Lane) -> Option<Arc<Notify>> {
        let Lane::Of(client) = lane else { return None };
        self.lock()
            .node_of(client)
            .map(|node| Arc::clone(&node.given_up))
    }

    /// Returns `true` if the server that stores a client is known not to answer.
    pub(crate) fn is_given_up(&self, client: ClientId) -> bool {
        self.permits(client).is_err()
    }

    /// Returns the health of the store.
    ///
    /// Degraded health has the percentage of the shards of `client` on servers that cannot be used.
    pub(crate) fn health(&self) -> Health {
        let state = self.lock();
        let total_parts: u64 = state.nodes.iter().map(|node| node.parts).sum();
        let unusable_nodes = state
            .nodes
            .iter()
            .filter_map(|node| Some((node, node.trouble.as_ref()?)));
        let mut lost_parts = 0;
        let mut troubles = Vec::new();
        for (node, trouble) in unusable_nodes {
            lost_parts += node.parts;
            troubles.push(format!("{}: {trouble}", node.place()));
        }
        if troubles.is_empty() {
            return Health::Ready;
        }
        let percent = u8::try_from((lost_parts * 100).div_ceil(total_parts.max(1))).unwrap_or(100);
        Health::Degraded {
            percent,
            why: troubles.join("; "),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn nodes(transaction: &Transaction) -> Result<Vec<Node>, Error> {
    let rows = transaction.rows(citus::NODES, Vec::new()).await?;
    let node = |row: &tokio_postgres::Row| {
        let permits = Arc::new(Semaphore::new(OF_A_NODE));
        let name = row.column(1)?;
        let port = row.number(2)?;
        Ok(Node {
            group: row.number(0)?,
            name,
            port,
            parts: row.number(3)?,
            trouble: None,
            permits,
            given_up: Arc::default(),
        })
    };
    rows.iter().map(node).collect()
}

#[cfg(test)]
mod tests;
