//! What each fold's model says of those that it never saw.

use super::folds::person;
use super::platt::{self, Labelled};
use super::table::TrainingSet;
use crate::corpus::pointer::RecordedMovement;
use crate::stats::{SampleCluster, auc, mean, quantile, rounded, share, upper_bound};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use voight_detect::model::{Model, Scale};

/// The share of people's movements that may alarm.
const ALARMS: f64 = 0.01;
/// A check brings this many movements.
const CHECK: usize = 2;

/// Logits of whole movements, by who or what made them, in the order of the corpus.
pub(super) struct HeldOutLogits {
    people: BTreeMap<String, Vec<f64>>,
    tools: BTreeMap<String, Vec<f64>>,
}

/// Logits above which one in a hundred movements of people lies whom the model did not see.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// For the logit of one movement.
    pub one: f64,
    /// For the mean logit of three.
    pub three: f64,
    /// For the logit of one movement, if the upper bound of the share must be one in a hundred.
    pub bound: f64,
}

/// How a tool is told from people, by a model that saw neither.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ToolFigures {
    pub name: String,
    pub segments: usize,
    pub auc: f64,
    /// At one false alarm in a hundred movements.
    pub tpr_1pct: f64,
    pub tpr_1pct_three: f64,
    /// Where the upper bound of false alarms is one in a hundred.
    pub tpr_bound: f64,
}

/// How often people alarm, by models that did not see them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PeopleFigures {
    /// How many people.
    pub persons: usize,
    /// Their movements that can be used.
    pub segments: usize,
    /// The share above the threshold `bound`.
    pub alarm_share: f64,
    /// The upper end of its one-sided 95 % interval, by person.
    pub alarm_bound95: f64,
    /// The share above the threshold `bound` of whoever alarms most.
    pub worst_person: f64,
    /// The share of pairs of movements that are any evidence for a bot.
    pub pairs_with_evidence: f64,
}

impl HeldOutLogits {
    pub(super) fn predict(table: &TrainingSet, segments: &[RecordedMovement], models: &[Model]) -> Self {
        let mut found = Self { people: BTreeMap::new(), tools: BTreeMap::new() };
        for row in table.rows.iter().filter(|row| row.whole) {
            let segment = &segments[row.segment];
            let logit = models[row.fold].logit(&row.features);
            let list =
                if row.bot { found.tools.entry(segment.tool.clone()) } else { found.people.entry(person(segment)) };
            list.or_default().push(logit);
        }
        found
    }

    /// How well all people are told from all tools.
    pub(super) fn auc(&self) -> f64 {
        auc(&all(&self.tools, 1), &all(&self.people, 1)).unwrap_or(0.5)
    }

    /// The scale of the mean logit of a check.
    pub(super) fn scale(&self) -> Scale {
        let label = |map: &BTreeMap<String, Vec<f64>>, bot: bool| -> Vec<Labelled> {
            all(map, CHECK).into_iter().map(|logit| (logit, bot)).collect()
        };
        platt::fit(&[label(&self.people, false), label(&self.tools, true)].concat())
    }

    pub(super) fn thresholds(&self) -> Thresholds {
        let people = all(&self.people, 1);
        let at = |numbers: &[f64], share: f64| quantile(numbers, 1.0 - share).map_or(f64::MAX, rounded);
        let bounded = |share: &f64| upper_bound(&self.alarms(at(&people, *share))).is_some_and(|most| most <= ALARMS);
        let share = (0..=100_u32).rev().map(|part| ALARMS * f64::from(part) / 100.0).find(bounded).unwrap_or(0.0);
        Thresholds { one: at(&people, ALARMS), three: at(&all(&self.people, 3), ALARMS), bound: at(&people, share) }
    }

    pub(super) fn tools(&self, at: Thresholds) -> Vec<ToolFigures> {
        let people = all(&self.people, 1);
        let of = |(name, logits): (&String, &Vec<f64>)| ToolFigures {
            name: name.clone(),
            segments: logits.len(),
            auc: auc(logits, &people).map_or(0.5, rounded),
            tpr_1pct: share_above(logits, at.one),
            tpr_1pct_three: share_above(&means(logits, 3), at.three),
            tpr_bound: share_above(logits, at.bound),
        };
        self.tools.iter().map(of).collect()
    }

    pub(super) fn people(&self, at: Thresholds, scale: Scale) -> PeopleFigures {
        let alarms = self.alarms(at.bound);
        let people = all(&self.people, 1);
        let evidence: Vec<f64> = all(&self.people, CHECK).into_iter().map(|logit| scale.apply(logit)).collect();
        PeopleFigures {
            persons: alarms.len(),
            segments: people.len(),
            alarm_share: share_above(&people, at.bound),
            alarm_bound95: upper_bound(&alarms).map_or(1.0, rounded),
            worst_person: self.people.values().map(|logits| share_above(logits, at.bound)).fold(0.0, f64::max),
            pairs_with_evidence: share_above(&evidence, 0.0),
        }
    }

    /// For each person, how many movements there are and how many alarm.
    fn alarms(&self, threshold: f64) -> Vec<SampleCluster> {
        let of = |logits: &Vec<f64>| SampleCluster { n: logits.len(), hits: above(logits, threshold) };
        self.people.values().map(of).collect()
    }
}

/// The means of so many consecutive logits of each person or tool.
fn all(map: &BTreeMap<String, Vec<f64>>, count: usize) -> Vec<f64> {
    map.values().flat_map(|logits| means(logits, count)).collect()
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
