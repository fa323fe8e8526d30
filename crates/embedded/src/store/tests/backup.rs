//! Tests backups of a store in use: the order of the snapshots, and damage.

use super::{fill, open};
use crate::{
    EmbeddedStore, FORMAT, IdentityInit, StoreLocation, StoreParts, attach_database, load_or_create,
};
use std::io;
use std::sync::{Arc, Mutex};
use voight_domain::ports::{AdminStore, Health, StoreError};
use voight_domain::secrets::PepperCommitment;
use voight_engine::testing::{FaultyEngine, MapEngine, Snapshot};
use voight_engine::{Batch, Engine, EngineError};

/// Map engine that records its name with every snapshot.
struct Watched(MapEngine, &'static str, Arc<Mutex<Vec<&'static str>>>);

impl Engine for Watched {
    type Snapshot = Snapshot;

    fn name(&self) -> &'static str {
        self.1
    }

    fn snapshot(&self) -> Result<Snapshot, EngineError> {
        self.2.lock().unwrap().push(self.1);
        self.0.snapshot()
    }

    fn apply(&self, batch: &Batch) -> Result<(), EngineError> {
        self.0.apply(batch)
    }

    fn recover(&self) -> Result<(), EngineError> {
        self.0.recover()
    }
}

/// Tests that evidence is read first. In the reverse order, a check judged in between would be marked as judged without
/// a conclusion.
#[test]
fn evidence_snapshot_is_taken_first() {
    let snapshot_order = Arc::default();
    let recording_engine = |name| Watched(MapEngine::default(), name, Arc::clone(&snapshot_order));
    let main = recording_engine("main");
    let evidence = recording_engine("evidence");
    let identity_init = IdentityInit {
        pepper: PepperCommitment([7; 16]),
        now: super::NOW,
        entropy: [1; 10],
        format: FORMAT,
    };
    let identity = load_or_create(
        &main,
        None,
        &identity_init,
        StoreLocation {
            place: "map",
            sidecar: "map.id",
        },
    )
    .unwrap();
    attach_database(&evidence, &identity, "map.evidence").unwrap();
    let parts = StoreParts {
        main,
        evidence,
        identity,
        clock: Arc::new(super::FixedClock),
        evidence_max_bytes: 1 << 20,
    };
    let store = EmbeddedStore::start(parts).unwrap();
    snapshot_order.lock().unwrap().clear();
    assert_eq!(store.backup(&mut io::sink()), Ok(0));
    assert_eq!(*snapshot_order.lock().unwrap(), ["evidence", "main"]);
}

#[test]
fn damage_found_by_backup_stops_store() {
    let main = FaultyEngine::default();
    let evidence = FaultyEngine::default();
    let store = open(&main, &evidence);
    fill(&store);
    main.modify_entries(|map| {
        let (_, last) = map.iter_mut().next_back().unwrap();
        last[0] ^= 1;
    });
    let mut out = Vec::new();
    assert!(matches!(
        store.backup(&mut out),
        Err(StoreError::Corrupt(_))
    ));
    assert!(matches!(store.health(), Health::Failed(_)));
    assert!(
        crate::DumpReader::open(out.as_slice()).is_ok_and(|mut dump| {
            while let Ok(Some(_)) = dump.next_entry() {}
            dump.summary().is_none()
        })
    );
}
