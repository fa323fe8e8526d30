//! Targets into which a backup is not restored, with the error messages.

use crate::cli::rejection::{assert_rejected, tree};
use crate::store::fixture::{StoreFixture, text};
use std::fs;
use voight_tests::command;

#[test]
fn backup_of_another_pepper_is_rejected() {
    let stage = StoreFixture::new();
    let (file, proof) = stage.backup();
    let other_dir = stage.path("other");
    fs::create_dir(&other_dir).unwrap();
    fs::write(other_dir.join("pepper"), "ab".repeat(32)).unwrap();
    let tree_before = tree(&other_dir);
    assert!(
        tree_before.contains_key(&other_dir.join("pepper")),
        "{:?}",
        tree_before.keys()
    );
    assert_rejected(
        &command::run(&other_dir, &["store", "restore", text(&file)]),
        3,
        &["full.dump", "another pepper"],
    );
    assert_eq!(tree(&other_dir), tree_before);
    let pepper = fs::read_to_string(stage.data().join("pepper")).unwrap();
    let right = command::voight(&other_dir)
        .env("VOIGHT_PEPPER", pepper.trim())
        .args([
            "--json",
            "--store",
            &format!("redb:{}", other_dir.join("voight.redb").display()),
        ])
        .args(["store", "restore", text(&file)])
        .output()
        .unwrap();
    assert!(
        right.status.success(),
        "{}",
        String::from_utf8_lossy(&right.stderr)
    );
    let report: serde_json::Value = serde_json::from_slice(&right.stdout).unwrap();
    assert_eq!(report["to"]["hash"], proof["hash"]);
}

#[test]
fn files_of_another_store_are_not_replaced() {
    let stage = StoreFixture::new();
    let (file, _) = stage.backup();
    let sidecar = "# Another store\nformat = 1\nid = 01k0ab3cdefghjkmnpqrstvwxy\n";
    for (name, content) in [
        ("voight.redb.id", sidecar.to_owned()),
        ("voight.redb.evidence", "evidence".to_owned()),
        ("voight.redb", "42 ".repeat(5000)),
    ] {
        let other_dir = stage.another(&format!("with {name}"));
        fs::write(other_dir.join(name), content).unwrap();
        let tree_before = tree(&other_dir);
        let output = command::run(&other_dir, &["store", "restore", text(&file)]);
        assert_rejected(&output, 3, &[name, "already exists"]);
        assert_eq!(tree(&other_dir), tree_before, "{name}");
    }
    let foreign = stage.path("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("thesis.txt"), "42").unwrap();
    let output = command::run(&foreign, &["store", "restore", text(&file)]);
    assert_rejected(&output, 3, &["thesis.txt", "--data-dir"]);
    assert_eq!(fs::read_dir(&foreign).unwrap().count(), 1);
}
