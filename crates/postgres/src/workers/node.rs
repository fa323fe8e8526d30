//! One machine.

use crate::error::Error;
use crate::sql::citus;
use crate::step::Transaction;
use crate::value::{RowExt, values};
use std::sync::Arc;
use tokio::sync::{Notify, Semaphore};

/// Settings without which what a machine has acknowledged can be lost, in the order of the answer.
const SETTINGS: [&str; 3] = ["synchronous_commit", "fsync", "full_page_writes"];

/// A machine of a cluster.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// Its number there; 0 is the coordinator.
    pub(crate) group: u64,
    pub(super) name: String,
    pub(super) port: u64,
    /// Parts of the table of clients that it holds.
    pub(super) parts: u64,
    /// Why it cannot be used.
    pub(super) trouble: Option<String>,
    pub(super) permits: Arc<Semaphore>,
    /// Tells calls that wait for it that it is given up.
    pub(super) given_up: Arc<Notify>,
}

impl Node {
    /// Its address.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.name, self.port)
    }

    /// Asks it for its settings, over the machine that `step` is connected to; the one that is off, if one is.
    pub(crate) async fn ask(&self, step: &Transaction) -> Result<Option<&'static str>, Error> {
        let row = step.row(citus::ASK_NODE, values![self.name.as_str(), self.port]).await?;
        let Some(row) = row else { return Err(Error::Timeout) };
        let (has_answered, said): (bool, String) = (row.column(0)?, row.column(1)?);
        if !has_answered {
            return Err(Error::Unreachable(said.lines().next().unwrap_or_default().to_owned()));
        }
        let off = said.split(',').zip(SETTINGS).find(|(value, _)| *value == "off");
        Ok(off.map(|(_, setting)| setting))
    }
}
