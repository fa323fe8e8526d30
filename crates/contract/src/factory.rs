//! What an adapter tells the suite about itself.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use voight_domain::ports::{Clock, Store};

/// Why a store could not be opened; the suite only prints it.
pub type FactoryError = Box<dyn Error + Send + Sync>;

/// Opens stores of one kind.
pub trait StoreFactory: Send + Sync + 'static {
    /// What stores of this kind can do; cases that ask for more are reported as ignored, by name.
    fn capabilities(&self) -> &'static [Capability];

    /// Opens the store in `dir`, a directory of this store alone, and creates it if it is not there. It reads the time
    /// from `clock` only, and keeps at most `evidence_budget` bytes of evidence.
    ///
    /// Blocking. When the last `Arc` of a store has been dropped, the same directory can be opened again.
    fn open(&self, dir: &Path, clock: Arc<dyn Clock>, evidence_budget: u64) -> Result<Arc<dyn Store>, FactoryError>;

    /// Builds a store in `dir`, an empty directory, from a backup of one of this kind. Only stores with
    /// [`Capability::OnlineBackup`] are asked.
    ///
    /// Blocking.
    fn restore(&self, _dir: &Path, _backup: &[u8]) -> Result<(), FactoryError> {
        Err("this store's test does not say how a backup is restored".into())
    }
}

/// Something that not every store can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// What it has acknowledged is there when its directory is opened again.
    DurableAck,
    /// A directory may be opened more than once at the same time; all are one store.
    MultiNode,
    /// It looks through its records while it is in use.
    OnlineVerify,
    /// It can be backed up while it is in use.
    OnlineBackup,
    /// A call that reads rows of several clients, or of a client and of the whole store, reads one moment. A store that is
    /// spread over several machines reads each of them at a moment of its own.
    SingleMoment,
}

impl Capability {
    /// Its name, as it is shown beside a case that needs it.
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
