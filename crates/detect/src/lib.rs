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
pub use expected::{Expected, MeasuredShare, expected};
pub use movement::{Movement, Point, recorded};
pub use policy::{Change, FIRST_OWN_VERSION, Policy, PolicyError};
pub use rules::{CauseGroup, NOT_RULES, NotRule, POLICY_VERSION, Rule, rules};
pub use rules::{Rates, RuleRates, Sample, Sources, rates};
pub use trace::trace;
