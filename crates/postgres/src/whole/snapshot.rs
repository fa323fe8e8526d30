//! A store as it is at one moment.

use super::sections::SECTIONS;
use super::{RecordVisitor, StoreIdentity};
use crate::connect::{OpenError, PostgresUrl};
use crate::error::Error;
use crate::line::MaintenanceConnection;
use crate::schema::spread::DISTRIBUTED_TABLES;
use crate::schema::{in_open, is_distributed, refuse_unless_current};
use crate::sql::{citus, schema, session, whole};
use crate::step::Transaction;
use crate::value::{RowExt, values};
use std::ops::ControlFlow;
use std::sync::Arc;
use ulid::Ulid;
use voight_domain::ports::Clock;
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::{ClientId, Timestamp};

/// A whole store, whether processes are at work on it or not. Nothing is written to it.
pub struct StoreSnapshot {
    line: MaintenanceConnection,
    step: Transaction,
    identity: StoreIdentity,
    moment: Moment,
}

/// The moment that the records of a snapshot are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// One.
    Single,
    /// One, because nothing was written until all was read.
    Quiesced,
    /// Several: what was written meanwhile may be there in part.
    Several,
}

impl StoreSnapshot {
    /// Of the store at `url`. With `quiesce` a distributed store takes no writes until all is read; without, its machines are read at
    /// moments of their own. Refused where no store is, and where tables are of another version. Blocking.
    pub fn open(url: &PostgresUrl, clock: Arc<dyn Clock>, quiesce: bool) -> Result<Self, OpenError> {
        let line = MaintenanceConnection::connect(url, clock)?;
        let step = line.step()?;
        let (identity, moment) = line.runtime.block_on(begin(&step, url, quiesce))?;
        Ok(Self { line, step, identity, moment })
    }

    /// The moment that the records are of.
    pub const fn moment(&self) -> Moment {
        self.moment
    }

    /// Who the store is.
    pub const fn identity(&self) -> &StoreIdentity {
        &self.identity
    }

    /// Shows every record to `visit`, holding a few at a time. Blocking.
    pub fn for_each(self, visit: &mut RecordVisitor<'_>) -> Result<(), OpenError> {
        let seen = self.line.runtime.block_on(async {
            match read(&self.step, visit).await? {
                ControlFlow::Continue(()) => self.step.batch_execute(session::COMMIT).await,
                // What is still on its way is not waited for.
                ControlFlow::Break(()) => Ok(()),
            }
        });
        seen.map_err(|error| in_open(&self.line.url, error))
    }
}

async fn begin(step: &Transaction, url: &PostgresUrl, quiesce: bool) -> Result<(StoreIdentity, Moment), OpenError> {
    let failed = |error| in_open(url, error);
    refuse_unless_current(step, url).await?;
    let moment = match (is_distributed(step).await.map_err(failed)?, quiesce) {
        (false, _) => Moment::Single,
        (true, true) => Moment::Quiesced,
        (true, false) => Moment::Several,
    };
    begin_at(step, moment).await.map_err(failed)?;
    let identity = identity(step).await.map_err(failed)?;
    Ok((identity.ok_or_else(|| OpenError::Missing { place: url.to_string() })?, moment))
}

/// Begins the transaction. The machines of a cluster have no moment in common, so one that is asked for is made by holding up writes.
async fn begin_at(step: &Transaction, moment: Moment) -> Result<(), Error> {
    let begin = if moment == Moment::Quiesced { session::BEGIN } else { session::BEGIN_SNAPSHOT };
    step.batch_execute(begin).await?;
    if moment != Moment::Single {
        step.batch_execute(citus::SEQUENTIAL).await?;
    }
    step.batch_execute(session::UNHURRIED).await?;
    if moment == Moment::Quiesced {
        let tables = DISTRIBUTED_TABLES.map(|(table, _)| table).join(", ");
        step.batch_execute(citus::WAIT_FOR_WRITES).await?;
        step.batch_execute(&format!("LOCK TABLE {tables} IN SHARE MODE")).await?;
    }
    Ok(())
}

/// Who the store is; `None` where there are tables and no store yet.
pub(super) async fn identity(step: &Transaction) -> Result<Option<StoreIdentity>, Error> {
    let Some(row) = step.row(schema::IDENTITY, Vec::new()).await? else { return Ok(None) };
    Ok(Some(StoreIdentity {
        id: Ulid::from_bytes(row.byte_array(0)?),
        created_at: Timestamp::from_millis(row.column(1)?),
        pepper: PepperCommitment(row.byte_array(2)?),
    }))
}

/// Shows every record to `visit`, in the order of the keys; whether it has seen them all.
pub(super) async fn read(step: &Transaction, visit: &mut RecordVisitor<'_>) -> Result<ControlFlow<()>, Error> {
    let rows = step.rows(whole::CLIENT_NUMBERS, Vec::new()).await?;
    let clients = rows.iter().map(|row| Ok((row.number(0)?, ClientId::from_bytes(row.byte_array(1)?))));
    let clients = clients.collect::<Result<Vec<_>, Error>>()?;
    for section in &SECTIONS {
        if !section.is_of_clients {
            if section.read(step, None, Vec::new(), visit).await?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            continue;
        }
        for (number, client) in &clients {
            if section.read(step, Some(*number), values![*client], visit).await?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}
