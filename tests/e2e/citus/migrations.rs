//! Tables of a later release are distributed like those of the first.

use crate::stage::Stage;
use tempfile::TempDir;
use voight_tests::command;

#[test]
fn a_later_migration_spreads_its_tables_by_the_coordinator_alone() {
    let name = "a_later_migration_spreads_its_tables_by_the_coordinator_alone";
    let Some(stage) = Stage::on_coordinator(name) else { return };
    assert_eq!(stage.spread["spread"].as_array().map(Vec::len), Some(39), "{}", stage.spread);
    // State of a migration that was interrupted before its last table.
    stage.ask("DROP TABLE leader_lease");
    stage.ask("UPDATE schema_version SET statements = statements - 1 WHERE version = 1");
    let is_spread = || stage.ask("SELECT count(*) FROM pg_dist_partition WHERE logicalrelid::text = 'leader_lease'");
    let folder = TempDir::new().expect("a folder");
    let worker = command::run(folder.path(), &["store", "migrate", &stage.citus.workers[0].url()]);
    let said = String::from_utf8_lossy(&worker.stderr);
    assert!(worker.status.code() == Some(3) && said.contains("coordinator"), "{said}");
    command::json(folder.path(), &["store", "migrate", &stage.citus.coordinator.url()]);
    assert_eq!(is_spread(), "1");
}

/// Session settings do not reach the connections between the servers.
#[test]
fn a_lock_is_waited_for_a_second_on_workers_too() {
    let Some(stage) = Stage::on_coordinator("a_lock_is_waited_for_a_second_on_workers_too") else { return };
    for worker in &stage.citus.workers {
        assert_eq!(worker.run("SHOW lock_timeout").as_deref(), Ok("1s"));
        assert_eq!(worker.run("SHOW idle_in_transaction_session_timeout").as_deref(), Ok("30s"));
    }
}
