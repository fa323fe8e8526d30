//! Stores in directories.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;
use voight_contract::{Capability, FactoryError, StoreFactory};
use voight_domain::ports::{Clock, Store};
use voight_domain::secrets::PepperCommitment;
use voight_embedded::{DumpReader, StoreOptions, open, restore};
use voight_engine::PersistentEngine;
use voight_support::FixedEntropy;

/// Factory of stores on engines of type `E`.
pub(crate) struct DirectoryStoreFactory<E>(pub(crate) PhantomData<fn() -> E>);

impl<E: PersistentEngine> StoreFactory for DirectoryStoreFactory<E> {
    fn capabilities(&self) -> &'static [Capability] {
        &[
            Capability::DurableAck,
            Capability::OnlineBackup,
            Capability::OnlineVerify,
            Capability::SingleMoment,
        ]
    }

    fn open(
        &self,
        dir: &Path,
        clock: Arc<dyn Clock>,
        evidence_max_bytes: u64,
    ) -> Result<Arc<dyn Store>, FactoryError> {
        let options = StoreOptions {
            path: dir.join("voight.sled"),
            cache_bytes: 8 << 20,
            evidence_max_bytes,
            reserved_free_bytes: 0,
        };
        Ok(open::<E>(
            &options,
            clock,
            &FixedEntropy(1),
            PepperCommitment([7; 16]),
        )?)
    }

    fn restore(&self, dir: &Path, backup: &[u8]) -> Result<(), FactoryError> {
        restore::<E>(
            &mut DumpReader::open(backup)?,
            &dir.join("voight.sled"),
            &mut |_| {},
        )?;
        Ok(())
    }
}
