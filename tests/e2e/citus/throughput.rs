//! Lookups per second of one node with fifty clients: on one PostgreSQL server, and on Citus workers.
//!
//! The two are measured alternately.

use crate::citus::stage::Stage;
use crate::cluster::clients::look_up;
use crate::cluster::nodes::Nodes;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use voight_tests::http;
use voight_tests::postgres::Cluster;
use voight_tests::server::{Server, TestAccount};
use voight_tests::test_name;

const CLIENTS: usize = 50;
const ROUNDS: usize = 3;
const ROUND: Duration = Duration::from_secs(4);

/// Returns the lookups per second of all accounts together, with one connection each.
fn rate(node: &Server, accounts: &[TestAccount], started_count: &AtomicUsize) -> f64 {
    let is_over = AtomicBool::new(false);
    let answer_counter = AtomicUsize::new(0);
    let url = node.url();
    let start = Instant::now();
    thread::scope(|scope| {
        for account in accounts {
            scope.spawn(|| {
                let agent = http::agent();
                while !is_over.load(Ordering::Relaxed) {
                    let number = started_count.fetch_add(1, Ordering::Relaxed);
                    let answer = look_up(&agent, &url, account, number).expect("an answer");
                    assert_eq!(answer.status, 200, "{}", answer.body);
                    answer_counter.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        thread::sleep(ROUND);
        is_over.store(true, Ordering::Relaxed);
    });
    let answer_count = u32::try_from(answer_counter.into_inner()).expect("few enough");
    f64::from(answer_count) / start.elapsed().as_secs_f64()
}

#[test]
fn one_node_on_workers_answers_a_quarter_of_what_it_does_on_one_server() {
    let name = test_name!();
    let Some(stage) = Stage::on_workers(name) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let server = Cluster::start(folder.path()).expect("a server");
    let nodes = Nodes::new(server.url());
    let alone = nodes.start("single");
    let distributed_node = stage.nodes.start("spread");
    let started_count = AtomicUsize::new(0);
    let accounts = |node: &Server| {
        (0..CLIENTS)
            .map(|number| node.account(&format!("client-{number}")))
            .collect()
    };
    let (single_accounts, distributed_accounts): (Vec<_>, Vec<_>) =
        (accounts(&alone), accounts(&distributed_node));
    let mut rates = Vec::new();
    for _ in 0..ROUNDS {
        rates.push((
            rate(&alone, &single_accounts, &started_count),
            rate(&distributed_node, &distributed_accounts, &started_count),
        ));
    }
    let sum = |pick: fn(&(f64, f64)) -> f64| rates.iter().map(pick).sum::<f64>() / 3.0;
    let single = sum(|rate| rate.0);
    let distributed_rate = sum(|rate| rate.1);
    println!(
        "lookups a second over {CLIENTS} clients: {single:.0} on one server, {distributed_rate:.0} on two workers; {rates:.0?}"
    );
    crate::citus::figures::note(
        "throughput",
        &serde_json::json!({ "clients": CLIENTS, "single_per_second": single.round(), "citus_per_second": distributed_rate.round() }),
    );
    assert!(
        distributed_rate * 4.0 >= single,
        "{distributed_rate:.0} a second on workers, {single:.0} on one server"
    );
}
