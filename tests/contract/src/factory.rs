//! Interface of an adapter to the suite.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use voight_domain::ports::{Clock, Store};

/// Error of opening a store; the suite only prints it.
pub type FactoryError = Box<dyn Error + Send + Sync>;

/// Factory of stores of one kind.
pub trait StoreFactory: Send + Sync + 'static {
    /// Returns the capabilities of the stores. Cases that need others are listed as ignored.
    fn capabilities(&self) -> &'static [Capability];

    /// Opens or creates the store in `dir`, a directory of this store alone.
    ///
    /// The store must read the time from `clock` only, and hold at most `evidence_max_bytes` bytes of evidence. Blocking.
    /// Once the last `Arc` of a store is dropped, its directory can be opened again.
    fn open(
        &self,
        dir: &Path,
        clock: Arc<dyn Clock>,
        evidence_max_bytes: u64,
    ) -> Result<Arc<dyn Store>, FactoryError>;

    /// Restores a backup to a store in the empty directory `dir`.
    ///
    /// Called only for stores with [`Capability::OnlineBackup`], with backups of the same kind of store. Blocking.
    fn restore(&self, _dir: &Path, _backup: &[u8]) -> Result<(), FactoryError> {
        Err("this factory does not implement `restore`".into())
    }
}

/// Optional capability of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// Acknowledged writes exist after the directory is reopened.
    DurableAck,
    /// A directory can be opened several times concurrently; all handles are nodes of one store.
    MultiNode,
    /// The store scrubs its records while it is in use.
    OnlineVerify,
    /// The store can be backed up while it is in use.
    OnlineBackup,
    /// A call that reads rows of several clients, or of a client and of the complete store, reads one snapshot. A store that
    /// is distributed over several machines reads a separate snapshot of each.
    SingleMoment,
}

impl Capability {
    /// Returns the name of the capability, which is shown with cases that need it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DurableAck => "durable_ack",
            Self::MultiNode => "multi_node",
            Self::OnlineVerify => "online_verify",
            Self::OnlineBackup => "online_backup",
            Self::SingleMoment => "single_moment",
        }
    }
}

/// Creates an empty store of the reference model with this clock and this evidence budget in bytes.
pub type Model = fn(Arc<dyn Clock>, u64) -> Arc<dyn Store>;
