//! Change of one rule by a policy.

use super::PolicyError;
use crate::rules::Rule;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::fmt;
use voight_domain::verdict::Nats;

/// Change of one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleChange {
    /// The rule is not evaluated.
    Off,
    /// The rule is reported but has no weight.
    Shadow,
    /// The rule counts with this weight.
    Weight(Nats),
}

impl RuleChange {
    /// Returns the changed rule, or `None` if it is off. A weight must be between 0 and the rule's cap.
    pub(super) fn apply_to(self, rule: &Rule) -> Result<Option<Rule>, PolicyError> {
        let mut changed_rule = *rule;
        match self {
            Self::Off => return Ok(None),
            Self::Shadow => changed_rule.shadow = true,
            Self::Weight(weight) if weight < Nats::ZERO || weight > rule.cap() => {
                return Err(PolicyError::weight(rule, weight));
            }
            Self::Weight(weight) => (changed_rule.weight, changed_rule.shadow) = (weight, false),
        }
        Ok(Some(changed_rule))
    }
}

impl<'de> Deserialize<'de> for RuleChange {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(Reader)
    }
}

struct Reader;

impl Visitor<'_> for Reader {
    type Value = RuleChange;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"off\", \"shadow\", or a weight in nats")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<RuleChange, E> {
        match text {
            "off" => Ok(RuleChange::Off),
            "shadow" => Ok(RuleChange::Shadow),
            other => Err(E::unknown_variant(other, &["off", "shadow"])),
        }
    }

    fn visit_f64<E: Error>(self, nats: f64) -> Result<RuleChange, E> {
        Ok(RuleChange::Weight(Nats::from_f64(nats)))
    }

    fn visit_i64<E: Error>(self, nats: i64) -> Result<RuleChange, E> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "weights are small; a large one is refused either way"
        )]
        self.visit_f64(nats as f64)
    }

    fn visit_u64<E: Error>(self, nats: u64) -> Result<RuleChange, E> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "weights are small; a large one is refused either way"
        )]
        self.visit_f64(nats as f64)
    }
}
