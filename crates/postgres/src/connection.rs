//! Transaction as its body sees it: immediate statements, and writes that are sent with the commit.

use crate::error::Error;
use crate::pipeline::join_in_order;
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
use voight_encoding::Encode;

/// Client id of data that belongs to no client, or to an unknown one.
pub(crate) const NO_CLIENT: [u8; 16] = [0; 16];

/// Write that is sent with the commit.
pub(crate) type Write = (&'static str, Vec<Value>);

/// Open transaction, or a single read without one, on a connection of the pool.
pub(crate) struct Transaction {
    connection: Object,
    clock: Arc<dyn Clock>,
    writes: Mutex<Vec<Write>>,
    has_changed: AtomicBool,
    client: OnceLock<ClientId>,
}

impl Transaction {
    /// Creates a transaction on this connection; sends nothing.
    pub(crate) fn new(connection: Object, clock: Arc<dyn Clock>) -> Self {
        Self {
            connection,
            clock,
            writes: Mutex::default(),
            has_changed: AtomicBool::default(),
            client: OnceLock::new(),
        }
    }

    /// Returns the connection to the pool. No transaction may be open on it.
    pub(crate) fn release(self) {
        drop(self.connection);
    }

    /// Rolls the transaction back and returns the connection to the pool.
    pub(crate) async fn roll_back(self) {
        match self.batch_execute(session::ROLLBACK).await {
            Ok(()) => self.release(),
            Err(_) => self.discard(),
        }
    }

    /// Closes the connection. After an error, a timeout or a panic the state of its session is unknown.
    pub(crate) fn discard(self) {
        drop(Object::take(self.connection));
    }

    /// Runs statements without parameters. They are sent when the future is first polled.
    pub(crate) async fn batch_execute(&self, sql: &str) -> Result<(), Error> {
        Ok(self.connection.batch_execute(sql).await?)
    }

    /// Returns the current time.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Sets the client whose data changes, so that the commit marker is stored on the same server.
    pub(crate) fn set_client(&self, client: ClientId) {
        let _ = self.client.set(client);
    }

    /// Returns the client whose data the transaction changes, or [`NO_CLIENT`] if none was set.
    pub(crate) fn client_id(&self) -> ClientId {
        self.client
            .get()
            .copied()
            .unwrap_or_else(|| ClientId::from_bytes(NO_CLIENT))
    }

    /// Enqueues a write for the end of the transaction.
    ///
    /// All enqueued writes and the commit are pipelined. Reads of the body do not see them.
    pub(crate) fn enqueue_write(&self, sql: &'static str, values: Vec<Value>) {
        self.writes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((sql, values));
    }

    /// Returns `true` if the transaction has anything to commit.
    pub(crate) fn has_written(&self) -> bool {
        self.has_changed.load(Ordering::Relaxed)
            || !self
                .writes
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .is_empty()
    }

    /// Takes the [enqueued](Self::enqueue_write) writes.
    pub(crate) fn take_writes(&self) -> Vec<Write> {
        std::mem::take(&mut self.writes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the rows of a query.
    pub(crate) async fn rows(&self, sql: &str, values: Vec<Value>) -> Result<Vec<Row>, Error> {
        let statement = self.prepared(sql).await?;
        self.query(&statement, &values).await
    }

    /// Returns the rows of a prepared query. The query is sent when the future is first polled.
    pub(crate) async fn query(
        &self,
        statement: &Statement,
        values: &[Value],
    ) -> Result<Vec<Row>, Error> {
        Ok(self
            .connection
            .query(statement, &as_parameters(values))
            .await?)
    }

    /// Returns the rows of several queries, which are sent in one flight and run in order.
    pub(crate) async fn pipelined_rows(&self, reads: &[Write]) -> Result<Vec<Vec<Row>>, Error> {
        let mut statements = Vec::with_capacity(reads.len());
        for (sql, values) in reads {
            statements.push((self.prepared(sql).await?, values));
        }
        let queries = statements
            .iter()
            .map(|(statement, values)| self.query(statement, values));
        join_in_order(queries).await.into_iter().collect()
    }

    /// Returns the rows of a query as a stream.
    pub(crate) async fn stream(&self, sql: &str, values: Vec<Value>) -> Result<RowStream, Error> {
        let statement = self.prepared(sql).await?;
        Ok(self.connection.query_raw(&statement, values).await?)
    }

    /// Starts `COPY … FROM STDIN BINARY` into a table with columns of these types.
    pub(crate) async fn copy_in(
        &self,
        sql: &str,
        types: &[Type],
    ) -> Result<BinaryCopyInWriter, Error> {
        Ok(BinaryCopyInWriter::new(
            self.connection.copy_in(sql).await?,
            types,
        ))
    }

    /// Runs a statement at once and returns the number of changed rows. Later reads see the change.
    ///
    /// A write whose count does not matter is better [enqueued](Self::enqueue_write).
    pub(crate) async fn execute_sql(&self, sql: &str, values: Vec<Value>) -> Result<u64, Error> {
        let statement = self.prepared(sql).await?;
        self.has_changed.store(true, Ordering::Relaxed);
        self.execute(&statement, &values).await
    }

    /// Runs a statement that changes at most one row, and returns its `RETURNING` columns.
    pub(crate) async fn query_opt(
        &self,
        sql: &str,
        values: Vec<Value>,
    ) -> Result<Option<Row>, Error> {
        self.has_changed.store(true, Ordering::Relaxed);
        self.row(sql, values).await
    }

    /// Runs a prepared statement and returns the number of changed rows. Sent when the future is first polled.
    pub(crate) async fn execute(
        &self,
        statement: &Statement,
        values: &[Value],
    ) -> Result<u64, Error> {
        Ok(self
            .connection
            .execute(statement, &as_parameters(values))
            .await?)
    }

    /// Returns the prepared statement, which each connection caches.
    pub(crate) async fn prepared(&self, sql: &str) -> Result<Statement, Error> {
        Ok(self.connection.prepare_cached(sql).await?)
    }

    /// Returns the only row of a query, if any.
    pub(crate) async fn row(&self, sql: &str, values: Vec<Value>) -> Result<Option<Row>, Error> {
        Ok(self.rows(sql, values).await?.pop())
    }

    /// Returns the record in the first column of the only row, if any.
    pub(crate) async fn fetch<R: Encode>(
        &self,
        sql: &str,
        values: Vec<Value>,
    ) -> Result<Option<R>, Error> {
        self.row(sql, values)
            .await?
            .map(|row| row.record(0))
            .transpose()
    }

    /// Returns the records in the first column of all rows.
    pub(crate) async fn list<R: Encode>(
        &self,
        sql: &str,
        values: Vec<Value>,
    ) -> Result<Vec<R>, Error> {
        self.rows(sql, values)
            .await?
            .iter()
            .map(|row| row.record(0))
            .collect()
    }

    /// Returns the number in the first column of the only row.
    pub(crate) async fn count(&self, sql: &str, values: Vec<Value>) -> Result<u64, Error> {
        self.row(sql, values)
            .await?
            .map_or(Ok(0), |row| row.number(0))
    }
}

fn as_parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values
        .iter()
        .map(|value| value as &(dyn ToSql + Sync))
        .collect()
}
