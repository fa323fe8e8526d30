//! Logits of each fold's model for its held-out people and tools.

use super::folds::person;
use super::platt::{self, Labelled};
use super::table::TrainingSet;
use crate::corpus::pointer::RecordedMovement;
use crate::stats::{SampleCluster, auc, mean, quantile, rounded, share, upper_bound};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use voight_detect::model::{Model, Scale};

/// Share of people's movements that may alarm.
const ALARMS: f64 = 0.01;
/// Number of movements of a check.
const CHECK: usize = 2;

/// Logits of movements as recorded, by person or tool, in the order of the corpus.
pub(super) struct HeldOutLogits {
    people: BTreeMap<String, Vec<f64>>,
    tools: BTreeMap<String, Vec<f64>>,
}

/// Logits that 1 % of the movements of held-out people exceed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// Threshold for the logit of one movement.
    pub one: f64,
    /// Threshold for the mean logit of three movements.
    pub three: f64,
    /// Threshold for the logit of one movement at which the share's upper bound is 1 %.
    pub bound: f64,
}

/// Separation of a tool from people, by a model that saw neither.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the field names are the documentation")]
pub struct ToolMetrics {
    pub name: String,
    pub segments: usize,
    pub auc: f64,
    /// True-positive rate at 1 % false alarms.
    pub tpr_1pct: f64,
    pub tpr_1pct_three: f64,
    /// True-positive rate where the upper bound of false alarms is 1 %.
    pub tpr_bound: f64,
}

/// False alarms on people, by models that held them out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PeopleMetrics {
    /// Number of people.
    pub persons: usize,
    /// Number of their usable movements.
    pub segments: usize,
    /// Share above the threshold `bound`.
    pub alarm_share: f64,
    /// Upper end of its one-sided 95 % interval, by person.
    pub alarm_bound95: f64,
    /// Share above the threshold `bound` of the person with the most alarms.
    pub worst_person: f64,
    /// Share of pairs of movements that are any evidence for a bot.
    pub pairs_with_evidence: f64,
}

impl HeldOutLogits {
    pub(super) fn predict(
        table: &TrainingSet,
        segments: &[RecordedMovement],
        models: &[Model],
    ) -> Self {
        let mut logits = Self {
            people: BTreeMap::new(),
            tools: BTreeMap::new(),
        };
        for row in table.rows.iter().filter(|row| row.is_original) {
            let segment = &segments[row.segment];
            let logit = models[row.fold].logit(&row.features);
            let list = if row.bot {
                logits.tools.entry(segment.tool.clone())
            } else {
                logits.people.entry(person(segment))
            };
            list.or_default().push(logit);
        }
        logits
    }

    /// Returns the AUC of all people against all tools.
    pub(super) fn auc(&self) -> f64 {
        auc(&all(&self.tools, 1), &all(&self.people, 1)).unwrap_or(0.5)
    }

    /// Fits the scale of the mean logit of a check.
    pub(super) fn scale(&self) -> Scale {
        let label = |map: &BTreeMap<String, Vec<f64>>, bot: bool| -> Vec<Labelled> {
            all(map, CHECK)
                .into_iter()
                .map(|logit| (logit, bot))
                .collect()
        };
        platt::fit(&[label(&self.people, false), label(&self.tools, true)].concat())
    }

    pub(super) fn thresholds(&self) -> Thresholds {
        let people = all(&self.people, 1);
        let at =
            |numbers: &[f64], share: f64| quantile(numbers, 1.0 - share).map_or(f64::MAX, rounded);
        let limits_alarms = |share: &f64| {
            upper_bound(&self.alarms(at(&people, *share))).is_some_and(|maximum| maximum <= ALARMS)
        };
        let share = (0..=100_u32)
            .rev()
            .map(|part| ALARMS * f64::from(part) / 100.0)
            .find(limits_alarms)
            .unwrap_or(0.0);
        Thresholds {
            one: at(&people, ALARMS),
            three: at(&all(&self.people, 3), ALARMS),
            bound: at(&people, share),
        }
    }

    pub(super) fn tools(&self, at: Thresholds) -> Vec<ToolMetrics> {
        let people = all(&self.people, 1);
        let of = |(name, logits): (&String, &Vec<f64>)| ToolMetrics {
            name: name.clone(),
            segments: logits.len(),
            auc: auc(logits, &people).map_or(0.5, rounded),
            tpr_1pct: share_above(logits, at.one),
            tpr_1pct_three: share_above(&means(logits, 3), at.three),
            tpr_bound: share_above(logits, at.bound),
        };
        self.tools.iter().map(of).collect()
    }

    pub(super) fn people(&self, at: Thresholds, scale: Scale) -> PeopleMetrics {
        let alarms = self.alarms(at.bound);
        let people = all(&self.people, 1);
        let evidence: Vec<f64> = all(&self.people, CHECK)
            .into_iter()
            .map(|logit| scale.apply(logit))
            .collect();
        PeopleMetrics {
            persons: alarms.len(),
            segments: people.len(),
            alarm_share: share_above(&people, at.bound),
            alarm_bound95: upper_bound(&alarms).map_or(1.0, rounded),
            worst_person: self
                .people
                .values()
                .map(|logits| share_above(logits, at.bound))
                .fold(0.0, f64::max),
            pairs_with_evidence: share_above(&evidence, 0.0),
        }
    }

    /// Returns the number of movements and of alarms of each person.
    fn alarms(&self, threshold: f64) -> Vec<SampleCluster> {
        let of = |logits: &Vec<f64>| SampleCluster {
            n: logits.len(),
            hits: above(logits, threshold),
        };
        self.people.values().map(of).collect()
    }
}

/// Returns the means of `count` consecutive logits of each person or tool.
fn all(map: &BTreeMap<String, Vec<f64>>, count: usize) -> Vec<f64> {
    map.values()
        .flat_map(|logits| means(logits, count))
        .collect()
}

fn means(logits: &[f64], count: usize) -> Vec<f64> {
    logits.chunks_exact(count).filter_map(mean).collect()
}

fn above(logits: &[f64], threshold: f64) -> usize {
    logits.iter().filter(|logit| **logit > threshold).count()
}

fn share_above(logits: &[f64], threshold: f64) -> f64 {
    share(above(logits, threshold), logits.len()).map_or(0.0, rounded)
}
