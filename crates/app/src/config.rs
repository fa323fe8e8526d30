//! Configuration: defaults, then a file, then the environment, then flags. A later source overrides an earlier one.
//!
//! Each section has its own file. Every key has a default, so that no configuration is required.

mod allowance;
mod billing;
mod checks;
mod console;
mod diagnostic;
mod enum_value;
mod environment;
mod evidence;
mod key;
mod layer;
mod limits;
mod line_index;
mod list;
mod load;
mod located;
mod log;
mod merged;
mod operator;
mod outbound;
mod reason;
#[cfg(test)]
mod reference;
mod sample;
mod schema;
mod server;
mod store;
mod suggestion;
mod type_mismatch;

pub(crate) use allowance::Allowance;
pub(crate) use billing::Billing;
pub(crate) use checks::Checks;
pub(crate) use console::Console;
pub(crate) use environment::process_environment;
pub(crate) use evidence::Evidence;
pub(crate) use layer::{Flag, Source};
pub(crate) use load::{ConfigSources, Loaded, load, load_text};
pub(crate) use located::{ConfigErrors, LocatedDiagnostic};
pub(crate) use log::Log;
pub(crate) use merged::ConfigEntry;
pub(crate) use operator::Operator;
pub(crate) use outbound::Outbound;
pub(crate) use sample::sample;
#[cfg(test)]
pub(crate) use schema::flags;
pub(crate) use schema::schema;
pub(crate) use server::{ForwardingHeader, Server};
pub(crate) use store::{STORE_URL, Store};

use diagnostic::Diagnostic;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use voight_domain::metering::MeterRules;
use voight_domain::rate_limit::RateLimitPolicy;
use voight_domain::retention::{RetentionPolicy, days};
use voight_domain::services::Policies;

/// Complete configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "Configuration of Voight", deny_unknown_fields)]
pub(crate) struct Config {
    /// Listeners, their limits, and trusted proxies.
    pub(crate) server: Server,
    /// Location of the store and its resources.
    pub(crate) store: Store,
    /// Rate limits. A limit is an average rate, or a burst: the number of requests that may exceed the rate at once.
    pub(crate) limits: RateLimitPolicy,
    /// Free allowance of lookups.
    pub(crate) allowance: Allowance,
    /// Price book, billing periods, and retention of the addresses behind ledger rows.
    pub(crate) billing: Billing,
    /// Proof of work and detection policy of checks.
    pub(crate) checks: Checks,
    /// Retention and maximum size of raw evidence.
    pub(crate) evidence: Evidence,
    /// Name and contact of the operator, shown to visitors.
    pub(crate) operator: Operator,
    /// Pages for operators on the admin listener.
    pub(crate) console: Console,
    /// Connections that the service opens to receivers on the internet. The connection to a database is not one of them.
    pub(crate) outbound: Outbound,
    /// Logs.
    pub(crate) log: Log,
}

impl Config {
    /// Returns the problems of values that are out of range, or contradict each other.
    fn validate(&self) -> Vec<Diagnostic> {
        let mut wrong = schema::out_of_range(self);
        for limit in wrong
            .iter_mut()
            .filter(|problem| problem.key.starts_with("limits."))
        {
            limit
                .message
                .push_str("; limits.enabled = false disables all limits");
        }
        wrong.extend(self.server.contradictions());
        wrong.extend(self.store.contradictions());
        wrong.extend(limits::contradictions(&self.limits));
        wrong.extend(self.billing.contradictions());
        wrong.extend(self.checks.contradictions());
        wrong.extend(self.operator.contradictions());
        wrong.extend(self.console.contradictions());
        wrong.extend(self.outbound.contradictions());
        wrong.extend(self.log.contradictions());
        wrong
    }

    /// Returns the policies of the domain.
    pub(crate) fn policies(&self) -> Policies {
        let metering = MeterRules {
            allowance: self.allowance.lookups,
            reset: self.allowance.reset.into(),
            period_start_day: self.billing.period_start_day(),
            price_book: Arc::new(self.billing.price_book()),
        };
        let retention = RetentionPolicy {
            evidence_retention: days(self.evidence.retention_days),
            address_retention: days(self.billing.address_retention_days),
        };
        Policies {
            metering,
            proof_of_work: self.checks.policy(),
            retention,
        }
    }

    /// Returns advisories: valid settings that an operator should know about.
    fn advisories(&self) -> Vec<Diagnostic> {
        let mut notes = self.billing.notes();
        notes.extend(self.outbound.notes());
        notes
    }
}
