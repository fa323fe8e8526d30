//! Node that dies, or whose clock is wrong.

use super::{CLOCK, NODE};
use crate::cluster::clients::look_up;
use crate::cluster::nodes::OnSchema;
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;
use voight_tests::http;
use voight_tests::server::Server;
use voight_tests::skip::skipped;

/// Downtime of a killed node.
const AWAY: Duration = Duration::from_secs(1);

#[test]
fn the_others_answer_for_a_node_that_is_killed() {
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

/// Returns the library that changes the time of a program, as installed by Debian's package `libfaketime`.
fn faketime() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?.flatten();
    folders.map(|folder| folder.path().join("faketime/libfaketime.so.1")).find(|library| library.exists())
}

#[test]
fn a_clock_that_is_an_hour_off_changes_no_order() {
    let Some(faketime) = faketime() else {
        return skipped("a_clock_that_is_an_hour_off_changes_no_order", "libfaketime is not installed");
    };
    let stage = OnSchema::new("clocks");
    let nodes = [("a", "+0h"), ("b", "+1h"), ("c", "-1h")].map(|(name, offset)| {
        Server::start_with(&stage.nodes.data_dir(name), |command| {
            stage.nodes.settle(command);
            command.env("LD_PRELOAD", &faketime).env("FAKETIME", offset).env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        })
    });
    let account = nodes[0].account("acme");
    let urls: Vec<_> = nodes.iter().map(Server::url).collect();
    // First of the clients' lookups: after a row of the node with the fast clock, all rows would have its time.
    look_up(&http::agent(), &urls[0], &account, 0).expect("an answer");
    CLOCK.is_survived(&account, &urls, |_| {});
    let backwards =
        "SELECT count(*) FROM ledger a JOIN ledger b ON b.client = a.client AND b.seq = a.seq + 1 WHERE b.at < a.at";
    assert_eq!(stage.query_text(backwards), "0", "rows are dated before those that they follow");
    let span = stage.query_text("SELECT max(at) - min(at) FROM ledger").parse::<u64>().expect("milliseconds");
    assert!(span > 3_000_000, "no node had another clock: {span} ms");
    stage.nodes.verify("a");
}
