//! Restore of a dump into a database without a store.

use super::import::Importer;
use super::{RecordVisitor, StoreIdentity, snapshot};
use crate::blocking_connection::BlockingConnection;
use crate::connect::{OpenError, PostgresUrl};
use crate::connection::Transaction;
use crate::error::{Error, describe};
use crate::schema::{
    Schema, check_server, in_open, insert_singleton_rows, is_distributed, migrate,
};
use crate::sql::{citus, schema, session};
use crate::value::values;
use std::sync::Arc;
use voight_domain::ports::Clock;

/// Restore in one transaction: other connections see no part of it before [`commit`](Self::commit).
///
/// If it is dropped or its connection is lost before, the database contains no store.
pub struct StagedRestore {
    connection: BlockingConnection,
    transaction: Transaction,
    contents: Importer,
}

impl StagedRestore {
    /// Begins a restore in the database of `url`; creates the tables if they do not exist.
    ///
    /// Rejects a database that contains a store. Blocks the current thread.
    pub fn begin(
        url: &PostgresUrl,
        identity: &StoreIdentity,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, OpenError> {
        let connection = BlockingConnection::connect(url, clock)?;
        let lock = connection.transaction()?;
        let transaction = connection.transaction()?;
        let is_empty = connection.runtime.block_on(async {
            check_server(&transaction, url).await?;
            migrate(&lock, &transaction, url, Schema::RELEASED).await?;
            begin(&transaction, identity)
                .await
                .map_err(|error| match error {
                    // The identity row is locked: another restore has inserted it and is still running.
                    error if error.is_lock_timeout() => {
                        OpenError::unusable(url, "another copy is on its way there")
                    }
                    error => in_open(url, error),
                })
        });
        lock.discard();
        if !is_empty? {
            return Err(OpenError::Occupied {
                place: url.to_string(),
            });
        }
        Ok(Self {
            connection,
            transaction,
            contents: Importer::default(),
        })
    }

    /// Adds a record of a dump. Records must be added in the order of their keys. Blocks the current thread.
    pub fn add(&mut self, key: &[u8], record: &[u8]) -> Result<(), OpenError> {
        let add_result =
            self.connection
                .runtime
                .block_on(self.contents.add(&self.transaction, key, record));
        add_result.map_err(|error| in_open(&self.connection.url, error))
    }

    /// Passes every record of the tables to `visit`. No record can be added after it. Blocks the current thread.
    pub fn read_back(&mut self, visit: &mut RecordVisitor<'_>) -> Result<(), OpenError> {
        let read_result = self.connection.runtime.block_on(async {
            self.contents.finish(&self.transaction).await?;
            snapshot::read(&self.transaction, visit).await.map(drop)
        });
        read_result.map_err(|error| in_open(&self.connection.url, error))
    }

    /// Commits the restore durably. Blocks the current thread.
    pub fn commit(self) -> Result<(), OpenError> {
        let commit_result = self
            .connection
            .runtime
            .block_on(self.transaction.batch_execute(session::COMMIT));
        // An error of the server means that nothing was committed; a lost connection leaves the outcome unknown.
        commit_result.map_err(|error| match error {
            Error::Database(error) if error.as_db_error().is_none() => OpenError::OutcomeUnknown {
                place: self.connection.url.to_string(),
                why: describe(&error),
            },
            error => in_open(&self.connection.url, error),
        })
    }
}

/// Begins the transaction and inserts the identity; returns `false` if a store exists already.
async fn begin(transaction: &Transaction, identity: &StoreIdentity) -> Result<bool, Error> {
    transaction.batch_execute(session::BEGIN).await?;
    if is_distributed(transaction).await? {
        transaction.batch_execute(citus::SEQUENTIAL).await?;
    }
    transaction.batch_execute(session::UNHURRIED).await?;
    insert_singleton_rows(transaction).await?;
    let StoreIdentity {
        id,
        created_at,
        pepper,
    } = *identity;
    Ok(transaction
        .execute_sql(
            schema::FIRST_IDENTITY,
            values![id.to_bytes(), created_at, pepper.0],
        )
        .await?
        == 1)
}
