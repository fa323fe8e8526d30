//! What a load came to.

use super::latency::Latency;
use crate::clock::Stopwatch;
use crate::machine::{cpu_time, cpu_time_with_children};
use anyhow::Result;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// The server that is asked.
#[derive(Debug, Clone)]
pub(crate) struct TargetServer {
    /// Its processes, each with the port that it listens at. They are asked on as many connections each.
    nodes: Vec<(u16, u32)>,
    /// The process of the database that it keeps its books in, if that is a server, too.
    database: Option<u32>,
}

impl TargetServer {
    /// A server that relies on no other.
    pub(crate) fn alone(port: u16, process: u32) -> Self {
        Self { nodes: vec![(port, process)], database: None }
    }

    /// A server of so many processes that keeps its books in the database of this process, if that is one.
    pub(crate) fn with_database(nodes: Vec<(u16, u32)>, database: Option<u32>) -> Self {
        Self { nodes, database }
    }

    /// The ports that it listens at, in turns, for ever.
    pub(crate) fn ports(&self) -> impl Iterator<Item = u16> {
        self.nodes.iter().map(|(port, _)| *port).cycle()
    }

    /// The time for which it has used processors, and its database.
    fn cpu_time(&self) -> Result<[Duration; 2]> {
        let database = self.database.map_or(Ok(Duration::ZERO), cpu_time_with_children)?;
        let own = self.nodes.iter().map(|(_, process)| cpu_time_with_children(*process)).sum::<Result<_>>()?;
        Ok([own, database])
    }
}

/// What a load came to.
#[derive(Debug)]
pub(crate) struct LoadMeasurement<A> {
    /// Whoever asked, with what they kept.
    pub(crate) askers: Vec<A>,
    /// How long answers took.
    pub(crate) latency: Latency,
    /// From the first request to the last answer.
    elapsed: Duration,
    /// Processor that the server used meanwhile, its database, and this program.
    cpu: Duration,
    database_cpu: Duration,
    own_cpu: Duration,
}

/// A load that has begun.
pub(super) struct RunningLoad {
    target: TargetServer,
    /// How long answers took, so far.
    pub(super) latency: Rc<RefCell<Latency>>,
    /// Since the beginning.
    pub(super) watch: Stopwatch,
    cpu: [Duration; 2],
    own_cpu: Duration,
}

impl RunningLoad {
    /// Begins. Connections are there already.
    pub(super) fn begin(target: TargetServer) -> Result<Self> {
        Ok(Self {
            cpu: target.cpu_time()?,
            target,
            latency: Rc::new(RefCell::new(Latency::new()?)),
            own_cpu: cpu_time(std::process::id())?,
            watch: Stopwatch::start(),
        })
    }

    /// Ends, after the last answer.
    pub(super) fn end<A>(self, askers: Vec<A>) -> Result<LoadMeasurement<A>> {
        let elapsed = self.watch.elapsed();
        let ([cpu, database_cpu], [cpu_before, database_cpu_before]) = (self.target.cpu_time()?, self.cpu);
        Ok(LoadMeasurement {
            askers,
            latency: self.latency.borrow().clone(),
            elapsed,
            cpu: cpu.saturating_sub(cpu_before),
            database_cpu: database_cpu.saturating_sub(database_cpu_before),
            own_cpu: cpu_time(std::process::id())?.saturating_sub(self.own_cpu),
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "no load has that many answers")]
impl<A> LoadMeasurement<A> {
    /// Answers in a second.
    pub(crate) fn per_second(&self) -> f64 {
        self.latency.answers() as f64 / self.elapsed.as_secs_f64()
    }

    /// Microseconds of processor that were used for an answer: by the server with its database, and by the database alone.
    pub(crate) fn cpu(&self) -> [f64; 2] {
        let each = |cpu: Duration| cpu.as_secs_f64() * 1e6 / self.latency.answers() as f64;
        [each(self.cpu + self.database_cpu), each(self.database_cpu)]
    }

    /// The part of the time for which the core that the load comes from was at work for it.
    pub(crate) fn load_core_utilisation(&self) -> f64 {
        self.own_cpu.as_secs_f64() / self.elapsed.as_secs_f64()
    }
}
