//! Database server that crashes, hangs, has a full disk or grants no more connections.

use super::{BACKEND, FULL, NO_CONNECTION, PAUSED, SERVER};
use crate::cluster::nodes::Nodes;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use voight_tests::disk::Disk;
use voight_tests::postgres::Cluster;
use voight_tests::process::{self, Signal};
use voight_tests::server::Server;
use voight_tests::skip::skipped;
use voight_tests::test_name;

/// Downtime of a server.
const AWAY: Duration = Duration::from_secs(3);
/// Time for which a server hangs: longer than the timeout of a request.
const HANGS: Duration = Duration::from_secs(24);
/// Size of a disk that a new cluster nearly fills, in MiB.
const DISK_MIB: u64 = 160;
/// Time for which a node is granted no connection.
const WITHOUT: Duration = Duration::from_secs(1);
/// Number of connections that it is granted afterwards: fewer than its maximum.
const GRANTED: u32 = 3;

/// Node on its own database server.
struct DatabaseFixture {
    node: Server,
    nodes: Nodes,
    cluster: Cluster,
    _folder: TempDir,
}

impl DatabaseFixture {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let cluster = Cluster::start(folder.path()).expect("a server");
        let nodes = Nodes::new(cluster.url());
        Self {
            node: nodes.start("a"),
            nodes,
            cluster,
            _folder: folder,
        }
    }
}

/// Backend process of the latest commit of a node.
const OF_A_NODE: &str = "SELECT pid FROM pg_stat_activity WHERE application_name = 'voight' ORDER BY state_change DESC LIMIT 1";

#[test]
fn killed_database_backend_loses_no_data() {
    let rig = DatabaseFixture::start();
    let account = rig.node.account("acme");
    // A server that is back soon enough is retried before a client sees an error.
    BACKEND.may_be_seen(&account, &[rig.node.url()], |_| {
        let backend = rig.cluster.run(OF_A_NODE).expect("a backend");
        process::send(Signal::KILL, backend.trim().parse().expect("an id"))
            .expect("the backend runs");
    });
    rig.nodes.verify("a");
}

#[test]
fn killed_database_server_is_survived() {
    let mut rig = DatabaseFixture::start();
    let account = rig.node.account("acme");
    let url = rig.node.url();
    let node = &rig.node;
    SERVER.is_survived(&account, &[url], |_| {
        rig.cluster.kill();
        thread::sleep(AWAY);
        assert!(
            !node.is_ready(),
            "a node without its database says that it is ready"
        );
        rig.cluster.restart().expect("the server starts again");
    });
    rig.node.wait_until_ready();
    rig.nodes.verify("a");
}

#[test]
fn hanging_database_server_is_survived() {
    let mut rig = DatabaseFixture::start();
    let account = rig.node.account("acme");
    PAUSED.is_survived(&account, &[rig.node.url()], |_| {
        rig.cluster.pause();
        thread::sleep(HANGS);
        assert!(
            !rig.node.is_ready(),
            "a node whose database hangs says that it is ready"
        );
        rig.cluster.resume();
    });
    rig.node.wait_until_ready();
    rig.nodes.verify("a");
}

#[test]
fn full_disk_of_the_database_is_survived() {
    let folder = tempfile::tempdir().expect("a folder");
    // The server may run as another user.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))
        .expect("a folder of ours");
    let disk = match Disk::mount(folder.path(), DISK_MIB) {
        Ok(disk) => disk,
        Err(why) => return skipped(test_name!(), &why),
    };
    let place = disk.path().join("cluster");
    fs::create_dir(&place).expect("a folder");
    let mut cluster = Cluster::start(&place).expect("a server");
    let nodes = Nodes::new(cluster.url());
    let mut node = nodes.start("a");
    let account = node.account("acme");
    FULL.is_survived(&account, &[node.url()], |_| {
        disk.fill(0);
        thread::sleep(AWAY);
        disk.free();
        if cluster.has_ended() {
            cluster.restart().expect("the server starts again");
        }
    });
    node.wait_until_ready();
    nodes.verify("a");
    drop(cluster);
}

#[test]
fn server_without_free_connections_is_retried() {
    let rig = DatabaseFixture::start();
    let sql =
        "CREATE ROLE service LOGIN PASSWORD 'service'; CREATE SCHEMA service AUTHORIZATION service";
    rig.cluster.run(sql).expect("a role");
    let nodes = Nodes::new(format!(
        "postgres://service:service@{}/postgres",
        rig.cluster.address()
    ));
    let node = nodes.start("b");
    let account = node.account("acme");
    NO_CONNECTION.is_survived(&account, &[node.url()], |_| {
        let sql = "ALTER ROLE service CONNECTION LIMIT 0; \
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'service'";
        rig.cluster.run(sql).expect("no connection");
        thread::sleep(WITHOUT);
        rig.cluster.run(&format!("ALTER ROLE service CONNECTION LIMIT {GRANTED}")).expect("some");
    });
    nodes.verify("b");
}
