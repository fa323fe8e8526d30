//! Exports the database as a dump from one snapshot, and imports a dump into an empty database.
//!
//! The keys of a dump contain numbers of clients and contexts where the tables contain ids, and a dump has index
//! records that only lead from one key to another. `export.rs` reads each table of a dump from the tables of the
//! database, and `import.rs` writes the tables from a dump.

mod copy_buffer;
mod export;
mod import;
mod restore;
mod snapshot;

pub(crate) use export::share;
pub use restore::StagedRestore;
pub use snapshot::{ConcurrentWrites, Moment, StoreSnapshot};

use std::ops::ControlFlow;
use ulid::Ulid;
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::Timestamp;

/// Identity of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreIdentity {
    /// Id of the store.
    pub id: Ulid,
    /// Creation time.
    pub created_at: Timestamp,
    /// Commitment to its pepper.
    pub pepper: PepperCommitment,
}

/// Callback that receives the keys and records of a store in key order, until it breaks.
pub type RecordVisitor<'a> = dyn FnMut(&[u8], Vec<u8>) -> ControlFlow<()> + 'a;
