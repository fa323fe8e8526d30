//! Tests that numbers of torn entries are not reused, and that only synced entries are visible.

use super::*;
use crate::wal::entry::{self, PAGE};
use crate::wal::file::HEAD;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Number of pauses that no test exhausts, so that a checkpoint does not start to write.
const PAUSES: usize = 120_000;

/// Writes the next entry without acknowledging it, as a lack of space would leave it.
fn tear(fixture: &WalFixture, wal: &Wal<FaultyEngine>) {
    let (id, number, offset) = {
        let state = wal.shared.lock();
        (
            state.log.unwrap(),
            state.number + 1,
            state.ring.offset(state.ring.tail()),
        )
    };
    let entry = entry::encode(&put(1, &[7; 6000]), number, &id).unwrap();
    let log = File::options().write(true).open(fixture.log()).unwrap();
    log.write_all_at(&entry, HEAD + offset).unwrap();
}

/// The second page of the ring contains sectors of an entry that was never acknowledged. A power failure leaves them
/// where the next entry belongs: with the same number they could not be distinguished from its own.
#[test]
fn torn_entry_is_not_an_earlier_entry() {
    let fixture = WalFixture::new();
    let wal = fixture.open().unwrap();
    wal.apply(&put(0, b"first")).unwrap();
    wal.shared.wait_for_checkpoint().unwrap();
    tear(&fixture, &wal);
    wal.writing().pending_repair = PendingRepair::TornEntry;
    wal.recover().unwrap();
    fixture.engine.set_pauses(PAUSES);
    let log_before = fs::read(fixture.log()).unwrap();
    wal.apply(&put(2, &[8; 8000])).unwrap();
    let killed_fixture = fixture.killed();
    let mut torn_log = fs::read(killed_fixture.log()).unwrap();
    let second = usize::try_from(HEAD).unwrap() + PAGE;
    torn_log[second..].copy_from_slice(&log_before[second..]);
    fs::write(killed_fixture.log(), torn_log).unwrap();
    assert_eq!(seen(&killed_fixture.open().unwrap()), map([(0, b"first")]));
}

/// Closing removes the log; a power failure may bring it back.
#[test]
fn restored_log_with_torn_entry_is_ignored() {
    let fixture = WalFixture::new();
    let wal = fixture.open().unwrap();
    wal.apply(&put(0, b"first")).unwrap();
    wal.shared.wait_for_checkpoint().unwrap();
    tear(&fixture, &wal);
    let log = fs::read(fixture.log()).unwrap();
    drop(wal);
    fs::write(fixture.log(), log).unwrap();
    let reopened_wal = fixture.open().unwrap();
    reopened_wal.apply(&put(2, b"next")).unwrap();
    assert_eq!(seen(&reopened_wal), map([(0, b"first"), (2, b"next")]));
}

/// After a failed sync the part of an entry that is on disk is unknown, so no snapshot may show it.
#[test]
fn unsynced_batch_is_invisible() {
    let fixture = WalFixture::new();
    let wal = fixture.open().unwrap();
    wal.apply(&put(0, b"first")).unwrap();
    // This device accepts every write and cannot be synced.
    let device = File::options().write(true).open("/dev/zero").unwrap();
    wal.writing().log.as_mut().unwrap().redirect(device);
    let apply_result = wal.apply(&put(1, b"unsynced"));
    assert!(
        matches!(apply_result, Err(EngineError::Io(_))),
        "{apply_result:?}"
    );
    assert_eq!(seen(&wal), map([(0, b"first")]));
}
