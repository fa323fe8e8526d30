//! Hit counters of the rules, so that an operator can observe a shadow rule before it gets a weight.

use crate::verdict::Assessment;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of counters; the rule table of an assessor has several dozen rules.
const MAX_RULES: usize = 256;

/// Rule that fired.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleHit {
    /// The rule's name.
    pub rule: String,
    /// `true` if the finding counted.
    ///
    /// A shadow rule never counts, nor does a rule beside a larger one of its cause group.
    pub counted: bool,
}

/// Counts fired rules since the last call of [`drain`](Self::drain). Clones share one set of counters.
#[derive(Debug, Clone, Default)]
pub struct RuleHitCounters(Arc<Mutex<BTreeMap<RuleHit, u64>>>);

impl RuleHitCounters {
    /// Counts the findings of an assessment. A check that is evaluated again because its receipt was lost is counted
    /// again.
    pub(super) fn record(&self, assessment: &Assessment) {
        let mut hits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for finding in &assessment.findings {
            let sighting = RuleHit {
                rule: finding.rule.clone(),
                counted: finding.counted,
            };
            if hits.len() < MAX_RULES || hits.contains_key(&sighting) {
                *hits.entry(sighting).or_default() += 1;
            }
        }
    }

    /// Returns the counters and resets them.
    pub fn drain(&self) -> BTreeMap<RuleHit, u64> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Finding, Nats};

    fn fired(rule: &str, counted: bool) -> Finding {
        let weight = Nats::from_milli(1000);
        Finding {
            rule: rule.into(),
            group: "g".into(),
            weight,
            hard: false,
            counted,
            reason: String::new(),
        }
    }

    #[test]
    fn rule_hits_accumulate_until_drained() {
        let counters = RuleHitCounters::default();
        let findings = vec![fired("a", true), fired("b", false)];
        let assessment = Assessment {
            findings,
            ..Assessment::default()
        };
        counters.record(&assessment);
        counters.clone().record(&assessment);
        let numbers = |rule: &str, counted| {
            (
                RuleHit {
                    rule: rule.into(),
                    counted,
                },
                2,
            )
        };
        assert_eq!(
            counters.drain(),
            BTreeMap::from([numbers("a", true), numbers("b", false)])
        );
        assert!(counters.drain().is_empty());
    }

    #[test]
    fn rule_hit_counters_are_bounded() {
        let counters = RuleHitCounters::default();
        let findings = (0..1000).map(|at| fired(&at.to_string(), true)).collect();
        counters.record(&Assessment {
            findings,
            ..Assessment::default()
        });
        assert_eq!(counters.drain().len(), MAX_RULES);
    }
}
