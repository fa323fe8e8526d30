//! Export of a store from one snapshot.

use super::export::export_of;
use super::{RecordVisitor, StoreIdentity};
use crate::blocking_connection::BlockingConnection;
use crate::connect::{OpenError, PostgresUrl};
use crate::connection::Transaction;
use crate::error::Error;
use crate::schema::{ensure_current, in_open, is_distributed};
use crate::sql::tables::DISTRIBUTED_TABLES;
use crate::sql::{citus, dump, schema, session};
use crate::value::{RowExt, values};
use std::ops::ControlFlow;
use std::sync::Arc;
use ulid::Ulid;
use voight_domain::ports::Clock;
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::{ClientId, Timestamp};
use voight_encoding::keyspace::Table;

/// Read-only snapshot of a complete store. Servers may use the store meanwhile.
pub struct StoreSnapshot {
    connection: BlockingConnection,
    transaction: Transaction,
    identity: StoreIdentity,
    moment: Moment,
}

/// Handling of writes to a distributed store while a snapshot of it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConcurrentWrites {
    /// Writes continue, so the servers are read at different points in time.
    Allowed,
    /// Writes wait until all records are read, so the snapshot is of a single point in time.
    Blocked,
}

/// Consistency of the records of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Single point in time.
    Single,
    /// Single point in time, because writes were blocked until all records were read.
    Quiesced,
    /// Several points in time: concurrent writes may be contained in part.
    Several,
}

impl StoreSnapshot {
    /// Opens a snapshot of the store at `url`. Blocks the current thread.
    ///
    /// Of a store that is not distributed, the snapshot is of a single point in time without blocking writes.
    ///
    /// # Errors
    ///
    /// No store at `url`, or tables of another version.
    pub fn open(
        url: &PostgresUrl,
        clock: Arc<dyn Clock>,
        writes: ConcurrentWrites,
    ) -> Result<Self, OpenError> {
        let connection = BlockingConnection::connect(url, clock)?;
        let transaction = connection.transaction()?;
        let (identity, moment) = connection
            .runtime
            .block_on(begin(&transaction, url, writes))?;
        Ok(Self {
            connection,
            transaction,
            identity,
            moment,
        })
    }

    /// Returns the consistency of the records.
    pub const fn moment(&self) -> Moment {
        self.moment
    }

    /// Returns the identity of the store.
    pub const fn identity(&self) -> &StoreIdentity {
        &self.identity
    }

    /// Passes every record to `visit` in key order, with bounded memory. Blocks the current thread.
    pub fn for_each(self, visit: &mut RecordVisitor<'_>) -> Result<(), OpenError> {
        let visit_result = self.connection.runtime.block_on(async {
            match read(&self.transaction, visit).await? {
                ControlFlow::Continue(()) => self.transaction.batch_execute(session::COMMIT).await,
                // Rows in flight are not awaited; the connection is closed.
                ControlFlow::Break(()) => Ok(()),
            }
        });
        visit_result.map_err(|error| in_open(&self.connection.url, error))
    }
}

async fn begin(
    transaction: &Transaction,
    url: &PostgresUrl,
    writes: ConcurrentWrites,
) -> Result<(StoreIdentity, Moment), OpenError> {
    let open_error = |error| in_open(url, error);
    ensure_current(transaction, url).await?;
    let moment = match (
        is_distributed(transaction).await.map_err(open_error)?,
        writes,
    ) {
        (false, _) => Moment::Single,
        (true, ConcurrentWrites::Blocked) => Moment::Quiesced,
        (true, ConcurrentWrites::Allowed) => Moment::Several,
    };
    begin_at(transaction, moment).await.map_err(open_error)?;
    let identity = identity(transaction).await.map_err(open_error)?;
    Ok((
        identity.ok_or_else(|| OpenError::Missing {
            place: url.to_string(),
        })?,
        moment,
    ))
}

/// Begins the transaction. Servers of a cluster share no snapshot, so a single point in time requires blocked writes.
async fn begin_at(transaction: &Transaction, moment: Moment) -> Result<(), Error> {
    let begin = if moment == Moment::Quiesced {
        session::BEGIN
    } else {
        session::BEGIN_SNAPSHOT
    };
    transaction.batch_execute(begin).await?;
    if moment != Moment::Single {
        transaction.batch_execute(citus::SEQUENTIAL).await?;
    }
    transaction.batch_execute(session::UNHURRIED).await?;
    if moment == Moment::Quiesced {
        let tables = DISTRIBUTED_TABLES
            .iter()
            .map(|(table, _)| *table)
            .collect::<Vec<_>>()
            .join(", ");
        transaction.batch_execute(citus::WAIT_FOR_WRITES).await?;
        transaction
            .batch_execute(&format!("LOCK TABLE {tables} IN SHARE MODE"))
            .await?;
    }
    Ok(())
}

/// Reads the identity of the store; `None` if the tables exist without a store.
pub(super) async fn identity(transaction: &Transaction) -> Result<Option<StoreIdentity>, Error> {
    let Some(row) = transaction.row(schema::IDENTITY, Vec::new()).await? else {
        return Ok(None);
    };
    Ok(Some(StoreIdentity {
        id: Ulid::from_bytes(row.byte_array(0)?),
        created_at: Timestamp::from_millis(row.column(1)?),
        pepper: PepperCommitment(row.byte_array(2)?),
    }))
}

/// Passes every record to `visit` in key order; returns `Continue` if all were read.
pub(super) async fn read(
    transaction: &Transaction,
    visit: &mut RecordVisitor<'_>,
) -> Result<ControlFlow<()>, Error> {
    let rows = transaction.rows(dump::CLIENT_NUMBERS, Vec::new()).await?;
    let clients = rows
        .iter()
        .map(|row| Ok((row.number(0)?, ClientId::from_bytes(row.byte_array(1)?))));
    let clients = clients.collect::<Result<Vec<_>, Error>>()?;
    for section in Table::ALL.iter().filter_map(|table| export_of(*table)) {
        if !section.is_of_client {
            if section
                .read(transaction, None, Vec::new(), visit)
                .await?
                .is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
            continue;
        }
        for (number, client) in &clients {
            if section
                .read(transaction, Some(*number), values![*client], visit)
                .await?
                .is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}
