//! Stores in folders.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;
use voight_contract::{Capability, Factory, OpenError};
use voight_domain::ports::{Clock, Entropy, Store};
use voight_domain::secrets::PepperCommitment;
use voight_store::{DumpReader, OnDisk, StoreOptions, open, restore};

/// They are on engines of this kind.
pub(crate) struct Folders<E>(pub(crate) PhantomData<fn() -> E>);

impl<E: OnDisk> Factory for Folders<E> {
    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::DurableAck, Capability::OnlineBackup, Capability::OnlineVerify, Capability::SingleMoment]
    }

    fn open(&self, dir: &Path, clock: Arc<dyn Clock>, evidence_budget: u64) -> Result<Arc<dyn Store>, OpenError> {
        let options = StoreOptions { path: dir.join("voight.sled"), cache_bytes: 8 << 20, evidence_budget, reserve: 0 };
        Ok(open::<E>(&options, clock, &Fixed, PepperCommitment([7; 16]))?)
    }

    fn restore(&self, dir: &Path, backup: &[u8]) -> Result<(), OpenError> {
        restore::<E>(&mut DumpReader::open(backup)?, &dir.join("voight.sled"), &mut |_| {})?;
        Ok(())
    }
}

/// The suite never looks at a store's id.
struct Fixed;

impl Entropy for Fixed {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(1);
    }
}
