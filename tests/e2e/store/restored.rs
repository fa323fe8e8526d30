//! Targets into which a backup is not restored, with the error messages.

use crate::cli::refusal::{assert_refused, tree};
use crate::store::fixture::{StoreFixture, text};
use std::fs;
use voight_tests::command;

#[test]
fn backup_of_another_pepper_is_refused() {
    let stage = StoreFixture::new();
    let (file, proof) = stage.backup();
    let other = stage.path("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("pepper"), "ab".repeat(32)).unwrap();
    let before = tree(&other);
    assert!(
        before.contains_key(&other.join("pepper")),
        "{:?}",
        before.keys()
    );
    assert_refused(
        &command::run(&other, &["store", "restore", text(&file)]),
        3,
        &["full.dump", "another pepper"],
    );
    assert_eq!(tree(&other), before);
    let pepper = fs::read_to_string(stage.data().join("pepper")).unwrap();
    let right = command::voight(&other)
        .env("VOIGHT_PEPPER", pepper.trim())
        .args([
            "--json",
            "--store",
            &format!("redb:{}", other.join("voight.redb").display()),
        ])
        .args(["store", "restore", text(&file)])
        .output()
        .unwrap();
    assert!(
        right.status.success(),
        "{}",
        String::from_utf8_lossy(&right.stderr)
    );
    let done: serde_json::Value = serde_json::from_slice(&right.stdout).unwrap();
    assert_eq!(done["to"]["hash"], proof["hash"]);
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
        let other = stage.another(&format!("with {name}"));
        fs::write(other.join(name), content).unwrap();
        let before = tree(&other);
        let restored = command::run(&other, &["store", "restore", text(&file)]);
        assert_refused(&restored, 3, &[name, "already exists"]);
        assert_eq!(tree(&other), before, "{name}");
    }
    let foreign = stage.path("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("thesis.txt"), "42").unwrap();
    let restored = command::run(&foreign, &["store", "restore", text(&file)]);
    assert_refused(&restored, 3, &["thesis.txt", "--data-dir"]);
    assert_eq!(fs::read_dir(&foreign).unwrap().count(), 1);
}
