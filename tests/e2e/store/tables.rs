//! Tables of a store in a database: created, migrated, distributed over machines.

use crate::cli::rejection::assert_rejected;
use crate::store::database::TestDatabase;
use serde_json::{Value, json};
use std::process::Output;
use tempfile::TempDir;
use voight_tests::command;

/// Substitute for the functions of the extension that are called, with a log of the calls.
///
/// The substitute rejects a column that is in no key, a table beside one that is not distributed, and one that is distributed already.
const CITUS: &str = "
    CREATE TABLE pg_dist_partition (call bigserial, logicalrelid regclass PRIMARY KEY, how text NOT NULL);
    CREATE FUNCTION citus_version() RETURNS text LANGUAGE sql AS $$ SELECT 'a test' $$;
    CREATE FUNCTION create_distributed_table(spread regclass, by text, colocate_with text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
            WHERE i.indrelid = spread AND i.indisprimary AND a.attname = by;
        IF NOT FOUND THEN RAISE 'no key of % leads with %', spread, by; END IF;
        PERFORM 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass(colocate_with);
        IF NOT FOUND AND colocate_with <> 'none' THEN RAISE '% is not spread yet', colocate_with; END IF;
        INSERT INTO pg_dist_partition (logicalrelid, how) VALUES (spread, by || ' beside ' || colocate_with);
    END $$;
    CREATE TABLE pg_dist_node (groupid int); INSERT INTO pg_dist_node VALUES (0);
    CREATE FUNCTION citus_add_local_table_to_metadata(spread regclass) RETURNS void LANGUAGE sql AS $$
        INSERT INTO pg_dist_partition (logicalrelid, how) VALUES (spread, 'local') $$;
    CREATE FUNCTION create_reference_table(spread regclass) RETURNS void LANGUAGE sql AS $$
        INSERT INTO pg_dist_partition (logicalrelid, how) VALUES (spread, 'copied') $$";

fn store(arguments: &[&str]) -> Output {
    let folder = TempDir::new().expect("a folder");
    command::run(folder.path(), &[&["store"], arguments].concat())
}

fn run_json(arguments: &[&str]) -> Value {
    let folder = TempDir::new().expect("a folder");
    command::json(folder.path(), &[&["store"], arguments].concat())
}

#[test]
fn migration_is_printed_before_it_runs() {
    let database = TestDatabase::new("migrated");
    let plan = run_json(&["migrate", &database.url, "--dry-run"]);
    assert_eq!(
        (&plan["dry_run"], database.tables()),
        (&json!(true), String::new())
    );
    let first = &plan["migrations"][0];
    assert_eq!(
        (&first["version"], first["checksum"].as_str().map(str::len)),
        (&json!(1), Some(64)),
        "{plan}"
    );
    assert!(first["statements"].as_u64() > Some(20), "{plan}");
    assert_eq!(
        run_json(&["migrate", &database.url])["migrations"],
        plan["migrations"]
    );
    assert_eq!(
        run_json(&["migrate", &database.url])["migrations"],
        json!([])
    );
    let checksum =
        database.run("SELECT encode(checksum, 'hex') FROM schema_version WHERE version = 1");
    assert_eq!(Some(checksum.as_str()), first["checksum"].as_str());

    database.run("UPDATE schema_version SET statements = statements - 3 WHERE version = 1");
    let remaining_plan = run_json(&["migrate", &database.url, "--dry-run"]);
    assert_eq!(
        (
            &remaining_plan["migrations"][0]["statements"],
            remaining_plan["migrations"].as_array().map(Vec::len)
        ),
        (&json!(3), Some(1))
    );
}

#[test]
fn tables_of_another_release_stay_unchanged() {
    let changes = [
        (
            "INSERT INTO schema_version (version, checksum, statements) SELECT 99, checksum, 1 FROM schema_version WHERE version = 1",
            "version 99",
        ),
        (
            "UPDATE schema_version SET checksum = decode(repeat('00', 32), 'hex') WHERE version = 1",
            "another migration 1",
        ),
    ];
    for (number, (sql, word)) in changes.into_iter().enumerate() {
        let database = TestDatabase::new(&format!("changed_{number}"));
        run_json(&["init", &database.url]);
        database.run(sql);
        let versions = || {
            database
                .run("SELECT version, checksum, statements FROM schema_version ORDER BY version")
        };
        let versions_before = versions();
        for command in [
            &["migrate", &database.url][..],
            &["migrate", &database.url, "--dry-run"],
            &["init", &database.url],
        ] {
            assert_rejected(&store(command), 3, &[word, "start the release"]);
        }
        assert_eq!(versions(), versions_before);
    }
    let foreign = TestDatabase::new("of_others");
    foreign.run("CREATE TABLE orders (id bigint)");
    for command in [
        &["migrate", &foreign.url][..],
        &["migrate", &foreign.url, "--dry-run"],
        &["init", &foreign.url],
    ] {
        assert_rejected(&store(command), 3, &["something else", "orders"]);
    }
    assert_eq!(foreign.tables(), "orders");
}

#[test]
fn database_without_permission_stays_empty() {
    let database = TestDatabase::new("powerless");
    for (url, code, words) in database.that_reject() {
        for command in [&["migrate", &url][..], &["init", &url]] {
            assert_rejected(&store(command), code, words);
        }
    }
    assert_eq!(database.tables(), "");
    for (command, hint) in [("migrate", "no command is needed"), ("init", "--store")] {
        assert_rejected(
            &store(&[command, "redb:here.redb"]),
            2,
            &["redb:here.redb", "in no database", hint],
        );
    }
}

#[test]
fn tables_are_distributed_only_with_the_complete_extension() {
    let database = TestDatabase::new("alone");
    let half = TestDatabase::new("half");
    let init_distributed = |url: &str| store(&["init", "--distributed", url]);
    assert_rejected(
        &init_distributed(&database.url),
        3,
        &["cannot be spread", "no extension citus", "--distributed"],
    );
    half.run("CREATE FUNCTION citus_version() RETURNS text LANGUAGE sql AS $$ SELECT 'a test' $$");
    assert_rejected(
        &init_distributed(&database.with_functions_of(&half)),
        3,
        &["half installed", "missing", "nothing was changed"],
    );
    half.run(
        &CITUS
            .replace("SELECT 'a test'", "SELECT 1 / 0 || ''")
            .replace("CREATE FUNCTION citus", "CREATE OR REPLACE FUNCTION citus"),
    );
    assert_rejected(
        &init_distributed(&database.with_functions_of(&half)),
        3,
        &["half installed", "division by zero"],
    );
    assert_eq!(database.tables(), "");
}

#[test]
fn tables_are_distributed_while_they_are_empty() {
    let database = TestDatabase::new("spread");
    let citus = TestDatabase::new("citus");
    citus.run(CITUS);
    let url = database.with_functions_of(&citus);
    // The command fails at the ledger, and later resumes there.
    citus.run("ALTER TABLE pg_dist_partition ADD CHECK (logicalrelid::text NOT LIKE '%ledger')");
    assert_rejected(
        &store(&["init", "--distributed", &url]),
        3,
        &["pg_dist_partition"],
    );
    citus.run("ALTER TABLE pg_dist_partition DROP CONSTRAINT pg_dist_partition_logicalrelid_check");
    let report = run_json(&["init", "--distributed", &url]);
    assert_eq!(
        run_json(&["init", "--distributed", &url])["spread"],
        report["spread"],
        "twice is once"
    );
    let how = |table: &str| {
        citus.run(&format!(
            "SELECT how FROM pg_dist_partition WHERE logicalrelid::text LIKE '%{table}'"
        ))
    };
    assert_eq!(
        [
            ".key_digest",
            ".client",
            ".ledger",
            ".evidence_batch",
            ".audit"
        ]
        .map(how),
        [
            "copied",
            "client beside none",
            "client beside client",
            "check_id beside evidence_check",
            "local"
        ]
    );
    let table_count = report["spread"].as_array().expect("a list").len();
    assert_eq!(
        citus.run("SELECT count(*) FROM pg_dist_partition"),
        table_count.to_string()
    );

    // After a store was put into them, it is too late.
    let folder = TempDir::new().expect("a folder");
    command::json(folder.path(), &["--store", &url, "store", "init"]);
    assert_rejected(
        &store(&["init", "--distributed", &url]),
        3,
        &["a store is at", "already"],
    );
}
