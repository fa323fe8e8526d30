//! Node that dies, or whose clock is wrong.

use super::{CLOCK, NODE};
use crate::cluster::clients::look_up;
use crate::cluster::nodes::OnSchema;
use std::thread;
use std::time::Duration;
use voight_tests::clock;
use voight_tests::http;
use voight_tests::server::Server;
use voight_tests::skip::skipped;
use voight_tests::test_name;

/// Downtime of a killed node.
const AWAY: Duration = Duration::from_secs(1);

#[test]
fn other_nodes_answer_after_a_node_is_killed() {
    let stage = OnSchema::new("killed");
    let mut nodes = ["a", "b", "c"].map(|name| stage.nodes.start(name));
    let account = nodes[0].account("acme");
    let urls: Vec<_> = nodes.iter().map(Server::url).collect();
    NODE.is_survived(&account, &urls, |_| {
        nodes[1].kill();
        thread::sleep(AWAY);
    });
    stage.nodes.verify("a");
}

#[test]
fn clock_skew_of_an_hour_changes_no_order() {
    if let Some(missing) = clock::missing() {
        return skipped(test_name!(), missing);
    }
    let stage = OnSchema::new("clocks");
    let nodes = [("a", "+0h"), ("b", "+1h"), ("c", "-1h")].map(|(name, offset)| {
        Server::start_with(&stage.nodes.data_dir(name), |command| {
            stage.nodes.settle(command);
            clock::shift(command, offset);
        })
    });
    let account = nodes[0].account("acme");
    let urls: Vec<_> = nodes.iter().map(Server::url).collect();
    // First of the clients' lookups: after a row of the node with the fast clock, all rows would have its time.
    look_up(&http::agent(), &urls[0], &account, 0).expect("an answer");
    CLOCK.is_survived(&account, &urls, |_| {});
    let backwards = "SELECT count(*) FROM ledger a JOIN ledger b ON b.client = a.client AND b.seq = a.seq + 1 WHERE b.at < a.at";
    assert_eq!(
        stage.query_text(backwards),
        "0",
        "rows are dated before those that they follow"
    );
    let span = stage
        .query_text("SELECT max(at) - min(at) FROM ledger")
        .parse::<u64>()
        .expect("milliseconds");
    assert!(span > 3_000_000, "no node had another clock: {span} ms");
    stage.nodes.verify("a");
}
