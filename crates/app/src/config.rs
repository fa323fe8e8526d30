//! The configuration: defaults, then a file, then the environment, then flags; the later wins.
//!
//! One file is one section. Every key of a section has a default, so that nothing has to be configured.

mod allowance;
mod checks;
mod evidence;
mod layer;
mod limits;
mod list;
mod load;
mod locate;
mod log;
mod misfit;
mod nearest;
mod server;
mod store;

pub(crate) use allowance::Allowance;
pub(crate) use checks::Checks;
pub(crate) use evidence::Evidence;
pub(crate) use layer::Flag;
pub(crate) use limits::Limits;
pub(crate) use load::{Entry, Inputs, Loaded, Problem, Problems, load, load_text};
pub(crate) use log::Log;
pub(crate) use server::{ForwardingHeader, Server};
pub(crate) use store::Store;

use serde::Serialize;

/// The whole configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Config {
    /// Listeners, their limits, and proxies.
    pub(crate) server: Server,
    /// Where state is kept.
    pub(crate) store: Store,
    /// Rate limits.
    pub(crate) limits: Limits,
    /// The free allowance.
    pub(crate) allowance: Allowance,
    /// Checks.
    pub(crate) checks: Checks,
    /// Raw evidence.
    pub(crate) evidence: Evidence,
    /// Logs.
    pub(crate) log: Log,
}

impl Config {
    /// What is wrong with values that are each fine alone.
    fn contradictions(&self) -> Vec<String> {
        let mut wrong = self.server.contradictions();
        wrong.extend(self.store.contradictions());
        wrong.extend(self.limits.contradictions());
        wrong.extend(self.allowance.contradictions());
        wrong.extend(self.checks.contradictions());
        wrong.extend(self.evidence.contradictions());
        wrong.extend(self.log.contradictions());
        wrong
    }
}
