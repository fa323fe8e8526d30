//! Opening: what is created, what is refused, and what is left alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use voight_domain::ports::{AdminStore, Clock, Entropy, Health};
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::Timestamp;
use voight_redb::{LoggedRedb, RedbEngine, RedbOptions, open};
use voight_store::{EmbeddedStore, FORMAT, OpenError};

const PEPPER: PepperCommitment = PepperCommitment([7; 16]);

struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(1_800_000_000_000)
    }
}

/// The same bytes every time, so that two stores can be told apart by them.
struct Bytes(u8);

impl Entropy for Bytes {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(self.0);
    }
}

type Opened = Result<Arc<EmbeddedStore<LoggedRedb>>, OpenError>;

fn open_at(path: &Path, entropy: u8, pepper: PepperCommitment) -> Opened {
    let options = RedbOptions { path: path.to_owned(), cache_bytes: 4 << 20, evidence_budget: 1 << 20, reserve: 0 };
    open(&options, Arc::new(Still), &Bytes(entropy), pepper)
}

fn refusal(opened: Opened) -> OpenError {
    match opened {
        Ok(store) => panic!("{:?} was opened", store.info()),
        Err(error) => error,
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a read waits for nobody"),
    }
}

#[test]
fn a_new_store_is_three_files_and_keeps_its_identity() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voight.redb");
    let first = open_at(&path, 1, PEPPER).unwrap();
    let info = first.info();
    assert_eq!((info.engine.as_str(), info.format, first.health()), ("redb", FORMAT, Health::Ready));
    assert!(path.exists() && beside(&path, ".evidence").exists());
    assert!(fs::read_to_string(beside(&path, ".id")).unwrap().contains(&info.identity));
    drop(first);
    let again = open_at(&path, 2, PEPPER).unwrap();
    assert_eq!(again.info(), info);
    assert_eq!(ready(again.audit(0, 10)), Ok(vec![]));
}

#[test]
fn logs_are_beside_a_store_in_use_and_missed_where_it_was_not_closed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("voight.redb"), folder.path().join("copy.redb"));
    let store = open_at(&path, 1, PEPPER).unwrap();
    let logs = [beside(&path, ".log"), beside(&path, ".evidence.log")];
    assert!(logs.iter().all(|log| log.exists()));
    // Everything is in the databases by then, which are written to no more.
    std::thread::sleep(std::time::Duration::from_secs(1));
    for suffix in ["", ".evidence", ".id"] {
        fs::copy(beside(&path, suffix), beside(&copy, suffix)).unwrap();
    }
    drop(store);
    assert!(!logs.iter().any(|log| log.exists()));
    let refused = refusal(open_at(&copy, 1, PEPPER));
    let place = beside(&copy, ".log").display().to_string();
    assert!(matches!(&refused, OpenError::Damaged { place: found, .. } if *found == place), "{refused}");
    assert!(refused.to_string().contains("missing"), "{refused}");
}

#[test]
fn a_store_in_use_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voight.redb");
    let held = open_at(&path, 1, PEPPER).unwrap();
    let refused = refusal(open_at(&path, 1, PEPPER));
    assert_eq!(refused, OpenError::Held { place: path.display().to_string() });
    assert!(refused.to_string().ends_with("stop that process first, or name another store"));
    drop(held);
    open_at(&path, 1, PEPPER).unwrap();
}

#[test]
fn another_pepper_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voight.redb");
    drop(open_at(&path, 1, PEPPER).unwrap());
    assert!(matches!(refusal(open_at(&path, 1, PepperCommitment([8; 16]))), OpenError::OtherPepper { .. }));
    open_at(&path, 1, PEPPER).unwrap();
}

#[test]
fn a_database_that_is_gone_or_empty_is_not_taken_for_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voight.redb");
    drop(open_at(&path, 1, PEPPER).unwrap());
    fs::remove_file(&path).unwrap();
    assert!(matches!(refusal(open_at(&path, 1, PEPPER)), OpenError::Empty { .. }));
    assert!(!path.exists(), "a refused store was created");
    fs::write(&path, b"").unwrap();
    assert!(matches!(refusal(open_at(&path, 1, PEPPER)), OpenError::Empty { .. }));
    // A database file that was created and never written to.
    fs::remove_file(&path).unwrap();
    drop(RedbEngine::open(&path, 1 << 20).unwrap());
    assert!(matches!(refusal(open_at(&path, 1, PEPPER)), OpenError::Empty { .. }));
}

#[test]
fn a_file_that_is_not_ours_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    fs::write(&path, b"my notes").unwrap();
    assert_eq!(refusal(open_at(&path, 1, PEPPER)), OpenError::Foreign { place: path.display().to_string() });
    assert_eq!(fs::read(&path).unwrap(), b"my notes");
    assert!(!beside(&path, ".id").exists() && !beside(&path, ".evidence").exists());
}

#[test]
fn a_database_of_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.redb");
    let other = redb::Database::create(&path).unwrap();
    let write = other.begin_write().unwrap();
    write.open_table(redb::TableDefinition::<u64, u64>::new("theirs")).unwrap().insert(1, 2).unwrap();
    write.commit().unwrap();
    drop(other);
    assert!(matches!(refusal(open_at(&path, 1, PEPPER)), OpenError::Foreign { .. }));
}

#[test]
fn files_of_two_stores_are_not_put_together() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    drop((open_at(&one, 1, PEPPER).unwrap(), open_at(&other, 2, PEPPER).unwrap()));
    fs::copy(beside(&other, ".evidence"), beside(&one, ".evidence")).unwrap();
    assert!(matches!(refusal(open_at(&one, 1, PEPPER)), OpenError::Mixed { .. }));
    fs::copy(beside(&one, ".id"), beside(&other, ".id")).unwrap();
    assert!(matches!(refusal(open_at(&other, 1, PEPPER)), OpenError::Mixed { .. }));
}

#[test]
fn what_a_crash_during_creation_leaves_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voight.redb");
    drop(RedbEngine::open(&path, 1 << 20).unwrap());
    let identity = open_at(&path, 1, PEPPER).unwrap().info().identity;
    fs::remove_file(beside(&path, ".id")).unwrap();
    assert_eq!(open_at(&path, 2, PEPPER).unwrap().info().identity, identity);
    assert!(beside(&path, ".id").exists());
}

/// redb marks a file as its own last of all, and would refuse for ever what a crash before that has left.
#[test]
fn what_a_crash_during_the_creation_of_a_file_leaves_is_created_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("voight.redb");
    drop(RedbEngine::open(&path, 1 << 20).unwrap());
    let (mut marked, length) = (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().len());
    marked[..9].fill(0);
    marked[320..].fill(0);
    for leftover in [vec![0; usize::try_from(length).unwrap()], marked] {
        for name in ["voight.redb", "voight.redb.evidence"] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(name), &leftover).unwrap();
            open_at(&folder.path().join("voight.redb"), 1, PEPPER).unwrap();
        }
    }
}

#[test]
fn a_file_that_begins_with_zeros_is_not_taken_for_an_unfinished_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("disk.img");
    let mut bytes = vec![0; 100_000];
    bytes[99_999] = 1;
    fs::write(&path, &bytes).unwrap();
    assert_eq!(refusal(open_at(&path, 1, PEPPER)), OpenError::Foreign { place: path.display().to_string() });
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_folder_that_is_not_there_is_an_error_that_says_what_to_check() {
    let folder = tempfile::tempdir().unwrap();
    let refused = refusal(open_at(&folder.path().join("missing/voight.redb"), 1, PEPPER));
    assert!(matches!(refused, OpenError::Io { .. }));
    assert!(refused.to_string().ends_with("check the path, its permissions and the space on its disk"));
}
