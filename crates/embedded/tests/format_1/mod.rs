//! Tests a store of format 1 on any engine: restored from its dump, read, migrated and used.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use voight_domain::ports::{AdminStore, Clock, Entropy, EvidenceStore};
use voight_domain::secrets::Pepper;
use voight_domain::vocabulary::{CheckId, Timestamp};
use voight_embedded::{
    DatabaseKind, DumpEntry, DumpReader, EmbeddedStore, FORMAT, OpenError, PersistentEngine, Sidecar, StoreOptions,
    dump_store, open, restore, verify,
};

const DUMP: &[u8] = include_bytes!("../fixtures/format-1.dump");
/// Time at which the store was filled.
const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);
/// Retention in days of its four contexts with evidence. Their checks were opened that many hours before.
const DAYS: [u8; 4] = [10, 11, 20, 21];
/// Maximum retention of evidence, without a limit.
const EVER: Duration = Duration::MAX;

struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        NOW
    }
}

impl Entropy for FixedClock {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(1);
    }
}

/// Restores the dump on the engine `E`, and tests that the migration loses nothing.
pub(crate) fn is_brought_to_this_format<E: PersistentEngine>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    restore::<E>(&mut DumpReader::open(DUMP).unwrap(), &path, &mut |_| {}).unwrap();
    assert_eq!(
        (count_records::<E>(&path), dump::<E>(&path).as_slice()),
        (1, DUMP),
        "it is left as it is until it is opened"
    );
    let store = opened::<E>(&path).unwrap();
    assert_eq!(store.info().format, FORMAT);
    drop(store);
    assert_eq!(count_records::<E>(&path), FORMAT);
    assert_eq!(Sidecar::for_store(&path).read().unwrap().map(|known| known.format()), Some(FORMAT));
    assert!(
        others(&dump::<E>(&path)) == others(DUMP),
        "something has changed besides the meters, the claims and the end of the audit log"
    );
    assert_eq!(claims(&dump::<E>(&path)), claims(DUMP));
    let backup = backups(folder.path());
    assert_eq!(backup.iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>(), [DUMP]);
    evidence_ends(&opened::<E>(&path).unwrap());
    assert_eq!((count_records::<E>(&path), backups(folder.path())), (FORMAT, backup), "it is brought there once");
}

/// Tests that the backup of the migration is a valid store of format 1.
pub(crate) fn comes_back_from_the_backup<E: PersistentEngine>() {
    let folder = tempfile::tempdir().unwrap();
    let [path, again] = ["store", "again"].map(|name| folder.path().join(name));
    restore::<E>(&mut DumpReader::open(DUMP).unwrap(), &path, &mut |_| {}).unwrap();
    drop(opened::<E>(&path).unwrap());
    let backup = fs::read(&backups(folder.path())[0]).unwrap();
    restore::<E>(&mut DumpReader::open(backup.as_slice()).unwrap(), &again, &mut |_| {}).unwrap();
    drop(opened::<E>(&again).unwrap());
    assert!(dump::<E>(&again) == dump::<E>(&path), "two stores from one dump differ");
}

/// Tests that the evidence of each check is deleted at its own expiry.
fn evidence_ends<E: PersistentEngine>(store: &EmbeddedStore<E>) {
    for days in DAYS {
        let opened_at = NOW.saturating_sub(Duration::from_hours(days.into()));
        let end = opened_at.saturating_add(Duration::from_hours(24 * u64::from(days)));
        let batches = || block_on(store.batches(CheckId::new(opened_at, [days; 10]))).unwrap().len();
        assert_eq!((block_on(store.evict(end, EVER, 9)), batches()), (Ok(0), 2), "{days} days");
        let after = end.saturating_add(Duration::from_millis(1));
        assert_eq!((block_on(store.evict(after, EVER, 9)), batches()), (Ok(1), 0), "{days} days");
    }
}

fn opened<E: PersistentEngine>(path: &Path) -> Result<Arc<EmbeddedStore<E>>, OpenError> {
    let options = StoreOptions {
        path: path.to_owned(),
        cache_bytes: 4 << 20,
        evidence_max_bytes: 1 << 20,
        reserved_free_bytes: 0,
    };
    open(&options, Arc::new(FixedClock), &FixedClock, Pepper::from_bytes([7; 32]).commitment())
}

/// Verifies that the store is undamaged and returns its format.
fn count_records<E: PersistentEngine>(path: &Path) -> u32 {
    let (identity, report) = verify::<E>(path, &mut |_| {}).unwrap();
    assert_eq!(report.damage, []);
    identity.unwrap().format()
}

fn dump<E: PersistentEngine>(path: &Path) -> Vec<u8> {
    let mut out = Vec::new();
    dump_store::<E>(path, &mut out).unwrap();
    out
}

/// Returns all records that the migration keeps. Excluded are meters, which have a new layout, idempotency records,
/// which have new keys, and the head of the audit log, which is new.
fn others(dump: &[u8]) -> Vec<DumpEntry> {
    let is_other =
        |entry: &DumpEntry| entry.part == DatabaseKind::Main && ![15, 18, 19, 21, 39].contains(&entry.key[0]);
    entries(dump).into_iter().filter(is_other).collect()
}

/// Returns the idempotency records by client and digest, without the rest of their keys.
fn claims(dump: &[u8]) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let claims = entries(dump).into_iter().filter(|entry| [18, 39].contains(&entry.key[0]));
    claims.map(|entry| (entry.key[entry.key.len() - 20..].to_vec(), entry.record().to_vec())).collect()
}

fn entries(dump: &[u8]) -> Vec<DumpEntry> {
    let mut dump = DumpReader::open(dump).unwrap();
    std::iter::from_fn(|| dump.next_entry().unwrap()).collect()
}

fn backups(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.to_string_lossy().contains("before-format")).collect()
}

fn block_on<T>(call: impl Future<Output = T>) -> T {
    let mut call = pin!(call);
    loop {
        if let Poll::Ready(value) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
        std::thread::yield_now();
    }
}
