//! Primary and its synchronous standby.

use super::{HUNG_PRIMARY, NO_STANDBY, PROMOTION};
use crate::cluster::nodes::Nodes;
use std::thread;
use std::time::Duration;
use voight_tests::postgres::PrimaryStandby;

/// Time without a reaction of the operator.
const UNNOTICED: Duration = Duration::from_secs(3);

/// Time for which a primary has no standby: longer than the timeout of a request.
const ALONE: Duration = Duration::from_secs(22);

#[test]
fn standby_takes_over_from_a_killed_primary() {
    let mut pair = PrimaryStandby::start().expect("a primary and a standby");
    let nodes = Nodes::new(pair.url());
    let mut node = nodes.start("a");
    let account = node.account("acme");
    PROMOTION.is_survived(&account, &[node.url()], |_| {
        pair.primary.kill();
        thread::sleep(UNNOTICED);
        pair.promote().expect("the standby takes over");
    });
    node.wait_until_ready();
    nodes.verify("a");
}

#[test]
fn standby_takes_over_from_a_hanging_primary() {
    let pair = PrimaryStandby::start().expect("a primary and a standby");
    let nodes = Nodes::new(pair.url());
    let mut node = nodes.start("a");
    let account = node.account("acme");
    // A request may wait until the node has found the new one.
    HUNG_PRIMARY.may_be_seen(&account, &[node.url()], |_| {
        pair.primary.pause();
        thread::sleep(UNNOTICED);
        pair.promote().expect("the standby takes over");
    });
    node.wait_until_ready();
    let rows = || {
        pair.standby
            .run("SELECT count(*) FROM ledger")
            .expect("a number")
    };
    let rows_before = rows();
    pair.primary.resume();
    thread::sleep(UNNOTICED);
    assert_eq!(
        rows(),
        rows_before,
        "what the old primary does reaches the new one"
    );
}

#[test]
fn answer_follows_the_sync_on_both_servers() {
    let mut pair = PrimaryStandby::start().expect("a primary and a standby");
    let nodes = Nodes::new(pair.url());
    let mut node = nodes.start("a");
    let account = node.account("acme");
    NO_STANDBY.is_survived(&account, &[node.url()], |clients| {
        pair.standby.kill();
        // Commits that reached both disks by then may still be answered.
        thread::sleep(UNNOTICED);
        let completed_before = clients.completed();
        thread::sleep(ALONE);
        assert_eq!(
            clients.completed(),
            completed_before,
            "a lookup is answered that is on one disk alone"
        );
        pair.standby.restart().expect("the standby is back");
    });
    node.wait_until_ready();
    nodes.verify("a");
}
