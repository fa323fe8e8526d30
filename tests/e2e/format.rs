//! Stores of another format than that of this release. A made-up later release migrates them within the test.

use crate::cli::rejection::{assert_rejected, tree};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use voight_domain::secrets::Pepper;
use voight_embedded::StoreOptions;
use voight_embedded::testing::made_up_formats::{MIGRATIONS, NEWEST, while_second_fails};
use voight_engine::OpenError;
use voight_redb::WalRedb;
use voight_support::embedded::SampleStore;
use voight_support::{FixedClock, FixedEntropy};
use voight_tests::command;
use voight_tests::disk::Disk;
use voight_tests::skip::skipped;
use voight_tests::test_name;

/// Pepper of the installations, in the spelling of its file.
const PEPPER: &str = "0707070707070707070707070707070707070707070707070707070707070707";

/// Creates an installation with records in every table.
fn create(data: &Path) {
    fs::create_dir(data).expect("a directory");
    fs::write(data.join("pepper"), PEPPER).expect("the pepper");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("filled.dump");
    fs::write(&file, SampleStore::filled().dump()).expect("a file");
    command::json(
        data,
        &["store", "restore", file.to_str().expect("a path in UTF-8")],
    );
}

/// Opens the store with a later release, which migrates it.
fn open_with_later_release(data: &Path) -> Result<(), OpenError> {
    let options = StoreOptions {
        path: data.join("voight.redb"),
        cache_bytes: 4 << 20,
        evidence_max_bytes: 1 << 20,
        reserved_free_bytes: 0,
    };
    let pepper = Pepper::from_bytes([7; 32]).commitment();
    MIGRATIONS
        .open::<WalRedb>(&options, Arc::new(FixedClock), &FixedEntropy(1), pepper)
        .map(drop)
}

/// Returns the backups that migrations have written.
fn backups(data: &Path) -> Vec<PathBuf> {
    tree(data)
        .into_keys()
        .filter(|path| path.to_string_lossy().contains("before-format"))
        .collect()
}

/// Words of the error about a store of the later release.
const REJECTION: [&str; 3] = [
    "has format 3",
    "formats up to 1",
    "start the release that wrote it, or a later one",
];

#[test]
fn later_store_format_is_rejected() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let data = directory.path().join("data");
    create(&data);
    // The later release is killed between two migrations, and started again.
    while_second_fails(|| open_with_later_release(&data)).expect_err("an interrupted migration");
    assert_rejected(&command::run(&data, &["client", "list"]), 3, &REJECTION);
    open_with_later_release(&data).expect("a migrated store");
    let migrated_tree = tree(&data);
    let out = directory.path().join("new.dump");
    let dump = out.to_str().expect("a path in UTF-8");
    for arguments in [
        &["client", "list"][..],
        &["store", "info"],
        &["store", "verify"],
        &["store", "backup", "--out", dump],
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--admin-listen",
            "127.0.0.1:0",
        ],
    ] {
        assert_rejected(&command::run(&data, arguments), 3, &REJECTION);
    }
    assert!(
        tree(&data) == migrated_tree && !out.exists(),
        "a rejected store was changed or copied"
    );
}

#[test]
fn backup_of_an_interrupted_migration_is_restored() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let [data, restored] = ["data", "restored"].map(|name| directory.path().join(name));
    create(&data);
    let list_clients = ["client", "list"];
    let info = ["store", "info"];
    let info_before = command::json(&data, &info);
    let clients = command::json(&data, &list_clients);
    assert_eq!(
        (&info_before["format"], clients.as_array().map(Vec::len)),
        (&1.into(), Some(2))
    );
    assert_eq!(backups(&data), Vec::<PathBuf>::new());
    while_second_fails(|| open_with_later_release(&data)).expect_err("an interrupted migration");
    open_with_later_release(&data).expect("a migrated store");
    assert_eq!(backups(&data).len(), 1);
    let backup = backups(&data).pop().expect("the backup of the migration");
    fs::create_dir(&restored).expect("a directory");
    fs::write(restored.join("pepper"), PEPPER).expect("the pepper");
    command::json(
        &restored,
        &[
            "store",
            "restore",
            backup.to_str().expect("a path in UTF-8"),
        ],
    );
    assert_eq!(command::json(&restored, &["store", "verify"])["damaged"], 0);
    assert_eq!(command::json(&restored, &info)["rows"], info_before["rows"]);
    assert_eq!(command::json(&restored, &list_clients), clients);
}

#[test]
fn migration_requires_space_for_its_backup() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let disk = match Disk::mount(directory.path(), 64) {
        Ok(disk) => disk,
        Err(why) => {
            return skipped(
                test_name!(),
                &format!("a disk cannot be mounted here: {why}"),
            );
        }
    };
    let data = disk.path().join("data");
    create(&data);
    disk.fill(4);
    let tree_before = tree(&data);
    let error =
        open_with_later_release(&data).expect_err("a store without a backup is not migrated");
    assert!(
        matches!(
            error,
            OpenError::NoBackup {
                found: 1,
                known: NEWEST,
                ..
            }
        ),
        "{error}"
    );
    for word in ["format 1", "before-format-3", "space"] {
        assert!(error.to_string().contains(word), "{error}");
    }
    assert!(
        tree(&data).keys().eq(tree_before.keys()),
        "something is left behind: {:?}",
        tree(&data).keys()
    );
    assert_eq!(command::json(&data, &["store", "verify"])["format"], 1);
    fs::remove_file(disk.path().join("ballast")).expect("a file that fills the disk");
    open_with_later_release(&data).expect("a migrated store");
    assert_eq!(backups(&data).len(), 1);
}
