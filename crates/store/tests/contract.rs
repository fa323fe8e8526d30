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
use voight_store::{DumpReader, EmbeddedStore, Founding, Part, Parts, establish, join};

const PEPPER: PepperCommitment = PepperCommitment([7; 16]);

/// Remembers the maps of every directory, so that opening one again finds what was written.
#[derive(Default)]
struct Maps(Mutex<HashMap<PathBuf, (MapEngine, MapEngine)>>);

impl Factory for Maps {
    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::DurableAck, Capability::OnlineBackup, Capability::OnlineVerify]
    }

    fn open(&self, dir: &Path, clock: Arc<dyn Clock>, evidence_budget: u64) -> Result<Arc<dyn Store>, OpenError> {
        let (main, evidence) =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(dir.to_owned()).or_default().clone();
        let founding = Founding { pepper: PEPPER, now: clock.now(), entropy: [1; 10] };
        let identity = establish(&main, None, &founding, ("map", "map.id"))?;
        join(&evidence, &identity, "map.evidence")?;
        Ok(Arc::new(EmbeddedStore::start(Parts { main, evidence, identity, clock, evidence_budget })?))
    }

    fn restore(&self, dir: &Path, backup: &[u8]) -> Result<(), OpenError> {
        let mut dump = DumpReader::open(backup)?;
        let founding = Founding { pepper: PEPPER, now: dump.identity().created_at(), entropy: [1; 10] };
        let (main, evidence) = <(MapEngine, MapEngine)>::default();
        let identity = establish(&main, None, &founding, ("map", "map.id"))?;
        join(&evidence, &identity, "map.evidence")?;
        while let Some(entry) = dump.next_entry()? {
            let map = if entry.part == Part::Main { &main } else { &evidence };
            map.tamper(|map| drop(map.insert(entry.key, entry.value)));
        }
        dump.summary().ok_or("the backup has no end")?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(dir.to_owned(), (main, evidence));
        Ok(())
    }
}

fn main() -> ExitCode {
    // No disk is in the way, so this is where the volume of histories is run.
    Suite::of(Maps::default()).against(|clock, budget| Arc::new(MemoryStore::new(clock, budget))).histories(2000).run()
}
