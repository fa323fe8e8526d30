//! The guide's commands for moving a store, executed; only the database and the data directory are replaced.

use crate::store::database::TestDatabase;
use crate::store::fixture::StoreFixture;
use std::process::Output;
use voight_tests::guide;

const GUIDE: &str = include_str!("../../../docs/guides/cluster-with-postgresql.md");

/// Runs the block that follows `<!-- run: name -->` in the directory of the fixture.
fn run(name: &str, stage: &StoreFixture, database: &TestDatabase) -> Output {
    let url = format!("'{}'", database.url);
    let script = ["db.example", "db0.example"]
        .iter()
        .fold(guide::block(GUIDE, name).to_owned(), |script, host| {
            script.replace(&format!("postgres://voight@{host}/voight"), &url)
        });
    let mut shell = guide::shell(&script.replace("voight-data", "data"));
    shell
        .current_dir(stage.folder.path())
        .output()
        .expect("bash starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn guide_moves_a_store_into_a_database_and_back() {
    let stage = StoreFixture::new();
    let database = TestDatabase::new("guide");
    // Its command that distributes tables needs an extension that is not installed.
    let rejected_output = run("spread", &stage, &database);
    assert_eq!(
        rejected_output.status.code(),
        Some(3),
        "{}",
        text(&rejected_output.stderr)
    );
    let run_block = |name: &str| {
        let output = run(name, &stage, &database);
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    assert!(run_block("migrate").contains("nothing was changed"));
    assert!(
        database.tables().contains("ledger"),
        "tables are made in an empty database"
    );
    let proof = stage.backup().1;
    let hash = proof["hash"].as_str().expect("a hash");
    assert_eq!(
        run_block("move").matches(hash).count(),
        2,
        "both sides have the hash of the backup"
    );
    let back = run_block("back");
    assert!(
        back.matches(hash).count() == 2 && back.contains("is valid"),
        "{back}"
    );
    assert_eq!(
        stage.answers(&stage.path("back")),
        stage.answers(&stage.data())
    );
}
