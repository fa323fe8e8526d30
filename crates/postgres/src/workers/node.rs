//! Server of a cluster.

use crate::connection::Transaction;
use crate::error::Error;
use crate::schema::DURABILITY;
use crate::sql::citus;
use crate::value::{RowExt, values};
use std::sync::Arc;
use tokio::sync::{Notify, Semaphore};

/// Coordinator or worker of a cluster.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// Group id in the metadata of Citus; 0 is the coordinator.
    pub(crate) group: u64,
    pub(super) name: String,
    pub(super) port: u64,
    /// Number of shards of the table `client` on this server.
    pub(super) parts: u64,
    /// Reason that the server cannot be used, if any.
    pub(super) trouble: Option<String>,
    pub(super) permits: Arc<Semaphore>,
    /// Notifies calls that wait for the server that it was given up.
    pub(super) given_up: Arc<Notify>,
}

impl Node {
    /// Returns the address as `host:port`.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.name, self.port)
    }

    /// Reads the settings of the server over the connection of `transaction`. Returns the name of the first setting that is
    /// off.
    pub(crate) async fn ask(
        &self,
        transaction: &Transaction,
    ) -> Result<Option<&'static str>, Error> {
        let row = transaction
            .row(citus::ASK_NODE, values![self.name.as_str(), self.port])
            .await?;
        let Some(row) = row else {
            return Err(Error::Timeout);
        };
        let (has_answered, settings): (bool, String) = (row.column(0)?, row.column(1)?);
        if !has_answered {
            return Err(Error::Unreachable(
                settings.lines().next().unwrap_or_default().to_owned(),
            ));
        }
        let off = settings
            .split(',')
            .zip(DURABILITY)
            .find(|(value, _)| *value == "off");
        Ok(off.map(|(_, setting)| setting))
    }
}
