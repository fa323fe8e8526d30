//! One transaction as its step sees it: statements that are answered now, and writes that travel with the commit.

use crate::error::Error;
use crate::sql::session;
use crate::value::{RowExt, Value};
use deadpool_postgres::Object;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Row, RowStream, Statement};
use voight_domain::ports::Clock;
use voight_domain::vocabulary::{ClientId, Timestamp};
use voight_record::Encode;

/// Whose data it is that belongs to no client, or to one that is not known.
pub(crate) const NO_CLIENT: [u8; 16] = [0; 16];

/// A write that waits for the commit.
pub(crate) type Write = (&'static str, Vec<Value>);

/// A transaction under way; a single read has no transaction, and is a step all the same.
pub(crate) struct Transaction {
    connection: Object,
    clock: Arc<dyn Clock>,
    writes: Mutex<Vec<Write>>,
    has_changed: AtomicBool,
    tenant: OnceLock<ClientId>,
}

impl Transaction {
    /// A step on this connection.
    pub(crate) fn new(connection: Object, clock: Arc<dyn Clock>) -> Self {
        Self {
            connection,
            clock,
            writes: Mutex::default(),
            has_changed: AtomicBool::default(),
            tenant: OnceLock::new(),
        }
    }

    /// Gives the connection back to the pool: nothing is open on it.
    pub(crate) fn release(self) {
        drop(self.connection);
    }

    /// Ends a transaction that is to change nothing.
    pub(crate) async fn roll_back(self) {
        match self.batch_execute(session::ROLLBACK).await {
            Ok(()) => self.release(),
            Err(_) => self.discard(),
        }
    }

    /// Closes the connection. After an error, a time-out or a panic nobody knows what is still open on it.
    pub(crate) fn discard(self) {
        drop(Object::take(self.connection));
    }

    /// Runs a statement without parameters. It is sent when this is first polled.
    pub(crate) async fn batch_execute(&self, sql: &str) -> Result<(), Error> {
        Ok(self.connection.batch_execute(sql).await?)
    }

    /// The time.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Says whose data the step changes, so that its mark lies beside them.
    pub(crate) fn set_client(&self, client: ClientId) {
        let _ = self.tenant.set(client);
    }

    /// Whose data the step changes; no client's if it did not say.
    pub(crate) fn tenant(&self) -> ClientId {
        self.tenant.get().copied().unwrap_or_else(|| ClientId::from_bytes(NO_CLIENT))
    }

    /// Writes at the end of the transaction: all such writes, and the commit, are sent before the first is answered. The step
    /// itself does not see them.
    pub(crate) fn enqueue_write(&self, sql: &'static str, values: Vec<Value>) {
        self.writes.lock().unwrap_or_else(PoisonError::into_inner).push((sql, values));
    }

    /// Whether there is anything to commit.
    pub(crate) fn has_written(&self) -> bool {
        self.has_changed.load(Ordering::Relaxed)
            || !self.writes.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Takes what was [`put`](Self::put).
    pub(crate) fn take_writes(&self) -> Vec<Write> {
        std::mem::take(&mut self.writes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The rows that a statement finds.
    pub(crate) async fn rows(&self, sql: &str, values: Vec<Value>) -> Result<Vec<Row>, Error> {
        let statement = self.prepared(sql).await?;
        self.query(&statement, &values).await
    }

    /// The rows that a prepared statement finds. It is sent when this is first polled.
    pub(crate) async fn query(&self, statement: &Statement, values: &[Value]) -> Result<Vec<Row>, Error> {
        Ok(self.connection.query(statement, &as_parameters(values)).await?)
    }

    /// The rows that a statement finds, as they are asked for.
    pub(crate) async fn stream(&self, sql: &str, values: Vec<Value>) -> Result<RowStream, Error> {
        let statement = self.prepared(sql).await?;
        Ok(self.connection.query_raw(&statement, values).await?)
    }

    /// Takes rows with columns of these types into a table, by a statement of the form `COPY … FROM STDIN BINARY`.
    pub(crate) async fn copy_in(&self, sql: &str, types: &[Type]) -> Result<BinaryCopyInWriter, Error> {
        Ok(BinaryCopyInWriter::new(self.connection.copy_in(sql).await?, types))
    }

    /// How many rows a statement has changed. The step sees them. A write whose count does not matter is better
    /// [`put`](Self::put).
    pub(crate) async fn execute_sql(&self, sql: &str, values: Vec<Value>) -> Result<u64, Error> {
        let statement = self.prepared(sql).await?;
        self.has_changed.store(true, Ordering::Relaxed);
        self.execute(&statement, &values).await
    }

    /// What a statement that changes a row returns of it.
    pub(crate) async fn query_opt(&self, sql: &str, values: Vec<Value>) -> Result<Option<Row>, Error> {
        self.has_changed.store(true, Ordering::Relaxed);
        self.row(sql, values).await
    }

    /// How many rows a prepared statement has changed. It is sent when this is first polled.
    pub(crate) async fn execute(&self, statement: &Statement, values: &[Value]) -> Result<u64, Error> {
        Ok(self.connection.execute(statement, &as_parameters(values)).await?)
    }

    /// The statement, prepared once for each connection.
    pub(crate) async fn prepared(&self, sql: &str) -> Result<Statement, Error> {
        Ok(self.connection.prepare_cached(sql).await?)
    }

    /// The only row that a statement finds, if it finds one.
    pub(crate) async fn row(&self, sql: &str, values: Vec<Value>) -> Result<Option<Row>, Error> {
        Ok(self.rows(sql, values).await?.pop())
    }

    /// The record in the first column of the only row.
    pub(crate) async fn fetch<R: Encode>(&self, sql: &str, values: Vec<Value>) -> Result<Option<R>, Error> {
        self.row(sql, values).await?.map(|row| row.record(0)).transpose()
    }

    /// The records in the first column.
    pub(crate) async fn list<R: Encode>(&self, sql: &str, values: Vec<Value>) -> Result<Vec<R>, Error> {
        self.rows(sql, values).await?.iter().map(|row| row.record(0)).collect()
    }

    /// The number in the only row.
    pub(crate) async fn count(&self, sql: &str, values: Vec<Value>) -> Result<u64, Error> {
        self.row(sql, values).await?.map_or(Ok(0), |row| row.number(0))
    }
}

fn as_parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}
