//! Tables of a later release are distributed like those of the first.

use crate::citus::stage::Stage;
use std::sync::Arc;
use tempfile::TempDir;
use voight_contract::generate::START;
use voight_postgres::{Distribution, Schema, migrate};
use voight_support::ManualClock;
use voight_tests::command;
use voight_tests::test_name;

#[test]
fn later_migration_distributes_its_tables() {
    let name = test_name!();
    let Some(stage) = Stage::on_coordinator(name) else {
        return;
    };
    assert_eq!(
        stage.spread["spread"].as_array().map(Vec::len),
        Some(48),
        "{}",
        stage.spread
    );
    // State of the first migration when it was interrupted before its last table.
    stage.ask(
        "DROP TABLE client_event, event_feed, webhook_endpoint, webhook_delivery, check_count, check_total",
    );
    stage.ask("DELETE FROM schema_version WHERE version > 1");
    stage.ask("DROP TABLE leader_lease");
    stage.ask("UPDATE schema_version SET statements = statements - 1 WHERE version = 1");
    let is_spread = || {
        stage
            .ask("SELECT count(*) FROM pg_dist_partition WHERE logicalrelid::text = 'leader_lease'")
    };
    let folder = TempDir::new().expect("a folder");
    let worker = command::run(
        folder.path(),
        &["store", "migrate", &stage.citus.workers[0].url()],
    );
    let message = String::from_utf8_lossy(&worker.stderr);
    assert!(
        worker.status.code() == Some(3) && message.contains("coordinator"),
        "{message}"
    );
    command::json(
        folder.path(),
        &["store", "migrate", &stage.citus.coordinator.url()],
    );
    assert_eq!(is_spread(), "1");

    // A made-up later release creates a table.
    let made_up = "CREATE TABLE made_up (client bytea NOT NULL, PRIMARY KEY (client));\n";
    let migrations = [Schema::RELEASED.migrations(), &[made_up]].concat().leak();
    let tables = [
        Schema::RELEASED.tables(),
        &[("made_up", Distribution::ByClient)],
    ]
    .concat()
    .leak();
    let later = Schema::new(migrations, tables);
    let url = stage.citus.coordinator.url().parse().expect("a URL");
    migrate(&url, Arc::new(ManualClock::new(START)), later).expect("migrated tables");
    assert_eq!(
        stage.ask("SELECT count(*) FROM pg_dist_partition WHERE logicalrelid::text = 'made_up'"),
        "1"
    );
}

/// Session settings do not reach the connections between the servers.
#[test]
fn lock_timeout_applies_on_workers() {
    let Some(stage) = Stage::on_coordinator(test_name!()) else {
        return;
    };
    for worker in &stage.citus.workers {
        assert_eq!(worker.run("SHOW lock_timeout").as_deref(), Ok("1s"));
        assert_eq!(
            worker
                .run("SHOW idle_in_transaction_session_timeout")
                .as_deref(),
            Ok("30s")
        );
    }
}
