//! The contract suite on the embedded store over a plain map: what fails here has nothing to do with a database.

mod map_engine;

use map_engine::MapEngine;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use voight_contract::{Capability, Factory, OpenError, Suite};
use voight_domain::ports::{Clock, Store};
use voight_domain::secrets::PepperCommitment;
use voight_memory::MemoryStore;
use voight_store::{EmbeddedStore, Founding, Parts, establish, join};

/// Remembers the maps of every directory, so that opening one again finds what was written.
#[derive(Default)]
struct Maps(Mutex<HashMap<PathBuf, (MapEngine, MapEngine)>>);

impl Factory for Maps {
    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::DurableAck, Capability::OnlineVerify]
    }

    fn open(&self, dir: &Path, clock: Arc<dyn Clock>, evidence_budget: u64) -> Result<Arc<dyn Store>, OpenError> {
        let (main, evidence) =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(dir.to_owned()).or_default().clone();
        let founding = Founding { pepper: PepperCommitment([7; 16]), now: clock.now(), entropy: [1; 10] };
        let identity = establish(&main, None, &founding, ("map", "map.id"))?;
        join(&evidence, &identity, "map.evidence")?;
        Ok(Arc::new(EmbeddedStore::start(Parts { main, evidence, identity, clock, evidence_budget })?))
    }
}

fn main() -> ExitCode {
    // No disk is in the way, so this is where the volume of histories is run.
    Suite::of(Maps::default()).against(|clock, budget| Arc::new(MemoryStore::new(clock, budget))).histories(2000).run()
}
