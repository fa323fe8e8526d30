//! First commands of an operator on Citus.

use crate::citus::stage::{Stage, distribute};
use crate::cluster::clients::Clients;
use std::fs;
use std::thread;
use tempfile::TempDir;
use voight_tests::command;
use voight_tests::postgres::{Citus, Cluster};
use voight_tests::test_name;

const WHO: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// Citus specifics: certificates of X.509 version 1, views beside the tables, and joins by client only.
#[test]
fn a_key_is_answered_over_tls_with_default_settings() {
    let Some(stage) = Stage::on_coordinator(test_name!()) else {
        return;
    };
    assert_eq!(stage.ask("SHOW ssl"), "on");
    let node = stage.nodes.start("a");
    let account = node.account("acme");
    assert_eq!(node.look_up(&account, WHO).status, 200);
    let tls_query = "SELECT bool_and(s.ssl) FROM pg_stat_activity a JOIN pg_stat_ssl s USING (pid) \
        WHERE a.application_name = 'voight'";
    assert_eq!(stage.ask(tls_query), "t");
    assert_eq!(distribute_again(&stage.citus), 3, "a store is in it");
    stage.nodes.verify("a");
}

fn distribute_again(citus: &Citus) -> i32 {
    let folder = TempDir::new().expect("a folder");
    let output = command::run(
        folder.path(),
        &["store", "init", "--distributed", &citus.coordinator.url()],
    );
    output.status.code().expect("an exit code")
}

#[test]
fn a_lookup_is_neither_copied_nor_committed_in_two_phases() {
    let name = test_name!();
    let Some(stage) = Stage::on_coordinator(name) else {
        return;
    };
    let node = stage.nodes.start("a");
    let account = node.account("acme");
    for worker in &stage.citus.workers {
        worker
            .run("ALTER SYSTEM SET log_statement = 'all'")
            .expect("a setting");
        worker.reload().expect("a reload");
    }
    for address in 0..20 {
        assert_eq!(
            node.look_up(&account, &format!("0x{address:040x}")).status,
            200
        );
    }
    let logs: String = stage.citus.workers.iter().map(Cluster::log).collect();
    assert!(
        logs.contains("INSERT INTO public.ledger"),
        "the workers do not log statements"
    );
    let is_dear = |line: &&str| line.contains("COPY ") || line.contains("PREPARE TRANSACTION");
    let dear: Vec<_> = logs.lines().filter(is_dear).collect();
    assert!(dear.is_empty(), "{dear:#?}");
}

#[test]
fn store_is_copied_in_both_directions() {
    let Some(citus) = Citus::start_or_skip(test_name!()) else {
        return;
    };
    distribute(&citus);
    let (folder, data_dir) = command::installation();
    for number in 0..12 {
        let name = format!("client-{number}");
        command::json(&data_dir, &["client", "create", &name]);
        command::json(&data_dir, &["key", "create", "--client", &name]);
    }
    let from = format!("redb:{}", data_dir.join("voight.redb").display());
    let to = citus.coordinator.url();
    let copy_report = command::json(&data_dir, &["store", "copy", "--from", &from, "--to", &to]);
    let back_dir = folder.path().join("back");
    fs::create_dir(&back_dir).expect("a folder");
    fs::copy(data_dir.join("pepper"), back_dir.join("pepper")).expect("the pepper");
    let back = format!("redb:{}", back_dir.join("voight.redb").display());
    let return_report = command::json(&back_dir, &["store", "copy", "--from", &to, "--to", &back]);
    println!("{copy_report}\n{return_report}");
    assert_eq!(copy_report["hash"], return_report["hash"]);
}

/// Without `--quiesce` the servers are read at different times, which the output of the copy reports.
#[test]
fn quiesced_copy_is_consistent_under_load() {
    let Some(stage) = Stage::on_coordinator(test_name!()) else {
        return;
    };
    let node = stage.nodes.start("a");
    let account = node.account("acme");
    let urls = [node.url()];
    let clients = Clients::new(&account, &urls, 300);
    let folder = TempDir::new().expect("a folder");
    let url = stage.citus.coordinator.url();
    let copy = |name: &str, more: &[&str]| {
        let to = format!("redb:{}", folder.path().join(name).display());
        let output = stage.nodes.run(
            "a",
            &[
                &["--json", "store", "copy", "--from", &url, "--to", &to],
                more,
            ]
            .concat(),
        );
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let copy_report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        copy_report["moment"].as_str().expect("a moment").to_owned()
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| clients.send_lookups());
        }
        assert_eq!(copy("quiesced.redb", &["--quiesce"]), "quiesced");
        assert!(
            clients.completed() < clients.total(),
            "nothing was under way"
        );
    });
    assert!(
        clients.rows() == (1..=300).collect::<Vec<_>>(),
        "{}",
        clients.report()
    );
    assert_eq!(copy("several.redb", &[]), "several");
    let to = format!("redb:{}", folder.path().join("quiesced.redb").display());
    let output = command::run(folder.path(), &["store", "verify", &to]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
