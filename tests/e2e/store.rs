//! Tools for stores, with the real binary: backups are restored, damage is reported, and errors leave no trace.

mod back_up;
mod copied;
mod database;
pub(crate) mod dump;
mod fixture;
mod guide;
mod in_use;
mod interrupted;
mod no_space;
mod restored;
mod tables;

use crate::cli::rejection::{assert_rejected, tree};
use fixture::{StoreFixture, text};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;
use voight_tests::engines::{ENGINES, urls_of_copies};
use voight_tests::server::Server;
use voight_tests::{command, tier};

fn verify(data_dir: &Path, subject: &str) -> Output {
    command::run(data_dir, &["--json", "store", "verify", subject])
}

#[test]
fn backup_is_restored_and_copied_between_engines() {
    let stage = StoreFixture::new();
    let (file, proof) = stage.backup();
    assert_eq!(proof["contains_pepper"], false);
    let pepper = fs::read_to_string(stage.data().join("pepper")).unwrap();
    let dump = fs::read(&file).unwrap();
    assert!(
        !dump
            .windows(32)
            .any(|window| pepper.as_bytes().starts_with(window)),
        "the pepper is in the backup"
    );
    assert_eq!(
        command::json(&stage.data(), &["store", "verify", text(&file)])["hash"],
        proof["hash"]
    );
    let restored_dir = stage.another("restored");
    let report = command::json(&restored_dir, &["store", "restore", text(&file)]);
    assert_eq!(
        (&report["from"]["hash"], &report["to"]),
        (&proof["hash"], &report["from"])
    );
    let mut from = format!("redb:{}", restored_dir.join("voight.redb").display());
    for to in urls_of_copies(stage.folder.path()) {
        let report = command::json(
            &restored_dir,
            &["store", "copy", "--from", &from, "--to", &to],
        );
        assert_eq!(
            (&report["from"]["hash"], &report["to"]["hash"]),
            (&proof["hash"], &proof["hash"]),
            "{from} to {to}"
        );
        assert_eq!(
            command::json(&restored_dir, &["store", "verify", &to])["damaged"],
            0
        );
        from = to;
    }
    let compaction = command::json(&restored_dir, &["store", "compact"]);
    let [before, after] =
        ["bytes_before", "bytes_after"].map(|member| compaction[member].as_u64().unwrap());
    assert!(0 < after && after <= before, "{compaction}");
    assert_eq!(
        command::json(&restored_dir, &["store", "verify"])["damaged"],
        0
    );
    assert_eq!(stage.answers(&restored_dir), stage.answers(&stage.data()));
}

/// The table of engines has every engine of the binary, in the order in which errors name them.
#[test]
fn engine_table_matches_the_binary() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = command::run(folder.path(), &["store", "verify", "nonsense:x"]);
    let message = String::from_utf8_lossy(&output.stderr);
    let schemes: Vec<_> = message
        .split_whitespace()
        .filter_map(|word| word.strip_suffix(":PATH,"))
        .collect();
    assert_eq!(schemes, ENGINES.map(|engine| engine.scheme), "{message}");
}

#[test]
fn compaction_removes_files_of_a_crashed_compaction() {
    let stage = StoreFixture::new();
    let data = stage.data();
    let proof = stage.backup().1;
    let names = || tree(&data).into_keys().collect::<Vec<_>>();
    let names_before = names();
    let mode = |mode| fs::Permissions::from_mode(mode);
    fs::set_permissions(data.join("voight.redb"), mode(0o640)).unwrap();
    fs::copy(
        data.join("voight.redb"),
        data.join("voight.redb.compacting"),
    )
    .unwrap();
    fs::write(data.join("voight.redb.compacting.evidence"), "").unwrap();
    command::json(&data, &["store", "compact"]);
    assert_eq!(names(), names_before);
    let permissions = fs::metadata(data.join("voight.redb"))
        .unwrap()
        .permissions();
    assert_eq!(
        permissions.mode() & 0o777,
        0o600,
        "the store is for its owner only"
    );
    let second_dump = stage.path("again.dump");
    let second_report = command::json(&data, &["store", "backup", "--out", text(&second_dump)]);
    assert_eq!(second_report["hash"], proof["hash"]);
}

#[test]
fn incomplete_backup_is_rejected_and_removed() {
    let stage = StoreFixture::new();
    let (file, _) = stage.backup();
    let dump = fs::read(&file).unwrap();
    let bad = stage.path("bad.dump");
    let other_dir = stage.another("other");
    let tree_before = tree(&other_dir);
    let mut damaged_dump = dump.clone();
    damaged_dump[dump.len() / 2] ^= 4;
    let mut newer = dump.clone();
    newer[13] = 9;
    let half = dump[..dump.len() / 2].to_vec();
    for (bytes, word) in [
        (half, "its end is missing"),
        (b"my notes".to_vec(), "not a backup"),
        (newer, "9"),
        (damaged_dump, "damaged"),
    ] {
        fs::write(&bad, bytes).unwrap();
        assert_rejected(
            &command::run(&other_dir, &["store", "restore", text(&bad)]),
            1,
            &["bad.dump", word],
        );
        assert_rejected(
            &command::run(&other_dir, &["store", "verify", text(&bad)]),
            1,
            &["bad.dump", word],
        );
        assert_eq!(tree(&other_dir), tree_before, "{word}");
    }
    assert_rejected(
        &command::run(&other_dir, &["store", "restore", "nothing.dump"]),
        4,
        &["nothing.dump"],
    );
}

#[test]
fn existing_files_are_not_overwritten() {
    let stage = StoreFixture::new();
    let (file, _) = stage.backup();
    let tree_before = tree(stage.folder.path());
    let data = stage.data();
    assert_rejected(
        &command::run(&data, &["store", "restore", text(&file)]),
        3,
        &["voight.redb", "already exists"],
    );
    assert_rejected(
        &command::run(&data, &["store", "backup", "--out", text(&file)]),
        1,
        &["full.dump", "--out"],
    );
    let url = format!("redb:{}", data.join("voight.redb").display());
    assert_rejected(
        &command::run(&data, &["store", "copy", "--from", &url, "--to", &url]),
        3,
        &["already exists"],
    );
    assert_rejected(
        &command::run(&data, &["store", "verify", "redb:nowhere"]),
        4,
        &["nowhere"],
    );
    assert_rejected(
        &command::run(&data, &["store", "info", "memory:"]),
        2,
        &["memory:"],
    );
    assert_eq!(tree(stage.folder.path()), tree_before);
}

#[test]
fn locked_store_is_reported() {
    let stage = StoreFixture::new();
    let _server = Server::start(&stage.data());
    let out = stage.path("held.dump");
    let url = format!("redb:{}", stage.data().join("voight.redb").display());
    for arguments in [
        &["store", "info", &url][..],
        &["store", "verify"],
        &["store", "backup", &url, "--out", text(&out)],
    ] {
        assert_rejected(
            &command::run(&stage.data(), arguments),
            5,
            &["in use", "admin.sock"],
        );
    }
    for arguments in [&["store", "verify"][..], &["store", "compact"]] {
        assert_rejected(
            &command::run(&stage.data(), arguments),
            5,
            &["admin.sock", "exclusive access", "voight store info"],
        );
    }
    assert!(!out.exists());
}

#[test]
fn flipped_bit_is_reported_or_has_no_effect() {
    let stage = StoreFixture::new();
    let proof = stage.backup().1;
    let mut named_count = 0;
    let mut rejected_count = 0;
    let mut harmless = 0;
    for name in ["voight.redb", "voight.redb.evidence"] {
        let path = stage.data().join(name);
        let store_bytes = fs::read(&path).unwrap();
        for number in 0..tier::volume(50, 200) {
            // Distributed over the whole file, and not the same bit of every page.
            let bit = (number * 2_654_435_761) % (store_bytes.len() * 8);
            let mut damaged_bytes = store_bytes.clone();
            damaged_bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &damaged_bytes).unwrap();
            let url = format!("redb:{}", stage.data().join("voight.redb").display());
            let output = verify(&stage.data(), &url);
            assert!(
                fs::read(&path).unwrap() == damaged_bytes,
                "looking has changed bit {bit} of {name}"
            );
            match (
                output.status.code(),
                serde_json::from_slice::<Value>(&output.stdout),
            ) {
                (Some(0), Ok(_)) => {
                    let out = stage.path("flipped.dump");
                    let second_report =
                        command::json(&stage.data(), &["store", "backup", "--out", text(&out)]);
                    assert_eq!(
                        second_report["hash"], proof["hash"],
                        "bit {bit} of {name} has changed the store unseen"
                    );
                    fs::remove_file(out).unwrap();
                    harmless += 1;
                }
                (Some(1), Ok(findings)) => {
                    assert!(findings["damaged"].as_u64() > Some(0), "{findings}");
                    named_count += 1;
                }
                (Some(1 | 3), Err(_)) => rejected_count += 1,
                (code, _) => panic!(
                    "bit {bit} of {name}: {code:?}, {}",
                    String::from_utf8_lossy(&output.stderr)
                ),
            }
        }
        fs::write(&path, &store_bytes).unwrap();
    }
    assert!(
        named_count > 0,
        "{named_count} named, {rejected_count} refused, {harmless} harmless"
    );
}
