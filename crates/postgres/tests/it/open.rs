//! Opening a store: rejected databases, the error messages, and that the database is unchanged.

use crate::common::{open, open_as, schema_name, server};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use voight_contract::block_on;
use voight_contract::generate::{START, ValueGenerator, audit};
use voight_domain::ports::{AdminStore, EventStore, RegistryStore};
use voight_domain::registry::AuditAction;
use voight_domain::vocabulary::Environment;
use voight_postgres::{
    ConcurrentWrites, OpenError, PendingMigration, Schema, StoreSnapshot, migrate,
    pending_migrations,
};
use voight_support::ManualClock;

/// Migration of a made-up later release.
const LATER: &str = "CREATE TABLE made_up (client bytea NOT NULL, PRIMARY KEY (client));\n-- Two statements.\nCREATE INDEX made_up_client ON made_up (client);\n";
/// Schema of the made-up release.
const LATER_SCHEMA: Schema = Schema::new(&LATER_MIGRATIONS, Schema::RELEASED.tables());
const LATER_MIGRATIONS: [&str; 6] = [
    Schema::RELEASED.migrations()[0],
    Schema::RELEASED.migrations()[1],
    Schema::RELEASED.migrations()[2],
    Schema::RELEASED.migrations()[3],
    Schema::RELEASED.migrations()[4],
    LATER,
];

/// Migrates the tables at a URL to the schema of the made-up release.
fn migrate_to_later(url: &str) -> Result<Vec<PendingMigration>, OpenError> {
    migrate(
        &url.parse().expect("a URL"),
        Arc::new(ManualClock::new(START)),
        LATER_SCHEMA,
    )
}

/// Returns the migrations to the schema of the made-up release.
fn pending_to_later(url: &str) -> Result<Vec<PendingMigration>, OpenError> {
    pending_migrations(
        &url.parse().expect("a URL"),
        Arc::new(ManualClock::new(START)),
        LATER_SCHEMA,
    )
}

/// Opens a store, closes it, runs SQL in its schema, and opens it again.
fn reopened_after(sql: &str) -> Result<(), OpenError> {
    let server = server();
    let schema = schema_name();
    let url = server.schema(&schema).expect("a schema");
    drop(open(&url).expect("an empty schema becomes a store"));
    server
        .run(&format!("SET search_path = {schema}; {sql}"))
        .expect("SQL");
    open(&url).map(drop)
}

#[test]
fn empty_schema_becomes_a_store() {
    let server = server();
    let url = server.schema(&schema_name()).expect("a schema");
    let first = open(&url).expect("a store").info();
    assert_eq!(first.engine.as_str(), "postgres");
    assert_eq!(first.format, 5);
    assert_eq!(open(&url).expect("the same store").info(), first);
}

#[test]
fn concurrent_starts_create_one_store() {
    let server = server();
    // Repeated, because the processes conflict at several points and not at each of them in every run.
    for _ in 0..4 {
        let url = server.schema(&schema_name()).expect("a schema");
        let open_results = thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| open(&url).map(|store| store.info())))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("no panic"))
                .collect::<Vec<_>>()
        });
        let first = open_results[0].clone().expect("a store");
        assert!(
            open_results.iter().all(|info| info.as_ref() == Ok(&first)),
            "{open_results:?}"
        );
    }
}

#[test]
fn open_waits_for_running_migration() {
    let server = server();
    let schema = schema_name();
    let url = server.schema(&schema).expect("a schema");
    drop(open(&url).expect("a store"));
    // Longer than the lock timeout of a lookup.
    let lock_statement = format!(
        "BEGIN; SELECT one FROM {schema}.schema_lock FOR UPDATE; SELECT pg_sleep(3); COMMIT"
    );
    let open_result = thread::scope(|scope| {
        let lock_thread = scope.spawn(|| server.run(&lock_statement).expect("a lock"));
        thread::sleep(Duration::from_millis(500));
        assert!(
            !lock_thread.is_finished(),
            "the holder ended before its lock was requested"
        );
        open(&url).map(drop)
    });
    assert_eq!(open_result, Ok(()));
}

#[test]
fn interrupted_migration_continues() {
    for sql in [
        "UPDATE schema_version SET statements = 30 WHERE version = 1; DROP TABLE signing_key; DROP TABLE commit_marker",
        "UPDATE schema_version SET statements = 1 WHERE version = 2; DROP INDEX client_event_age; DROP TABLE event_feed",
        "UPDATE schema_version SET statements = 1 WHERE version = 3; DROP INDEX webhook_endpoint_due; DROP TABLE webhook_delivery",
        "UPDATE schema_version SET statements = 1 WHERE version = 4; DROP INDEX check_count_day; DROP TABLE check_total",
        "UPDATE schema_version SET statements = 0 WHERE version = 5; DROP TABLE console_user",
    ] {
        assert_eq!(reopened_after(sql), Ok(()), "{sql}");
    }
}

#[test]
fn store_of_first_version_is_migrated() {
    let server = server();
    let schema = schema_name();
    let url = server.schema(&schema).expect("a schema");
    let make = ValueGenerator::default();
    let client = make.client(START);
    let entry = audit(AuditAction::ClientCreated, &client.id, START);
    let store = open(&url).expect("a store");
    block_on(store.create_client(client.clone(), entry.clone())).expect("a client");
    drop(store);
    let go_back = "DROP TABLE client_event, event_feed, webhook_endpoint, webhook_delivery, check_count, check_total, console_user;
        DELETE FROM schema_version WHERE version > 1";
    server
        .run(&format!("SET search_path = {schema}; {go_back}"))
        .expect("SQL");
    let store = open(&url).expect("a store of the first version is migrated");
    assert_eq!(store.info().format, 5);
    let key = make.key(client.id, Environment::Live, START);
    block_on(store.create_key(key, entry)).expect("a key");
    let feed = block_on(store.event_feed(client.id)).expect("a feed");
    assert_eq!((feed.last, feed.purged), (1, 0));
}

#[test]
fn tables_of_a_later_release_are_rejected() {
    let server = server();
    let url = server.schema(&schema_name()).expect("a schema");
    drop(open(&url).expect("a store"));
    let pending = pending_to_later(&url).expect("a list");
    let migrations: Vec<_> = pending
        .iter()
        .map(|pending| (pending.version, pending.done, pending.statements))
        .collect();
    assert_eq!(migrations, [(6, 0, 2)]);
    assert!(open(&url).is_ok(), "a list changes nothing");
    assert_eq!(migrate_to_later(&url), Ok(pending));
    assert_eq!(
        migrate_to_later(&url),
        Ok(Vec::new()),
        "a migration is applied once"
    );
    let error = open(&url).err().expect("a newer version is refused");
    assert!(
        matches!(
            error,
            OpenError::Newer {
                found: 6,
                known: 5,
                ..
            }
        ),
        "{error}"
    );
    let snapshot = StoreSnapshot::open(
        &url.parse().expect("a URL"),
        Arc::new(ManualClock::new(START)),
        ConcurrentWrites::Allowed,
    );
    assert!(matches!(
        snapshot.err(),
        Some(OpenError::Newer {
            found: 6,
            known: 5,
            ..
        })
    ));
}

#[test]
fn interrupted_later_migration_continues() {
    let server = server();
    let schema = schema_name();
    let url = server.schema(&schema).expect("a schema");
    drop(open(&url).expect("a store"));
    migrate_to_later(&url).expect("migrated tables");
    // A process may end after a statement and before the statement is counted.
    for sql in ["DROP INDEX made_up_client", "SELECT 1"] {
        let interrupt =
            format!("UPDATE schema_version SET statements = 1 WHERE version = 6; {sql}");
        server
            .run(&format!("SET search_path = {schema}; {interrupt}"))
            .expect("SQL");
        let pending_migrations = migrate_to_later(&url).expect("migrated tables");
        assert_eq!(
            pending_migrations
                .iter()
                .map(|pending| (pending.version, pending.done))
                .collect::<Vec<_>>(),
            [(6, 1)]
        );
        let indexes = format!(
            "SELECT count(*) FROM pg_indexes WHERE schemaname = '{schema}' AND indexname = 'made_up_client'"
        );
        assert_eq!(server.run(&indexes).as_deref(), Ok("1"));
        assert_eq!(pending_to_later(&url), Ok(Vec::new()));
    }
}

#[test]
fn other_pepper_is_rejected() {
    let server = server();
    let url = server.schema(&schema_name()).expect("a schema");
    drop(open(&url).expect("a store"));
    let error = open_as(&url, 8, START)
        .err()
        .expect("another pepper is refused");
    assert!(matches!(error, OpenError::OtherPepper { .. }), "{error}");
    assert!(open(&url).is_ok(), "the store is as it was");
}

#[test]
fn changed_schema_version_is_rejected() {
    let newer_version = "INSERT INTO schema_version (version, checksum, statements) SELECT 99, checksum, 1 FROM schema_version WHERE version = 1";
    let error = reopened_after(newer_version).expect_err("a newer version is refused");
    assert!(
        matches!(
            error,
            OpenError::Newer {
                found: 99,
                known: 5,
                ..
            }
        ),
        "{error}"
    );
    let changed_checksum = "UPDATE schema_version SET checksum = decode(repeat('00', 32), 'hex')";
    let error = reopened_after(changed_checksum).expect_err("another migration is refused");
    assert!(
        matches!(error, OpenError::MigrationMismatch { version: 1, .. }),
        "{error}"
    );
}

#[test]
fn foreign_tables_stay_unchanged() {
    let server = server();
    let schema = schema_name();
    let url = server.schema(&schema).expect("a schema");
    server
        .run(&format!("CREATE TABLE {schema}.orders (id bigint)"))
        .expect("a table");
    let error = open(&url)
        .err()
        .expect("tables of something else are refused");
    assert!(
        matches!(&error, OpenError::Foreign { table, .. } if table == "orders"),
        "{error}"
    );
    let tables =
        format!("SELECT table_name FROM information_schema.tables WHERE table_schema = '{schema}'");
    assert_eq!(server.run(&tables).as_deref(), Ok("orders"));
}

#[test]
fn unsafe_server_settings_are_rejected() {
    let server = server();
    let url = server.schema(&schema_name()).expect("a schema");
    let open_error = |setting: &str| {
        open(&format!("{url}%20-c{setting}"))
            .err()
            .expect("a setting that is refused")
    };
    let standby = open_error("default_transaction_read_only%3Don");
    assert!(matches!(standby, OpenError::ReadOnly { .. }), "{standby}");
    let loose = open_error("synchronous_commit%3Doff");
    assert!(
        loose.to_string().contains("synchronous_commit = off") && loose.to_string().contains("set"),
        "{loose}"
    );
    assert!(
        open(&format!("{url}%20-csynchronous_commit%3Dlocal")).is_ok(),
        "one machine's disk is durable"
    );
}

#[test]
fn missing_privileges_are_reported() {
    let server = server();
    let name = schema_name();
    let url = server.schema(&name).expect("a schema");
    server
        .run(&format!(
            "CREATE ROLE {name} LOGIN PASSWORD 'right' IN ROLE locked"
        ))
        .expect("a role");
    let as_role = |password: &str| {
        url.replace(
            "postgres://postgres@",
            &format!("postgres://{name}{password}@"),
        )
    };
    for password in ["", ":wrong"] {
        let error = open(&as_role(password))
            .err()
            .expect("a password is asked for");
        assert!(matches!(error, OpenError::Unauthorised { .. }), "{error}");
        assert!(!error.to_string().contains(":wrong"), "{error}");
    }
    let error = open(&as_role(":right"))
        .err()
        .expect("a schema of another role");
    assert!(
        matches!(error, OpenError::PermissionDenied { .. }),
        "{error}"
    );
    server
        .run(&format!("GRANT ALL ON SCHEMA {name} TO {name}"))
        .expect("a grant");
    assert!(open(&as_role(":right")).is_ok());
}

#[test]
fn missing_database_is_reported() {
    let server = server();
    let missing = open(&server.url("nowhere", ""))
        .err()
        .expect("no such database");
    assert!(
        matches!(&missing, OpenError::NoDatabase { database, .. } if database == "nowhere"),
        "{missing}"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let silent = open(&format!(
        "postgres://postgres@/postgres?host={}",
        folder.path().display()
    ));
    let silent = silent.err().expect("the server does not answer");
    assert!(matches!(silent, OpenError::Unreachable { .. }), "{silent}");
}
