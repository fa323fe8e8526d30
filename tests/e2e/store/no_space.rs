//! Full disks and read-only disks, under every tool that writes.

use crate::cli::rejection::{assert_rejected, tree};
use crate::store::fixture::{StoreFixture, text};
use std::fs;
use std::path::{Path, PathBuf};
use voight_tests::command;
use voight_tests::disk::Disk;
use voight_tests::engines::ENGINES;
use voight_tests::skip::skipped;
use voight_tests::test_name;

/// Free space on a disk that is nearly full, in KiB: enough for nothing, and enough for a part.
const LEFT: [usize; 2] = [0, 4];

fn disk(test: &str, stage: &StoreFixture, mebibytes: u64) -> Option<Disk> {
    let disk = Disk::mount(stage.folder.path(), mebibytes);
    disk.map_err(|error| skipped(test, &format!("a disk cannot be mounted here: {error}")))
        .ok()
}

fn names(folder: &Path) -> Vec<PathBuf> {
    tree(folder).into_keys().collect()
}

/// Creates a data directory on the disk, with the pepper in it and no store.
fn directory_on(disk: &Disk, stage: &StoreFixture) -> PathBuf {
    let data_dir = disk.path().join("data");
    fs::create_dir(&data_dir).expect("a folder");
    fs::copy(stage.data().join("pepper"), data_dir.join("pepper")).expect("the pepper");
    data_dir
}

#[test]
fn full_disk_keeps_no_partial_write() {
    for left in LEFT {
        let stage = StoreFixture::new();
        let (file, _) = stage.backup();
        let Some(disk) = disk(test_name!(), &stage, 8) else {
            return;
        };
        let data_dir = directory_on(&disk, &stage);
        disk.fill(left);
        let names_before = names(disk.path());
        let original = tree(&stage.data());
        let out = disk.path().join("new.dump");
        let backup = ["store", "backup", "--out", text(&out)];
        assert_rejected(
            &command::run(&stage.data(), &backup),
            1,
            &["new.dump", "space"],
        );
        assert_eq!(names(disk.path()), names_before, "{left} KiB, backup");
        assert_rejected(
            &command::run(&data_dir, &["store", "restore", text(&file)]),
            1,
            &["voight.redb", "space"],
        );
        assert_eq!(names(disk.path()), names_before, "{left} KiB, restore");
        let from = format!("redb:{}", stage.data().join("voight.redb").display());
        for engine in &ENGINES {
            let to = engine.url(&disk.path().join("copy"));
            let output = command::run(
                &stage.data(),
                &["store", "copy", "--from", &from, "--to", &to],
            );
            assert_rejected(&output, 1, &["copy", "space"]);
            assert_eq!(names(disk.path()), names_before, "{left} KiB, copy to {to}");
        }
        assert_eq!(
            tree(&stage.data()),
            original,
            "{left} KiB: the original has changed"
        );
    }
}

#[test]
fn store_on_a_full_disk_is_intact_after_compaction() {
    let stage = StoreFixture::new();
    let proof = stage.backup().1;
    let test = test_name!();
    let Some(disk) = disk(test, &stage, 32) else {
        return;
    };
    let data_dir = directory_on(&disk, &stage);
    let original = stage.data();
    let linked_files = ["voight.redb", "voight.redb.evidence", "voight.redb.id"]
        .map(|name| (original.join(name), data_dir.join(name)));
    for (from, to) in &linked_files {
        fs::copy(from, to).unwrap();
    }
    disk.fill(0);
    let names_before = names(disk.path());
    let output = command::run(&data_dir, &["store", "compact"]);
    if !output.status.success() {
        assert_rejected(&output, 1, &["voight.redb", "space"]);
    }
    assert_eq!(names(disk.path()), names_before);
    assert_eq!(command::json(&data_dir, &["store", "verify"])["damaged"], 0);
    let second_report = command::json(
        &data_dir,
        &["store", "backup", "--out", text(&stage.path("again.dump"))],
    );
    assert_eq!(second_report["hash"], proof["hash"]);
}

#[test]
fn read_only_disk_is_reported() {
    let stage = StoreFixture::new();
    let (file, _) = stage.backup();
    let Some(disk) = disk(test_name!(), &stage, 8) else {
        return;
    };
    let data_dir = directory_on(&disk, &stage);
    let store = disk.path().join("own.redb");
    let from = format!("redb:{}", stage.data().join("voight.redb").display());
    let copy = |to: &Path| {
        let to = format!("redb:{}", to.display());
        command::run(
            &stage.data(),
            &["store", "copy", "--from", &from, "--to", &to],
        )
    };
    assert!(copy(&store).status.success());
    disk.make_read_only();
    let names_before = names(disk.path());
    let out = disk.path().join("new.dump");
    let backup = ["store", "backup", "--out", text(&out)];
    assert_rejected(
        &command::run(&stage.data(), &backup),
        1,
        &["new.dump", "cannot be written", "--out"],
    );
    assert_rejected(
        &command::run(&data_dir, &["store", "restore", text(&file)]),
        1,
        &["voight.redb", "permissions"],
    );
    let new_dir = disk.path().join("new");
    assert_rejected(
        &command::run(&new_dir, &["store", "restore", text(&file)]),
        3,
        &["new", "cannot be written"],
    );
    assert_rejected(
        &copy(&disk.path().join("copy.redb")),
        1,
        &["copy.redb", "permissions"],
    );
    let compact = ["store", "compact", &format!("redb:{}", store.display())];
    assert_rejected(
        &command::run(&stage.data(), &compact),
        1,
        &["own.redb", "permissions"],
    );
    assert_eq!(names(disk.path()), names_before);
}
