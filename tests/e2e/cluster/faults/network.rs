//! Connection between a node and its database.

use super::{LINE_BREAKS, LINE_IS_LATE, LINE_IS_SILENT};
use crate::cluster::nodes::Nodes;
use std::thread;
use std::time::Duration;
use voight_tests::postgres::{Cluster, FaultProxy, NetworkFault};
use voight_tests::server::Server;

/// Time for which committing connections are silent.
const SILENCE: Duration = Duration::from_secs(1);

/// Node whose database is behind a fault proxy.
struct ProxyFixture {
    node: Server,
    line: FaultProxy,
    nodes: Nodes,
    _cluster: Cluster,
    _folder: tempfile::TempDir,
}

impl ProxyFixture {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let cluster = Cluster::start(folder.path()).expect("a server");
        let line = FaultProxy::to_cluster(&cluster);
        let nodes = Nodes::new(cluster.url_on_port(line.port()));
        Self {
            node: nodes.start("a"),
            line,
            nodes,
            _cluster: cluster,
            _folder: folder,
        }
    }
}

#[test]
fn broken_connection_to_the_database_is_retried() {
    let rig = ProxyFixture::start();
    let troubles = [
        NetworkFault::Before,
        NetworkFault::Half,
        NetworkFault::HalfAnswered,
        NetworkFault::After,
        NetworkFault::Reset,
    ];
    for (number, trouble) in troubles.into_iter().enumerate() {
        let account = rig.node.account(&format!("client-{number}"));
        let times_before = rig.line.times();
        LINE_BREAKS.is_survived(&account, &[rig.node.url()], |_| rig.line.inject(trouble));
        assert!(
            rig.line.times() > times_before,
            "{trouble:?} has not happened"
        );
        rig.line.inject(NetworkFault::None);
    }
    rig.nodes.verify("a");
}

#[test]
fn slow_connection_to_the_database_is_survived() {
    let rig = ProxyFixture::start();
    let account = rig.node.account("acme");
    LINE_IS_LATE.is_survived(&account, &[rig.node.url()], |_| {
        rig.line.inject(NetworkFault::Late);
    });
    assert!(rig.line.times() > 0, "nothing was late");
}

#[test]
fn silent_connections_time_out() {
    let rig = ProxyFixture::start();
    let account = rig.node.account("acme");
    LINE_IS_SILENT.is_survived(&account, &[rig.node.url()], |_| {
        rig.line.inject(NetworkFault::HalfOpen);
        thread::sleep(SILENCE);
        rig.line.inject(NetworkFault::None);
    });
    assert!(rig.line.times() > 0, "no connection went silent");
    rig.nodes.verify("a");
}
