//! Tests the log after a kill or a power failure, and with damage.

use super::*;
use crate::wal::sector::SECTOR;

/// Creates a fixture with two entries that are in the log and not in the engine.
fn two_unapplied() -> WalFixture {
    let place = WalFixture::new();
    let logged = place.open().unwrap();
    logged.apply(&put(0, b"applied")).unwrap();
    logged.shared.wait_for_checkpoint().unwrap();
    let gate = place.engine.gate().lock().unwrap();
    logged.apply(&put(1, &[7; 3000])).unwrap();
    logged.apply(&put(2, &[8; 6000])).unwrap();
    let left = place.killed();
    drop(gate);
    left
}

#[test]
fn log_of_a_killed_process_is_recovered_by_every_opening() {
    let left = two_unapplied();
    let all = map([(0, b"applied"), (1, &[7; 3000]), (2, &[8; 6000])]);
    let looked = Wal::open_read_only(left.engine.clone(), &left.log(), BYTES).unwrap();
    assert_eq!(seen(&looked), all);
    assert!(
        matches!(looked.apply(&put(3, b"")), Err(EngineError::Io(why)) if why.contains("read only"))
    );
    drop(looked);
    assert!(left.log().exists(), "a read-only opening removed the log");
    let opened = left.open().unwrap();
    assert_eq!(seen(&opened), all);
    opened.apply(&put(1, b"new")).unwrap();
    drop(opened);
    assert_eq!(
        entries(&left.engine.snapshot().unwrap()),
        map([(0, b"applied"), (1, b"new"), (2, &[8; 6000])])
    );
}

/// The last entry has 13 sectors; a power failure leaves any subset of them unwritten.
#[test]
fn a_torn_entry_at_the_end_was_never_acknowledged_and_the_next_one_takes_its_place() {
    let left = two_unapplied();
    let whole = fs::read(left.log()).unwrap();
    let sectors: Vec<_> = (0..whole.len() / SECTOR)
        .filter(|at| whole[at * SECTOR..].starts_with(&3_u64.to_be_bytes()))
        .collect();
    assert_eq!(sectors.len(), 13);
    for missing in (1_u32..1 << sectors.len())
        .step_by(23)
        .chain([(1 << sectors.len()) - 1])
    {
        let mut torn = whole.clone();
        for (bit, at) in sectors.iter().enumerate() {
            if missing & 1 << bit != 0 {
                torn[at * SECTOR..(at + 1) * SECTOR].fill(0);
            }
        }
        fs::write(left.log(), torn).unwrap();
        let looked = Wal::open_read_only(left.engine.clone(), &left.log(), BYTES).unwrap();
        assert_eq!(
            seen(&looked),
            map([(0, b"applied"), (1, &[7; 3000])]),
            "without {missing:b}"
        );
    }
    let opened = left.open().unwrap();
    opened.apply(&put(3, b"next")).unwrap();
    assert_eq!(
        seen(&opened),
        map([(0, b"applied"), (1, &[7; 3000]), (3, b"next")])
    );
}

#[test]
fn a_flipped_bit_is_refused_or_changes_nothing() {
    let left = two_unapplied();
    let whole = fs::read(left.log()).unwrap();
    let all = map([(0, b"applied"), (1, &[7; 3000]), (2, &[8; 6000])]);
    let mut refused = 0;
    for (at, bit) in (0..whole.len()).step_by(61).zip((0..8).cycle()) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << bit;
        fs::write(left.log(), flipped).unwrap();
        match Wal::open_read_only(left.engine.clone(), &left.log(), BYTES) {
            Ok(looked) => assert_eq!(seen(&looked), all, "bit {bit} of byte {at}"),
            Err(OpenError::Damaged { .. } | OpenError::NotAStore { .. }) => refused += 1,
            Err(error) => panic!("bit {bit} of byte {at}: {error}"),
        }
    }
    assert!(
        refused > 9000 / 61,
        "every bit of 9,000 bytes is one of an entry: {refused}"
    );
}

#[test]
fn a_log_that_is_missing_truncated_or_of_another_database_is_refused() {
    let (left, other) = (two_unapplied(), two_unapplied());
    let whole = fs::read(left.log()).unwrap();
    let refusal = || left.open().err().unwrap().to_string();
    fs::copy(other.log(), left.log()).unwrap();
    assert!(
        refusal().contains("the log of another database"),
        "{}",
        refusal()
    );
    fs::write(left.log(), &whole[..whole.len() - 4096]).unwrap();
    assert!(refusal().contains("truncated"));
    fs::remove_file(left.log()).unwrap();
    assert!(refusal().contains("missing"));
    // A new engine does not adopt the log of an older one.
    let fresh = WalFixture::new();
    fs::copy(other.log(), fresh.log()).unwrap();
    assert!(
        fresh
            .open()
            .err()
            .unwrap()
            .to_string()
            .contains("its database has no checkpoint record for its entries")
    );
    fs::write(fresh.log(), b"my own notes").unwrap();
    assert!(matches!(fresh.open(), Err(OpenError::NotAStore { .. })));
    assert_eq!(fs::read(fresh.log()).unwrap(), b"my own notes");
}

#[test]
fn an_entry_that_is_gone_from_the_middle_is_damage() {
    let left = two_unapplied();
    let mut bytes = fs::read(left.log()).unwrap();
    for sector in bytes
        .chunks_mut(SECTOR)
        .filter(|sector| sector.starts_with(&2_u64.to_be_bytes()))
    {
        sector.fill(0);
    }
    fs::write(left.log(), bytes).unwrap();
    assert!(
        matches!(left.open(), Err(OpenError::Damaged { what, .. }) if what.contains("missing"))
    );
}
