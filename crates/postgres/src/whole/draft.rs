//! A store that is put where none is.

use super::contents::Importer;
use super::{RecordVisitor, StoreIdentity, snapshot};
use crate::connect::{OpenError, PostgresUrl};
use crate::error::{Error, describe};
use crate::line::MaintenanceConnection;
use crate::schema::{check_server, in_open, insert_singleton_rows, is_distributed, migrate};
use crate::sql::{citus, schema, session};
use crate::step::Transaction;
use crate::value::values;
use std::sync::Arc;
use voight_domain::ports::Clock;

/// A store until it is whole. All of it is one transaction, so nobody sees any of it before it is [kept](Self::keep), and
/// nothing is left of it if it is dropped before, or its connection lost.
pub struct StagedRestore {
    line: MaintenanceConnection,
    step: Transaction,
    contents: Importer,
}

impl StagedRestore {
    /// Begins a store in the database of `url`, with tables where there are none. Refused where a store is already. Blocking.
    pub fn begin(url: &PostgresUrl, identity: &StoreIdentity, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        let line = MaintenanceConnection::connect(url, clock)?;
        let (lock, step) = (line.step()?, line.step()?);
        let begun = line.runtime.block_on(async {
            check_server(&step, url).await?;
            migrate(&lock, &step, url).await?;
            begin(&step, identity).await.map_err(|error| match error {
                // The row that says who the store is: another copy has added it, and has not ended.
                error if error.is_lock_timeout() => OpenError::unusable(url, "another copy is on its way there"),
                error => in_open(url, error),
            })
        });
        lock.discard();
        if !begun? {
            return Err(OpenError::Occupied { place: url.to_string() });
        }
        Ok(Self { line, step, contents: Importer::default() })
    }

    /// Adds a record of a dump. Records come in the order of their keys. Blocking.
    pub fn add(&mut self, key: &[u8], record: &[u8]) -> Result<(), OpenError> {
        let added = self.line.runtime.block_on(self.contents.add(&self.step, key, record));
        added.map_err(|error| in_open(&self.line.url, error))
    }

    /// Shows every record to `visit`, as it is found in the tables now. Nothing is added after that. Blocking.
    pub fn read_back(&mut self, visit: &mut RecordVisitor<'_>) -> Result<(), OpenError> {
        let read = self.line.runtime.block_on(async {
            self.contents.finish(&self.step).await?;
            snapshot::read(&self.step, visit).await.map(drop)
        });
        read.map_err(|error| in_open(&self.line.url, error))
    }

    /// Makes the store be there, durably. Blocking.
    pub fn commit(self) -> Result<(), OpenError> {
        let committed = self.line.runtime.block_on(self.step.batch_execute(session::COMMIT));
        // An answer of the database says that nothing was committed; none says nothing.
        committed.map_err(|error| match error {
            Error::Database(error) if error.as_db_error().is_none() => {
                OpenError::OutcomeUnknown { place: self.line.url.to_string(), why: describe(&error) }
            }
            error => in_open(&self.line.url, error),
        })
    }
}

/// Begins the transaction, and takes the place; whether it was free.
async fn begin(step: &Transaction, identity: &StoreIdentity) -> Result<bool, Error> {
    step.batch_execute(session::BEGIN).await?;
    if is_distributed(step).await? {
        step.batch_execute(citus::SEQUENTIAL).await?;
    }
    step.batch_execute(session::UNHURRIED).await?;
    insert_singleton_rows(step).await?;
    let StoreIdentity { id, created_at, pepper } = *identity;
    Ok(step.execute_sql(schema::FIRST_IDENTITY, values![id.to_bytes(), created_at, pepper.0]).await? == 1)
}
