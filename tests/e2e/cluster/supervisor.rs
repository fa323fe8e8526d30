//! Three nodes, which are killed one after the other; each that ends is restarted.

use crate::cluster::nodes::Nodes;
use std::time::Duration;
use voight_tests::ports;
use voight_tests::server::{Server, TestAccount};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Supervisor that restarts nodes, as a service manager does.
pub(crate) struct NodeSupervisor<'a> {
    nodes: &'a Nodes,
    /// Public and admin port of each node.
    ports: [(u16, u16); 3],
    running: [Server; 3],
    kills: usize,
    restarts: usize,
}

impl<'a> NodeSupervisor<'a> {
    /// Starts all nodes.
    pub(crate) fn start(nodes: &'a Nodes) -> Self {
        let ports = NAMES.map(|_| (ports::free(), ports::free()));
        let running = [0, 1, 2].map(|place| spawn(nodes, place, ports[place]));
        let mut fleet = Self {
            nodes,
            ports,
            running,
            kills: 0,
            restarts: 0,
        };
        fleet.wait_until_ready();
        fleet
    }

    /// Returns the public URLs of the nodes.
    pub(crate) fn urls(&self) -> Vec<String> {
        self.running.iter().map(Server::url).collect()
    }

    /// Creates a client with a key and a context, by the first node.
    pub(crate) fn account(&self, name: &str) -> TestAccount {
        self.running[0].account(name)
    }

    /// Returns a node.
    pub(crate) fn node(&mut self, place: usize) -> &mut Server {
        &mut self.running[place]
    }

    /// Kills the next node, and restarts it.
    pub(crate) fn kill_next(&mut self) {
        let place = self.kills % NAMES.len();
        self.running[place].kill();
        self.kills += 1;
        self.running[place] = spawn(self.nodes, place, self.ports[place]);
    }

    /// Returns the number of kills.
    pub(crate) const fn kills(&self) -> usize {
        self.kills
    }

    /// Restarts the nodes that have ended by themselves, as a node without a database does.
    pub(crate) fn restart_exited(&mut self) {
        for place in 0..NAMES.len() {
            if self.running[place].has_ended() {
                self.restarts += 1;
                self.running[place] = spawn(self.nodes, place, self.ports[place]);
            }
        }
    }

    /// Returns the number of nodes that had ended by themselves.
    pub(crate) const fn restarts(&self) -> usize {
        self.restarts
    }

    /// Waits until all nodes are ready.
    pub(crate) fn wait_until_ready(&mut self) {
        for _ in 0..300 {
            self.restart_exited();
            if self.running.iter().all(Server::is_ready) {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let logs: Vec<_> = self.running.iter().map(Server::last_line).collect();
        panic!("not all nodes are ready after half a minute: {logs:#?}");
    }
}

fn spawn(nodes: &Nodes, place: usize, (public, admin): (u16, u16)) -> Server {
    Server::spawn_on(&nodes.data_dir(NAMES[place]), public, admin, |command| {
        nodes.settle(command);
    })
}
