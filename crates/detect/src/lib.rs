#![doc = include_str!("../README.md")]

#[cfg(test)]
mod abstention;
mod assessor;
mod batch_summary;
mod combine;
#[cfg(test)]
mod edge_cases;
pub mod evidence_schema;
mod expected_rates;
mod facts;
mod fingerprint;
mod gate;
mod human_signals;
#[cfg(test)]
mod malformed_evidence;
pub mod model;
mod movement;
mod policy;
mod press;
mod rules;
#[cfg(test)]
mod testing;

pub use assessor::RuleAssessor;
pub use expected_rates::{ExpectedRates, MeasuredRate, expected_rates};
pub use fingerprint::movement_fingerprint;
pub use movement::{Movement, Point, movement_of_batch};
pub use policy::{DetectionPolicy, PolicyError, RuleChange};
pub use rules::{
    CauseGroup, FIRST_CUSTOM_VERSION, POLICY_VERSION, REJECTED_SIGNALS, RejectedSignal, Rule, rules,
};
pub use rules::{RuleRateTable, RuleRates, SampleSize, Sources, rates};
