//! Stores that are moved between files and a database.

use crate::cli::rejection::{assert_rejected, tree};
use crate::store::database::{TestDatabase, UNREACHABLE_URL};
use crate::store::fixture::StoreFixture;
use std::path::Path;
use std::process::Output;
use voight_tests::command;
use voight_tests::engines::urls_of_copies;
use voight_tests::server::Server;

fn copy(stage: &StoreFixture, from: &str, to: &str) -> Output {
    command::run(
        stage.folder.path(),
        &["store", "copy", "--from", from, "--to", to],
    )
}

fn in_files(kind: &str, path: &Path) -> String {
    format!("{kind}:{}", path.display())
}

#[test]
fn store_moves_into_and_out_of_a_database() {
    let stage = StoreFixture::new();
    let database = TestDatabase::new("round");
    let proof = stage.backup().1;
    let redb = in_files("redb", &stage.data().join("voight.redb"));
    let copies = urls_of_copies(stage.folder.path());
    let mut from = &redb;
    for to in [&database.url].into_iter().chain(&copies) {
        let report = command::json(
            stage.folder.path(),
            &["store", "copy", "--from", from, "--to", to],
        );
        assert_eq!(
            (&report["from"]["hash"], &report["to"]["hash"]),
            (&proof["hash"], &proof["hash"]),
            "{from} to {to}"
        );
        assert_eq!(
            (&report["from"]["rows"], &report["to"]["rows"]),
            (&proof["rows"], &proof["rows"]),
            "{from} to {to}"
        );
        from = to;
    }
    for files in &copies {
        assert_eq!(
            command::json(&stage.data(), &["store", "verify", files])["damaged"],
            0
        );
    }
    // A server continues with it, and its new rows are moved as well.
    let node = stage.another("node");
    let mut server = Server::start_with(&node, |command| {
        command.args(["--store", &database.url]);
    });
    assert_eq!(stage.answers(&node), stage.answers(&stage.data()));
    command::json(&node, &["client", "create", "late"]);
    assert_eq!(
        command::json(&node, &["audit", "verify"])["damaged"],
        serde_json::Value::Null
    );
    assert_eq!(server.stop(), Some(0), "{}", server.log());
    let later = in_files("redb", &stage.path("later.redb"));
    assert!(copy(&stage, &database.url, &later).status.success());
    assert_eq!(
        command::json(&stage.data(), &["store", "verify", &later])["damaged"],
        0
    );
}

#[test]
fn restore_into_a_nonempty_database_is_rejected() {
    let stage = StoreFixture::new();
    let database = TestDatabase::new("taken");
    let redb = in_files("redb", &stage.data().join("voight.redb"));
    assert!(copy(&stage, &redb, &database.url).status.success());
    let rows = database.run("SELECT count(*) FROM ledger");
    assert_rejected(
        &copy(&stage, &redb, &database.url),
        3,
        &["a store is at", "already", "search_path"],
    );
    assert_eq!(database.run("SELECT count(*) FROM ledger"), rows);

    let foreign = TestDatabase::new("foreign");
    foreign.run("CREATE TABLE orders (id bigint)");
    assert_rejected(
        &copy(&stage, &redb, &foreign.url),
        3,
        &["something else", "orders"],
    );
    assert_rejected(
        &copy(&stage, &foreign.url, &redb),
        3,
        &["something else", "orders"],
    );
    assert_eq!(foreign.tables(), "orders");

    database
        .run("INSERT INTO schema_version (version, checksum, statements) SELECT 99, checksum, 1 FROM schema_version WHERE version = 1");
    for (from, to) in [
        (&redb, &database.url),
        (&database.url, &in_files("redb", &stage.path("newer.redb"))),
    ] {
        assert_rejected(
            &copy(&stage, from, to),
            3,
            &["version 99", "start the release"],
        );
    }
    assert!(!stage.path("newer.redb").exists());
}

#[test]
fn unsuitable_database_is_rejected_unchanged() {
    let stage = StoreFixture::new();
    let database = TestDatabase::new("refused");
    let redb = in_files("redb", &stage.data().join("voight.redb"));
    let tree_before = tree(stage.folder.path());
    for (url, code, words) in database.that_reject() {
        assert_rejected(&copy(&stage, &redb, &url), code, words);
    }
    let out = in_files("redb", &stage.path("out.redb"));
    assert_rejected(
        &copy(&stage, UNREACHABLE_URL, &out),
        5,
        &["no database answers"],
    );
    assert_rejected(
        &copy(&stage, &database.url, &out),
        4,
        &["there is no store at"],
    );
    assert_eq!(database.tables(), "");
    assert_eq!(tree(stage.folder.path()), tree_before);
}
