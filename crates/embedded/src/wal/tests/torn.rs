//! Tests that numbers of torn entries are not reused, and that only synced entries are visible.

use super::*;
use crate::wal::entry::{self, PAGE};
use crate::wal::file::HEAD;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Number of pauses that no test exhausts, so that a checkpoint does not start to write.
const PAUSES: usize = 120_000;

/// Writes the next entry without acknowledging it, as a lack of space would leave it.
fn tear(place: &WalFixture, logged: &Wal<FaultyEngine>) {
    let (id, number, offset) = {
        let state = logged.shared.lock();
        (
            state.log.unwrap(),
            state.number + 1,
            state.ring.offset(state.ring.tail()),
        )
    };
    let entry = entry::encode(&put(1, &[7; 6000]), number, &id).unwrap();
    let log = File::options().write(true).open(place.log()).unwrap();
    log.write_all_at(&entry, HEAD + offset).unwrap();
}

/// The second page of the ring contains sectors of an entry that was never acknowledged. A power failure leaves them
/// where the next entry belongs: with the same number they could not be distinguished from its own.
#[test]
fn torn_entry_differs_from_an_earlier_unacknowledged_one() {
    let place = WalFixture::new();
    let logged = place.open().unwrap();
    logged.apply(&put(0, b"first")).unwrap();
    logged.shared.wait_for_checkpoint().unwrap();
    tear(&place, &logged);
    logged.writing().pending_repair = PendingRepair::TornEntry;
    logged.recover().unwrap();
    place.engine.set_pauses(PAUSES);
    let before = fs::read(place.log()).unwrap();
    logged.apply(&put(2, &[8; 8000])).unwrap();
    let left = place.killed();
    let mut torn = fs::read(left.log()).unwrap();
    let second = usize::try_from(HEAD).unwrap() + PAGE;
    torn[second..].copy_from_slice(&before[second..]);
    fs::write(left.log(), torn).unwrap();
    assert_eq!(seen(&left.open().unwrap()), map([(0, b"first")]));
}

/// Closing removes the log; a power failure may bring it back.
#[test]
fn log_restored_after_close_is_recognised_with_a_torn_entry() {
    let place = WalFixture::new();
    let logged = place.open().unwrap();
    logged.apply(&put(0, b"first")).unwrap();
    logged.shared.wait_for_checkpoint().unwrap();
    tear(&place, &logged);
    let log = fs::read(place.log()).unwrap();
    drop(logged);
    fs::write(place.log(), log).unwrap();
    let again = place.open().unwrap();
    again.apply(&put(2, b"next")).unwrap();
    assert_eq!(seen(&again), map([(0, b"first"), (2, b"next")]));
}

/// After a failed sync the part of an entry that is on disk is unknown, so no snapshot may show it.
#[test]
fn a_batch_is_not_seen_before_it_is_synced() {
    let place = WalFixture::new();
    let logged = place.open().unwrap();
    logged.apply(&put(0, b"first")).unwrap();
    // This device accepts every write and cannot be synced.
    let device = File::options().write(true).open("/dev/zero").unwrap();
    logged.writing().log.as_mut().unwrap().redirect(device);
    let failed = logged.apply(&put(1, b"unsynced"));
    assert!(matches!(failed, Err(EngineError::Io(_))), "{failed:?}");
    assert_eq!(seen(&logged), map([(0, b"first")]));
}
