//! Tests the log after a kill or a power failure, and with damage.

use super::*;
use crate::wal::sector::SECTOR;

/// Creates a fixture with two entries that are in the log and not in the engine.
fn two_unapplied() -> WalFixture {
    let fixture = WalFixture::new();
    let wal = fixture.open().unwrap();
    wal.apply(&put(0, b"applied")).unwrap();
    wal.shared.wait_for_checkpoint().unwrap();
    let gate = fixture.engine.gate().lock().unwrap();
    wal.apply(&put(1, &[7; 3000])).unwrap();
    wal.apply(&put(2, &[8; 6000])).unwrap();
    let killed_fixture = fixture.killed();
    drop(gate);
    killed_fixture
}

#[test]
fn log_is_recovered_after_a_kill() {
    let fixture = two_unapplied();
    let entries_map = map([(0, b"applied"), (1, &[7; 3000]), (2, &[8; 6000])]);
    let read_only_wal = Wal::open_read_only(fixture.engine.clone(), &fixture.log(), BYTES).unwrap();
    assert_eq!(seen(&read_only_wal), entries_map);
    assert!(
        matches!(read_only_wal.apply(&put(3, b"")), Err(EngineError::Io(why)) if why.contains("read only"))
    );
    drop(read_only_wal);
    assert!(
        fixture.log().exists(),
        "a read-only opening removed the log"
    );
    let wal = fixture.open().unwrap();
    assert_eq!(seen(&wal), entries_map);
    wal.apply(&put(1, b"new")).unwrap();
    drop(wal);
    assert_eq!(
        entries(&fixture.engine.snapshot().unwrap()),
        map([(0, b"applied"), (1, b"new"), (2, &[8; 6000])])
    );
}

/// The last entry has 13 sectors; a power failure leaves any subset of them unwritten.
#[test]
fn torn_last_entry_is_overwritten() {
    let fixture = two_unapplied();
    let log = fs::read(fixture.log()).unwrap();
    let sectors: Vec<_> = (0..log.len() / SECTOR)
        .filter(|sector| log[sector * SECTOR..].starts_with(&3_u64.to_be_bytes()))
        .collect();
    assert_eq!(sectors.len(), 13);
    for missing in (1_u32..1 << sectors.len())
        .step_by(23)
        .chain([(1 << sectors.len()) - 1])
    {
        let mut torn_log = log.clone();
        for (bit, sector) in sectors.iter().enumerate() {
            if missing & 1 << bit != 0 {
                torn_log[sector * SECTOR..(sector + 1) * SECTOR].fill(0);
            }
        }
        fs::write(fixture.log(), torn_log).unwrap();
        let read_only_wal =
            Wal::open_read_only(fixture.engine.clone(), &fixture.log(), BYTES).unwrap();
        assert_eq!(
            seen(&read_only_wal),
            map([(0, b"applied"), (1, &[7; 3000])]),
            "without {missing:b}"
        );
    }
    let wal = fixture.open().unwrap();
    wal.apply(&put(3, b"next")).unwrap();
    assert_eq!(
        seen(&wal),
        map([(0, b"applied"), (1, &[7; 3000]), (3, b"next")])
    );
}

#[test]
fn flipped_bit_is_rejected_or_harmless() {
    let fixture = two_unapplied();
    let log = fs::read(fixture.log()).unwrap();
    let entries_map = map([(0, b"applied"), (1, &[7; 3000]), (2, &[8; 6000])]);
    let mut rejections = 0;
    for (at, bit) in (0..log.len()).step_by(61).zip((0..8).cycle()) {
        let mut damaged_log = log.clone();
        damaged_log[at] ^= 1 << bit;
        fs::write(fixture.log(), damaged_log).unwrap();
        match Wal::open_read_only(fixture.engine.clone(), &fixture.log(), BYTES) {
            Ok(read_only_wal) => {
                assert_eq!(seen(&read_only_wal), entries_map, "bit {bit} of byte {at}");
            }
            Err(OpenError::Damaged { .. } | OpenError::NotAStore { .. }) => rejections += 1,
            Err(error) => panic!("bit {bit} of byte {at}: {error}"),
        }
    }
    assert!(
        rejections > 9000 / 61,
        "every bit of 9,000 bytes is one of an entry: {rejections}"
    );
}

#[test]
fn missing_or_foreign_log_is_rejected() {
    let fixture = two_unapplied();
    let other_fixture = two_unapplied();
    let log = fs::read(fixture.log()).unwrap();
    let rejection = || fixture.open().err().unwrap().to_string();
    fs::copy(other_fixture.log(), fixture.log()).unwrap();
    assert!(
        rejection().contains("the log of another database"),
        "{}",
        rejection()
    );
    fs::write(fixture.log(), &log[..log.len() - 4096]).unwrap();
    assert!(rejection().contains("truncated"));
    fs::remove_file(fixture.log()).unwrap();
    assert!(rejection().contains("missing"));
    // A new engine does not adopt the log of an older one.
    let fresh = WalFixture::new();
    fs::copy(other_fixture.log(), fresh.log()).unwrap();
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
fn missing_middle_entry_is_damage() {
    let fixture = two_unapplied();
    let mut bytes = fs::read(fixture.log()).unwrap();
    for sector in bytes
        .chunks_mut(SECTOR)
        .filter(|sector| sector.starts_with(&2_u64.to_be_bytes()))
    {
        sector.fill(0);
    }
    fs::write(fixture.log(), bytes).unwrap();
    assert!(
        matches!(fixture.open(), Err(OpenError::Damaged { what, .. }) if what.contains("missing"))
    );
}
