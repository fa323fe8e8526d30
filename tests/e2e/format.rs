//! Stores of older formats in this release.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

#[path = "cli/refusal.rs"]
mod refusal;

use refusal::{assert_refused, tree};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use voight_tests::disk::Disk;
use voight_tests::server::Server;
use voight_tests::skip::skipped;
use voight_tests::{command, paths, ports};

/// Data directory with the pepper of the store of format 1, and that store restored in it.
struct FormatFixture {
    _folder: TempDir,
    data: PathBuf,
}

impl FormatFixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = folder.path().join("data");
        restored(&data);
        Self { _folder: folder, data }
    }

    fn run(&self, arguments: &[&str]) -> Value {
        command::json(&self.data, arguments)
    }
}

fn restored(data: &Path) {
    fs::create_dir(data).expect("a folder");
    fs::write(data.join("pepper"), "07".repeat(32)).expect("the pepper");
    let dump = fixture();
    command::json(data, &["store", "restore", dump.to_str().expect("a path in UTF-8")]);
}

fn fixture() -> PathBuf {
    paths::repository().join("crates/embedded/tests/fixtures/format-1.dump")
}

/// Returns the backups that were made before a format change.
fn backups(data: &Path) -> Vec<Vec<u8>> {
    let files = tree(data).into_iter().filter(|(path, _)| path.to_string_lossy().contains("before-format"));
    files.filter_map(|(_, content)| content).collect()
}

#[test]
fn it_is_looked_at_as_it_is_and_brought_to_the_new_format_by_the_first_command_that_opens_it() {
    let stage = FormatFixture::new();
    let clients = ["client", "list"];
    let (before, proof) = (stage.run(&["store", "info"]), stage.run(&["store", "verify"]));
    assert_eq!((&before["format"], &proof["format"], &proof["damaged"]), (&1.into(), &1.into(), &0.into()));
    assert_eq!(backups(&stage.data).len(), 0, "looking has changed it");
    let listed = stage.run(&clients);
    assert_eq!(listed.as_array().map(Vec::len), Some(2));
    let (after, proof) = (stage.run(&["store", "info"]), stage.run(&["store", "verify"]));
    // One entry of the audit log is new; sixteen idempotency records have expired.
    let rows = (before["rows"].as_u64().expect("a number") + 1 - 16).into();
    assert_eq!((&after["format"], &proof["damaged"], &after["rows"]), (&6.into(), &0.into(), &rows));
    assert_eq!(backups(&stage.data), [fs::read(fixture()).unwrap()]);
    assert_eq!(stage.run(&clients), listed);
    assert_eq!(backups(&stage.data).len(), 1, "it is brought there once");
}

#[test]
fn a_server_brings_it_to_the_new_format_and_says_so() {
    let stage = FormatFixture::new();
    let mut server = Server::spawn_on(&stage.data, ports::free(), ports::free(), |_| {});
    // Its rows are of January 2027; before that date the clock guard rejects the wall clock.
    server.wait_until_listening();
    assert_eq!(stage.run(&["client", "list"]).as_array().map(Vec::len), Some(2));
    assert_eq!(server.stop(), Some(0), "{}", server.log());
    for words in ["bringing the store to a new format", "the store is backed up", "the store has the new format"] {
        assert!(server.log().contains(words), "{words:?} is not in the log:\n{}", server.log());
    }
    assert_eq!(backups(&stage.data), [fs::read(fixture()).unwrap()]);
}

#[test]
fn without_room_for_a_backup_it_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let disk = match Disk::mount(folder.path(), 64) {
        Ok(disk) => disk,
        Err(why) => return skipped("no_room_for_a_backup", &format!("a disk cannot be mounted here: {why}")),
    };
    let data = disk.path().join("data");
    restored(&data);
    disk.fill(4);
    let before = tree(&data);
    assert_refused(&command::run(&data, &["client", "list"]), 1, &["format 1", "before-format-6", "space"]);
    assert!(tree(&data).keys().eq(before.keys()), "something is left behind: {:?}", tree(&data).keys());
    assert_eq!(command::json(&data, &["store", "verify"])["format"], 1);
    fs::remove_file(disk.path().join("ballast")).unwrap();
    assert_eq!(command::json(&data, &["client", "list"]).as_array().map(Vec::len), Some(2));
    assert_eq!(command::json(&data, &["store", "verify"])["damaged"], 0);
}
