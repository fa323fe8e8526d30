//! Observations, call by call and class by class.

use crate::oracle::shape::shape;
use crate::oracle::stats::{fisher, ks_critical, ks_distance};
use crate::oracle::wire::WireReply;
use std::collections::{BTreeMap, BTreeSet};

/// Probability that a run without any leak fails, over all comparisons.
const ALPHA: f64 = 1e-4;

/// Responses of a call to one class.
#[derive(Default)]
struct Sample {
    first_bytes: Vec<f64>,
    shapes: BTreeMap<String, usize>,
}

/// All responses.
#[derive(Default)]
pub(crate) struct Observed(BTreeMap<&'static str, BTreeMap<usize, Sample>>);

impl Observed {
    pub(crate) fn note(&mut self, call: &'static str, class: usize, reply: &WireReply) {
        let sample = self.0.entry(call).or_default().entry(class).or_default();
        sample.first_bytes.push(reply.first_byte);
        *sample.shapes.entry(shape(reply)).or_default() += 1;
    }

    /// Summarises each call: the median time to the first byte of each class, and the largest distance of two classes.
    pub(crate) fn summary(&self, names: &[String]) -> Vec<String> {
        let line = |(call, classes): (&&str, &BTreeMap<usize, Sample>)| {
            let medians = classes
                .iter()
                .map(|(class, sample)| format!("{} {:.2}", names[*class], median(sample)));
            let medians: Vec<_> = medians.collect();
            let distance =
                pairs(classes).map(|(_, a, _, b)| ks_distance(&a.first_bytes, &b.first_bytes));
            let shapes: BTreeSet<_> = classes
                .values()
                .flat_map(|sample| sample.shapes.keys())
                .collect();
            format!(
                "{call}: median ms {}; largest KS distance {:.4}; {} shapes",
                medians.join(", "),
                distance.fold(0.0, f64::max),
                shapes.len()
            )
        };
        self.0.iter().map(line).collect()
    }

    /// Returns each observable in which two classes differ significantly.
    pub(crate) fn leaks(&self, names: &[String]) -> Vec<String> {
        let comparisons: usize = self
            .0
            .values()
            .map(|classes| {
                pairs(classes)
                    .map(|(_, a, _, b)| 1 + shapes(a, b).len())
                    .sum::<usize>()
            })
            .sum();
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let alpha = ALPHA / comparisons.max(1) as f64;
        let mut leaks = Vec::new();
        for (call, classes) in &self.0 {
            for (one, a, other, b) in pairs(classes) {
                let between = format!("{call}, {} and {}", names[one], names[other]);
                let distance = ks_distance(&a.first_bytes, &b.first_bytes);
                let critical = ks_critical(a.first_bytes.len(), b.first_bytes.len(), alpha);
                if distance > critical {
                    let medians = format!("medians {:.2} and {:.2} ms", median(a), median(b));
                    leaks.push(format!(
                        "{between}: time to first byte, KS distance {distance:.4} > {critical:.4}, {medians}"
                    ));
                }
                for shape in shapes(a, b) {
                    let hits =
                        [a, b].map(|sample| sample.shapes.get(shape).copied().unwrap_or_default());
                    let p = fisher(hits, [a, b].map(|sample| sample.first_bytes.len()));
                    if p < alpha {
                        leaks.push(format!(
                            "{between}: {} and {} times {shape}, p {p:.1e} < {alpha:.1e}",
                            hits[0], hits[1]
                        ));
                    }
                }
            }
        }
        leaks
    }
}

fn pairs(
    classes: &BTreeMap<usize, Sample>,
) -> impl Iterator<Item = (usize, &Sample, usize, &Sample)> {
    classes.iter().flat_map(|(one, a)| {
        classes
            .range(one + 1..)
            .map(move |(other, b)| (*one, a, *other, b))
    })
}

fn shapes<'a>(a: &'a Sample, b: &'a Sample) -> BTreeSet<&'a String> {
    a.shapes.keys().chain(b.shapes.keys()).collect()
}

fn median(sample: &Sample) -> f64 {
    let mut times = sample.first_bytes.clone();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
