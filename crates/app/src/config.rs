//! The configuration: defaults, then a file, then the environment, then flags; the later wins.
//!
//! One file is one section. Every key of a section has a default, so that nothing has to be configured.

mod allowance;
mod billing;
mod checks;
mod evidence;
mod key;
mod layer;
mod limits;
mod lines;
mod list;
mod load;
mod log;
mod merged;
mod message;
mod misfit;
mod nearest;
mod networks;
mod operator;
mod reason;
mod remark;
mod server;
mod store;
mod word;

pub(crate) use allowance::Allowance;
pub(crate) use billing::Billing;
pub(crate) use checks::Checks;
pub(crate) use evidence::Evidence;
pub(crate) use layer::Flag;
pub(crate) use limits::Limits;
pub(crate) use load::{ConfigEntry, ConfigSources, Loaded, load, load_text};
pub(crate) use log::Log;
pub(crate) use message::{ConfigErrors, LocatedDiagnostic};
pub(crate) use operator::Operator;
pub(crate) use server::{ForwardingHeader, Server};
pub(crate) use store::Store;

use remark::Diagnostic;
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
    /// What lookups cost.
    pub(crate) billing: Billing,
    /// Checks.
    pub(crate) checks: Checks,
    /// Raw evidence.
    pub(crate) evidence: Evidence,
    /// The operator, as visitors are told.
    pub(crate) operator: Operator,
    /// Logs.
    pub(crate) log: Log,
}

impl Config {
    /// What is wrong with values that are each fine alone.
    fn validate(&self) -> Vec<Diagnostic> {
        let mut wrong = self.server.contradictions();
        wrong.extend(self.store.contradictions());
        wrong.extend(self.limits.contradictions());
        wrong.extend(self.allowance.contradictions());
        wrong.extend(self.billing.contradictions());
        wrong.extend(self.checks.contradictions());
        wrong.extend(self.evidence.contradictions());
        wrong.extend(self.operator.contradictions());
        wrong.extend(self.log.contradictions());
        wrong
    }

    /// What is sound, but should be known.
    fn advisories(&self) -> Vec<Diagnostic> {
        self.billing.notes()
    }
}
