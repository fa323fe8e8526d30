//! State that nodes share.

use crate::cluster::clients::Clients;
use crate::cluster::nodes::OnSchema;
use std::thread;
use std::time::Duration;
use voight_tests::command;
use voight_tests::server::Server;

const ADDRESS: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const PAUSE: Duration = Duration::from_millis(20);
/// Time after which a node's cache has expired.
const CACHE_TTL_WAIT: Duration = Duration::from_millis(1_100);
/// Maximum number of looks at a log: half a minute, twice the duration of a lease.
const POLL_ATTEMPTS: u32 = 1_500;

#[test]
fn ledger_of_three_nodes_is_exact_under_a_kill() {
    let stage = OnSchema::new("ledger");
    let mut nodes = ["a", "b", "c"].map(|name| stage.nodes.start(name));
    let account = nodes[0].account("acme");
    let urls: Vec<_> = nodes.iter().map(Server::url).collect();
    let clients = Clients::new(&account, &urls, 400);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| clients.send_lookups());
        }
        while clients.completed() < 100 {
            thread::sleep(PAUSE);
        }
        nodes[1].kill();
        assert!(
            clients.completed() < 400,
            "nothing was under way when the node was killed"
        );
    });
    assert_eq!(
        (stage.count("count(*)"), stage.count("max(seq)")),
        (400, 400),
        "the ledger is not exact"
    );
    stage.nodes.verify("a");
    let info = command::json(nodes[0].data_dir(), &["store", "info"]);
    assert_eq!(
        (&info["engine"], &info["health"]),
        (&"postgres".into(), &"ready".into()),
        "{info}"
    );
}

#[test]
fn key_revoked_at_one_node_is_rejected_at_the_other() {
    let stage = OnSchema::new("keys");
    let first_node = stage.nodes.start("a");
    let second_node = stage.nodes.start("b");
    let account = first_node.account("acme");
    assert_eq!(second_node.look_up(&account, ADDRESS).status, 200);
    command::json(
        first_node.data_dir(),
        &["key", "revoke", &account.key_id, "--yes"],
    );
    assert_eq!(second_node.look_up(&account, ADDRESS).status, 401);
    assert_eq!(stage.count("count(*)"), 1);
}

/// A node may cache the client of a key for a second.
///
/// The cache never rejects a request, and a cached client is verified when the lookup is decided.
#[test]
fn suspension_applies_to_every_node_at_once() {
    let stage = OnSchema::new("suspended");
    let first_node = stage.nodes.start("a");
    let second_node = stage.nodes.start("b");
    let account = first_node.account("acme");
    assert_eq!(second_node.look_up(&account, ADDRESS).status, 200);
    command::json(first_node.data_dir(), &["client", "suspend", "acme"]);
    assert_eq!(
        second_node.look_up(&account, ADDRESS).status,
        403,
        "the client is known as it was before"
    );
    thread::sleep(CACHE_TTL_WAIT);
    assert_eq!(second_node.look_up(&account, ADDRESS).status, 403);
    command::json(first_node.data_dir(), &["client", "resume", "acme"]);
    assert_eq!(
        second_node.look_up(&account, ADDRESS).status,
        200,
        "the client is known to be suspended"
    );
    assert_eq!(stage.count("count(*)"), 2);
}

/// Waits until a node logs that it is the leader.
pub(crate) fn wait_for_leadership(node: &Server) {
    let has_said = || {
        node.log()
            .contains("this node is the leader and runs the background jobs")
    };
    let soon = (0..POLL_ATTEMPTS).any(|_| {
        thread::sleep(PAUSE);
        has_said()
    });
    assert!(
        soon,
        "another node does not do the work beside serving:\n{}",
        node.log()
    );
}

#[test]
fn background_jobs_move_from_a_stopped_or_killed_node() {
    let stage = OnSchema::new("turn");
    let mut first_node = stage.nodes.start("a");
    wait_for_leadership(&first_node);
    let mut second_node = stage.nodes.start("b");
    assert_eq!(first_node.stop(), Some(0));
    wait_for_leadership(&second_node);
    assert_eq!(stage.query_text("SELECT term FROM leader_lease"), "2");
    let third = stage.nodes.start("c");
    second_node.kill();
    wait_for_leadership(&third);
    assert_eq!(stage.query_text("SELECT term FROM leader_lease"), "3");
}
