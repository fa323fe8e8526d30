//! What a load came to.

use super::latency::Latency;
use crate::clock::Stopwatch;
use crate::machine::cpu_time;
use anyhow::Result;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// The server that is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target {
    /// The port that it listens at.
    pub(crate) port: u16,
    /// Its process.
    pub(crate) process: u32,
}

/// What a load came to.
#[derive(Debug)]
pub(crate) struct Measured<A> {
    /// Whoever asked, with what they kept.
    pub(crate) askers: Vec<A>,
    /// How long answers took.
    pub(crate) latency: Latency,
    /// From the first request to the last answer.
    elapsed: Duration,
    /// Processor that the server used meanwhile, and that this program used.
    cpu: Duration,
    own_cpu: Duration,
}

/// A load that has begun.
pub(super) struct Running {
    target: Target,
    /// How long answers took, so far.
    pub(super) latency: Rc<RefCell<Latency>>,
    /// Since the beginning.
    pub(super) watch: Stopwatch,
    cpu: Duration,
    own_cpu: Duration,
}

impl Running {
    /// Begins. Connections are there already.
    pub(super) fn begin(target: Target) -> Result<Self> {
        Ok(Self {
            target,
            latency: Rc::new(RefCell::new(Latency::new()?)),
            cpu: cpu_time(target.process)?,
            own_cpu: cpu_time(std::process::id())?,
            watch: Stopwatch::start(),
        })
    }

    /// Ends, after the last answer.
    pub(super) fn end<A>(self, askers: Vec<A>) -> Result<Measured<A>> {
        let elapsed = self.watch.elapsed();
        Ok(Measured {
            askers,
            latency: self.latency.borrow().clone(),
            elapsed,
            cpu: cpu_time(self.target.process)?.saturating_sub(self.cpu),
            own_cpu: cpu_time(std::process::id())?.saturating_sub(self.own_cpu),
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "no load has that many answers")]
impl<A> Measured<A> {
    /// Answers in a second.
    pub(crate) fn per_second(&self) -> f64 {
        self.latency.answers() as f64 / self.elapsed.as_secs_f64()
    }

    /// Microseconds of processor that the server used for an answer.
    pub(crate) fn cpu(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.latency.answers() as f64
    }

    /// The part of the time for which the server's core, and the one that the load comes from, were at work for it.
    pub(crate) fn at_work(&self) -> [f64; 2] {
        [self.cpu, self.own_cpu].map(|cpu| cpu.as_secs_f64() / self.elapsed.as_secs_f64())
    }
}
