//! Tests redb as an engine: order, atomicity, and reopening in place.

use redb::backends::InMemoryBackend;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use voight_engine::{Engine, EngineError, Order, Read as _};
use voight_redb::{RedbEngine, StorageBackend};
use voight_support::embedded::laws::{batch, get, range};

#[test]
fn reopening_in_place_ends_old_snapshots() {
    let folder = tempfile::tempdir().unwrap();
    let engine = RedbEngine::open(&folder.path().join("engine"), 1 << 20).unwrap();
    // More data than the cache holds, so that the old snapshot must read from the file.
    let large: Vec<_> = (0..4000).map(|number| format!("key {number:05}")).collect();
    let value = "v".repeat(1000);
    engine
        .apply(&batch(
            &large
                .iter()
                .map(|key| (key.as_str(), Some(value.as_str())))
                .collect::<Vec<_>>(),
        ))
        .unwrap();
    let old = engine.snapshot().unwrap();
    engine.recover().unwrap();
    let read_errors = large
        .iter()
        .filter_map(|key| get(&old, key).err())
        .collect::<Vec<_>>();
    assert!(
        !read_errors.is_empty() && read_errors.iter().all(|error| *error == EngineError::Stale),
        "{read_errors:?}"
    );
    engine.apply(&batch(&[("new", Some("1"))])).unwrap();
    let view = engine.snapshot().unwrap();
    assert_eq!(
        range(&view, ("key", "kez"), Order::Ascending, usize::MAX).len(),
        large.len()
    );
    assert_eq!(get(&view, "new"), Ok(Some(b"1".to_vec())));
}

/// File in memory. Clones share the content.
#[derive(Debug, Clone, Default)]
struct SharedFile(Arc<InMemoryBackend>);

impl StorageBackend for SharedFile {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.write(offset, data)
    }
}

#[test]
fn backend_data_survives_reopening() {
    let place = Path::new("memory");
    let backend = SharedFile::default();
    let engine = RedbEngine::on_backend(backend.clone(), place, 1 << 20).unwrap();
    engine.apply(&batch(&[("a", Some("1"))])).unwrap();
    engine.recover().unwrap();
    assert_eq!(
        get(&engine.snapshot().unwrap(), "a"),
        Ok(Some(b"1".to_vec()))
    );
    drop(engine);
    let reopened_engine = RedbEngine::on_backend(backend.clone(), place, 1 << 20).unwrap();
    assert_eq!(
        get(&reopened_engine.snapshot().unwrap(), "a"),
        Ok(Some(b"1".to_vec()))
    );
    drop(reopened_engine);
    backend.write(0, b"text").unwrap();
    let error = RedbEngine::on_backend(backend, place, 1 << 20)
        .err()
        .unwrap();
    assert!(error.to_string().contains("memory"), "{error}");
}

/// Reads single values and ranges in both orders. The results do not matter.
fn read_everything(engine: &RedbEngine) {
    let Ok(view) = engine.snapshot() else { return };
    let _ = (get(&view, "a"), get(&view, "key 2"));
    for order in [Order::Ascending, Order::Descending] {
        let _ = view.range(b"a", b"z", order, &mut |_, _| ControlFlow::Continue(()));
    }
}

#[test]
fn damaged_page_head_never_panics() {
    const PAGE: usize = 4096;
    const HEAD: usize = 64;
    let place = Path::new("memory");
    let backend = SharedFile::default();
    let engine = RedbEngine::on_backend(backend.clone(), place, 1 << 20).unwrap();
    engine
        .apply(&batch(&[
            ("a", Some("1")),
            ("key 1", Some("needle")),
            ("key 2", Some("3")),
        ]))
        .unwrap();
    drop(engine);
    let mut content = vec![0; usize::try_from(backend.len().unwrap()).unwrap()];
    backend.read(0, &mut content).unwrap();
    let offset = content
        .windows(6)
        .rposition(|bytes| bytes == b"needle")
        .unwrap();
    let page = offset / PAGE * PAGE;
    for bit in 0..HEAD * 8 {
        let damaged_file = SharedFile::default();
        content[page + bit / 8] ^= 1 << (bit % 8);
        damaged_file.set_len(content.len() as u64).unwrap();
        damaged_file.write(0, &content).unwrap();
        content[page + bit / 8] ^= 1 << (bit % 8);
        if let Ok(engine) = RedbEngine::on_backend(damaged_file, place, 1 << 20) {
            read_everything(&engine);
        }
    }
}

/// Operation of an engine on its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Write { offset: u64 },
    Sync,
}

/// File in memory that records the writes and syncs of its engine.
#[derive(Debug, Clone, Default)]
struct Noted {
    file: SharedFile,
    calls: Arc<Mutex<Vec<Call>>>,
    /// Number of bytes read.
    read: Arc<AtomicUsize>,
}

impl StorageBackend for Noted {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.read.fetch_add(out.len(), Ordering::Relaxed);
        self.file.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.calls.lock().unwrap().push(Call::Sync);
        self.file.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.calls.lock().unwrap().push(Call::Write { offset });
        self.file.write(offset, data)
    }
}

/// A one-phase commit relies on a checksum to distinguish a torn write from a complete one. A two-phase commit syncs
/// the data before the header refers to it, and then syncs the header.
#[test]
fn commit_syncs_pages_before_header() {
    /// Size of the header with both commit slots, in bytes.
    const HEADER: u64 = 320;
    let backend = Noted::default();
    let engine = RedbEngine::on_backend(backend.clone(), Path::new("memory"), 1 << 20).unwrap();
    for round in 0..3 {
        backend.calls.lock().unwrap().clear();
        engine
            .apply(&batch(&[("key", Some(["a", "b", "c"][round]))]))
            .unwrap();
        let calls = backend.calls.lock().unwrap().clone();
        let phases: Vec<_> = calls.split(|call| *call == Call::Sync).collect();
        let [pages, header, []] = phases[..] else {
            panic!("not two phases, each synced: {calls:?}")
        };
        let is_page = |call: &Call| matches!(call, Call::Write { offset } if *offset >= HEADER);
        assert!(
            pages.iter().any(is_page),
            "nothing but the header is written: {calls:?}"
        );
        assert!(
            !header.is_empty() && !header.iter().any(is_page),
            "not the header alone comes last: {calls:?}"
        );
    }
}

/// Tests quick repair. Without it, opening after a crash reads every page to rebuild the list of free pages, which
/// takes minutes in a large store.
#[test]
fn open_after_a_crash_needs_no_repair() {
    let place = Path::new("memory");
    let backend = SharedFile::default();
    let engine = RedbEngine::on_backend(backend.clone(), place, 1 << 20).unwrap();
    let value = "x".repeat(100);
    for part in 0..20 {
        let keys: Vec<_> = (0..1_000)
            .map(|number| format!("{part} {number}"))
            .collect();
        let changes: Vec<_> = keys
            .iter()
            .map(|key| (key.as_str(), Some(value.as_str())))
            .collect();
        engine.apply(&batch(&changes)).unwrap();
    }
    // File as a crash leaves it: the engine has not closed it.
    let mut image = vec![0; usize::try_from(backend.len().unwrap()).unwrap()];
    backend.read(0, &mut image).unwrap();
    let crashed_file = Noted::default();
    crashed_file.set_len(backend.len().unwrap()).unwrap();
    crashed_file.write(0, &image).unwrap();
    let reopened_engine = RedbEngine::on_backend(crashed_file.clone(), place, 1 << 20).unwrap();
    assert_eq!(
        get(&reopened_engine.snapshot().unwrap(), "19 999"),
        Ok(Some(value.into_bytes()))
    );
    // With debug assertions redb reads every page in use once; a repair reads them again.
    let read_limit = if cfg!(debug_assertions) {
        image.len()
    } else {
        image.len() / 4
    };
    let read_bytes = crashed_file.read.load(Ordering::Relaxed);
    assert!(
        read_bytes < read_limit,
        "{read_bytes} of {} bytes are read",
        image.len()
    );
}
