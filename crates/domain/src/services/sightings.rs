//! How often each rule fires, so that a rule in shadow can be watched before it counts.

use crate::verdict::Assessment;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The most rules that are told apart; an assessor has a table of a few dozen.
const MAX_RULES: usize = 256;

/// A rule that fired.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleHit {
    /// The rule's name.
    pub rule: String,
    /// Whether it counted: a rule in shadow never does, nor one beside a larger one of its cause.
    pub counted: bool,
}

/// What fired since somebody last took it. Copies share their numbers.
#[derive(Debug, Clone, Default)]
pub struct RuleHitCounters(Arc<Mutex<BTreeMap<RuleHit, u64>>>);

impl RuleHitCounters {
    /// Counts what fired. A check that is judged again, because its receipt was lost, counts again.
    pub(super) fn record(&self, assessment: &Assessment) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for finding in &assessment.findings {
            let sighting = RuleHit { rule: finding.rule.clone(), counted: finding.counted };
            if seen.len() < MAX_RULES || seen.contains_key(&sighting) {
                *seen.entry(sighting).or_default() += 1;
            }
        }
    }

    /// What fired, and how often, since this was last asked.
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
        Finding { rule: rule.into(), group: "g".into(), weight, hard: false, counted, reason: String::new() }
    }

    #[test]
    fn what_fired_is_counted_until_it_is_taken() {
        let seen = RuleHitCounters::default();
        let findings = vec![fired("a", true), fired("b", false)];
        let assessment = Assessment { findings, ..Assessment::default() };
        seen.record(&assessment);
        seen.clone().record(&assessment);
        let numbers = |rule: &str, counted| (RuleHit { rule: rule.into(), counted }, 2);
        assert_eq!(seen.drain(), BTreeMap::from([numbers("a", true), numbers("b", false)]));
        assert!(seen.drain().is_empty());
    }

    #[test]
    fn no_assessor_fills_the_memory() {
        let seen = RuleHitCounters::default();
        let findings = (0..1000).map(|at| fired(&at.to_string(), true)).collect();
        seen.record(&Assessment { findings, ..Assessment::default() });
        assert_eq!(seen.drain().len(), MAX_RULES);
    }
}
