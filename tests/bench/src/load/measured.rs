//! Measurement of a load.

use super::latency::Latency;
use crate::clock::Stopwatch;
use crate::machine::{cpu_time, cpu_time_with_children};
use anyhow::Result;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// Server under load.
#[derive(Debug, Clone)]
pub(crate) struct TargetServer {
    /// Processes with the port of each. They have equal numbers of connections.
    nodes: Vec<(u16, u32)>,
    /// Process of the server's database, if that is a server, too.
    database: Option<u32>,
}

impl TargetServer {
    /// Creates a server of one process without a database server.
    pub(crate) fn alone(port: u16, process: u32) -> Self {
        Self {
            nodes: vec![(port, process)],
            database: None,
        }
    }

    /// Creates a server of these processes with the process of its database, if any.
    pub(crate) fn with_database(nodes: Vec<(u16, u32)>, database: Option<u32>) -> Self {
        Self { nodes, database }
    }

    /// Returns the ports in an endless cycle.
    pub(crate) fn ports(&self) -> impl Iterator<Item = u16> {
        self.nodes.iter().map(|(port, _)| *port).cycle()
    }

    /// Returns the CPU time of the server, and that of its database.
    fn cpu_time(&self) -> Result<[Duration; 2]> {
        let database = self
            .database
            .map_or(Ok(Duration::ZERO), cpu_time_with_children)?;
        let node_time = self
            .nodes
            .iter()
            .map(|(_, process)| cpu_time_with_children(*process))
            .sum::<Result<_>>()?;
        Ok([node_time, database])
    }
}

/// Measurement of a load.
#[derive(Debug)]
pub(crate) struct LoadMeasurement<A> {
    /// Load clients with their state after the load.
    pub(crate) clients: Vec<A>,
    /// Latency distribution.
    pub(crate) latency: Latency,
    /// Time from the first request to the last response.
    elapsed: Duration,
    /// CPU time during the load: of the server, of its database, and of this program.
    cpu: Duration,
    database_cpu: Duration,
    own_cpu: Duration,
}

/// Load in progress.
pub(super) struct RunningLoad {
    target: TargetServer,
    /// Latencies so far.
    pub(super) latency: Rc<RefCell<Latency>>,
    /// Stopwatch since the start.
    pub(super) stopwatch: Stopwatch,
    cpu: [Duration; 2],
    own_cpu: Duration,
}

impl RunningLoad {
    /// Starts the measurement. The connections are open already.
    pub(super) fn begin(target: TargetServer) -> Result<Self> {
        Ok(Self {
            cpu: target.cpu_time()?,
            target,
            latency: Rc::new(RefCell::new(Latency::new()?)),
            own_cpu: cpu_time(std::process::id())?,
            stopwatch: Stopwatch::start(),
        })
    }

    /// Ends the measurement after the last response.
    pub(super) fn end<A>(self, clients: Vec<A>) -> Result<LoadMeasurement<A>> {
        let duration = self.stopwatch.elapsed();
        let [cpu, database_cpu] = self.target.cpu_time()?;
        let [cpu_before, database_cpu_before] = self.cpu;
        Ok(LoadMeasurement {
            clients,
            latency: self.latency.borrow().clone(),
            elapsed: duration,
            cpu: cpu.saturating_sub(cpu_before),
            database_cpu: database_cpu.saturating_sub(database_cpu_before),
            own_cpu: cpu_time(std::process::id())?.saturating_sub(self.own_cpu),
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "the number of responses fits")]
impl<A> LoadMeasurement<A> {
    /// Returns the responses per second.
    pub(crate) fn per_second(&self) -> f64 {
        self.latency.answers() as f64 / self.elapsed.as_secs_f64()
    }

    /// Returns the CPU time per response in microseconds, for the whole server and for its database.
    pub(crate) fn cpu(&self) -> [f64; 2] {
        let each = |cpu: Duration| cpu.as_secs_f64() * 1e6 / self.latency.answers() as f64;
        [each(self.cpu + self.database_cpu), each(self.database_cpu)]
    }

    /// Returns the share of the time in which the load used its core.
    pub(crate) fn load_core_utilisation(&self) -> f64 {
        self.own_cpu.as_secs_f64() / self.elapsed.as_secs_f64()
    }
}
