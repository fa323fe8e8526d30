#![doc = include_str!("../README.md")]

#[cfg(test)]
mod abstention;
mod assessor;
#[cfg(test)]
mod cohorts;
mod combine;
mod expected;
mod facts;
mod gate;
#[cfg(test)]
mod hostile;
mod human;
pub mod model;
mod movement;
mod policy;
mod press;
mod reading;
mod rules;
#[cfg(test)]
mod testing;
mod trace;
pub mod wire;

pub use assessor::RuleAssessor;
pub use expected::{ExpectedRates, MeasuredRate, expected};
pub use movement::{Movement, Point, movement_of_batch};
pub use policy::{DetectionPolicy, FIRST_CUSTOM_VERSION, PolicyError, RuleChange};
pub use rules::{CauseGroup, POLICY_VERSION, REJECTED_SIGNALS, RejectedSignal, Rule, rules};
pub use rules::{RuleRateTable, RuleRates, SampleSize, Sources, rates};
pub use trace::movement_fingerprint;
