//! Three nodes, of which one after the other is killed; whichever ends is started again.

use crate::nodes::Nodes;
use std::time::Duration;
use voight_tests::ports;
use voight_tests::server::{Server, TestAccount};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Nodes that are kept running, as a service manager does.
pub(crate) struct NodeSupervisor<'a> {
    nodes: &'a Nodes,
    /// Of each, its ports for the public and for operators.
    ports: [(u16, u16); 3],
    running: [Server; 3],
    kills: usize,
    restarts: usize,
}

impl<'a> NodeSupervisor<'a> {
    /// Starts all of them.
    pub(crate) fn start(nodes: &'a Nodes) -> Self {
        let ports = NAMES.map(|_| (ports::free(), ports::free()));
        let running = [0, 1, 2].map(|place| spawn(nodes, place, ports[place]));
        let mut fleet = Self { nodes, ports, running, kills: 0, restarts: 0 };
        fleet.wait_until_ready();
        fleet
    }

    /// Where clients ask.
    pub(crate) fn urls(&self) -> Vec<String> {
        self.running.iter().map(Server::url).collect()
    }

    /// A client with a key and a context, by the first node.
    pub(crate) fn account(&self, name: &str) -> TestAccount {
        self.running[0].account(name)
    }

    /// A node.
    pub(crate) fn node(&mut self, place: usize) -> &mut Server {
        &mut self.running[place]
    }

    /// Kills the next of them, and starts it again.
    pub(crate) fn kill_next(&mut self) {
        let place = self.kills % NAMES.len();
        self.running[place].kill();
        self.kills += 1;
        self.running[place] = spawn(self.nodes, place, self.ports[place]);
    }

    /// How often one was killed.
    pub(crate) const fn kills(&self) -> usize {
        self.kills
    }

    /// Starts those again that have ended by themselves: one that finds no database ends.
    pub(crate) fn restart_exited(&mut self) {
        for place in 0..NAMES.len() {
            if self.running[place].has_ended() {
                self.restarts += 1;
                self.running[place] = spawn(self.nodes, place, self.ports[place]);
            }
        }
    }

    /// How often one had ended by itself.
    pub(crate) const fn restarts(&self) -> usize {
        self.restarts
    }

    /// Waits until all are ready.
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
    Server::spawn_on(&nodes.data_dir(NAMES[place]), public, admin, |command| nodes.settle(command))
}
