//! The machines of a distributed store: which one a client is on, how many connections may wait for each, and which do not answer.
//!
//! A connection that waits for a machine that hangs is lost to all others. So each machine has fewer permits than the pool has
//! connections, and one that is known not to answer is not waited for at all.

mod node;

use crate::connect::OpenError;
use crate::error::Error;
use crate::sql::citus;
use crate::step::Transaction;
use crate::value::{RowExt, values};
pub(crate) use node::Node;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use voight_domain::ports::Health;
use voight_domain::vocabulary::ClientId;

/// Connections that may wait for one machine, of the [16](crate::store) of a pool.
const OF_A_NODE: usize = 6;
/// Connections for calls whose machine is not known before they begin, or that ask all of them.
const OF_NO_NODE: usize = 6;
/// How long a permit is waited for.
const WAIT: Duration = Duration::from_secs(5);
/// The most clients whose machines are remembered. When they are exceeded all are forgotten: finding one again is cheap.
const CAPACITY: usize = 16_384;

/// What a call will wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Tables that every machine has a copy of.
    Local,
    /// The machine that this client is on.
    Of(ClientId),
    /// Any machine, or all of them.
    Any,
}

/// The machines of the store.
pub(crate) struct Workers {
    state: Mutex<State>,
    others: Arc<Semaphore>,
}

struct State {
    nodes: Vec<Node>,
    of_client: HashMap<ClientId, u64>,
}

impl Workers {
    /// The machines that the database at `step` knows.
    pub(crate) async fn of(step: &Transaction) -> Result<Self, Error> {
        let nodes = nodes(step).await?;
        let state = Mutex::new(State { nodes, of_client: HashMap::new() });
        Ok(Self { state, others: Arc::new(Semaphore::new(OF_NO_NODE)) })
    }

    /// Refuses machines that may lose what they have acknowledged. One that does not answer is asked again later.
    pub(crate) async fn check(&self, step: &Transaction) -> Result<(), OpenError> {
        for node in self.nodes() {
            match node.ask(step).await {
                Ok(Some(setting)) => {
                    return Err(OpenError::NotDurable {
                        place: node.place(),
                        setting: setting.to_owned(),
                        value: "off".to_owned(),
                    });
                }
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, node = node.place(), "a machine of the cluster does not answer"),
            }
        }
        Ok(())
    }

    /// The machine that a client is on, if it is known.
    pub(crate) fn known(&self, client: ClientId) -> Option<u64> {
        self.lock().of_client.get(&client).copied()
    }

    /// Finds the machine that a client is on.
    pub(crate) async fn locate(&self, step: &Transaction, client: ClientId) -> Result<(), Error> {
        let row = step.row(citus::NODE_OF, values![client]).await?;
        let Some(group) = row.map(|row| row.number(0)).transpose()? else { return Ok(()) };
        let mut state = self.lock();
        if state.of_client.len() >= CAPACITY {
            state.of_client.clear();
        }
        state.of_client.insert(client, group);
        Ok(())
    }

    /// A permit for a call; `None` for one that waits for no other machine. An error if there is none in time, or if the machine
    /// is known not to answer.
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
            Err(_) => Err(Error::Unreachable("all connections to this machine of the cluster are in use".to_owned())),
        }
    }

    fn permits(&self, client: ClientId) -> Result<Option<Arc<Semaphore>>, Error> {
        let state = self.lock();
        let group = state.of_client.get(&client);
        let node = group.and_then(|group| state.nodes.iter().find(|node| node.group == *group));
        match node.and_then(|node| node.trouble.as_ref().map(|why| (node.place(), why))) {
            Some((place, why)) => {
                Err(Error::Unreachable(format!("{place} holds this client and cannot be used: {why}")))
            }
            None => Ok(node.map(|node| Arc::clone(&node.permits))),
        }
    }

    /// The machines, as they are known now.
    pub(crate) fn nodes(&self) -> Vec<Node> {
        self.lock().nodes.clone()
    }

    /// Takes over what the database knows now: machines that came or went, and clients that were moved.
    pub(crate) async fn renew(&self, step: &Transaction) -> Result<(), Error> {
        let mut found = nodes(step).await?;
        let mut state = self.lock();
        for node in &mut found {
            if let Some(known) = state.nodes.iter().find(|known| known.group == node.group) {
                node.permits = Arc::clone(&known.permits);
                node.given_up = Arc::clone(&known.given_up);
                node.trouble.clone_from(&known.trouble);
            }
        }
        state.nodes = found;
        state.of_client.clear();
        Ok(())
    }

    /// Notes what came of asking a machine: why it cannot be used, if it cannot be.
    pub(crate) fn note(&self, group: u64, trouble: Option<String>) {
        let mut state = self.lock();
        let Some(node) = state.nodes.iter_mut().find(|node| node.group == group) else { return };
        match (&node.trouble, &trouble) {
            (None, Some(why)) => tracing::error!(why, node = node.place(), "a machine of the cluster cannot be used"),
            (Some(_), None) => tracing::info!(node = node.place(), "a machine of the cluster is back"),
            _ => {}
        }
        node.trouble = trouble;
        if node.trouble.is_some() {
            node.given_up.notify_waiters();
        }
    }

    /// What tells a call of this lane that its machine is given up.
    pub(crate) fn given_up(&self, lane: Lane) -> Option<Arc<Notify>> {
        let Lane::Of(client) = lane else { return None };
        let state = self.lock();
        let group = state.of_client.get(&client)?;
        state.nodes.iter().find(|node| node.group == *group).map(|node| Arc::clone(&node.given_up))
    }

    /// Returns `true` if the machine that a client is on is known not to answer.
    pub(crate) fn is_given_up(&self, client: ClientId) -> bool {
        self.permits(client).is_err()
    }

    /// Which share of the clients cannot be reached, by the parts of their table on machines that cannot be used.
    pub(crate) fn health(&self) -> Health {
        let state = self.lock();
        let all: u64 = state.nodes.iter().map(|node| node.parts).sum();
        let troubled = state.nodes.iter().filter_map(|node| Some((node, node.trouble.as_ref()?)));
        let (mut lost, mut why) = (0, Vec::new());
        for (node, trouble) in troubled {
            lost += node.parts;
            why.push(format!("{}: {trouble}", node.place()));
        }
        if why.is_empty() {
            return Health::Ready;
        }
        let percent = u8::try_from((lost * 100).div_ceil(all.max(1))).unwrap_or(100);
        Health::Degraded { percent, why: why.join("; ") }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn nodes(step: &Transaction) -> Result<Vec<Node>, Error> {
    let rows = step.rows(citus::NODES, Vec::new()).await?;
    let node = |row: &tokio_postgres::Row| {
        let permits = Arc::new(Semaphore::new(OF_A_NODE));
        let (name, port) = (row.column(1)?, row.number(2)?);
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
