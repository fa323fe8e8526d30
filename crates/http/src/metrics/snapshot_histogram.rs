//! Histogram whose values another part of the service records.

use prometheus_client::encoding::{EncodeMetric, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use voight_domain::histogram::HistogramSnapshot;

/// Histogram that prints the last snapshot; absent until there is one. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct SnapshotHistogram {
    snapshot: Arc<Mutex<Option<HistogramSnapshot>>>,
    /// Number of recorded units in one printed unit.
    divisor: f64,
}

impl SnapshotHistogram {
    /// Creates a histogram that prints its values in a unit of `divisor` recorded units.
    pub(super) fn new(divisor: f64) -> Self {
        Self {
            snapshot: Arc::default(),
            divisor,
        }
    }

    /// Replaces the snapshot.
    pub(super) fn set(&self, snapshot: HistogramSnapshot) {
        *self.lock() = Some(snapshot);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<HistogramSnapshot>> {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "metrics are floats; a sum above 2^53 loses digits that no query needs"
    )]
    fn printed(&self, value: u64) -> f64 {
        value as f64 / self.divisor
    }
}

impl EncodeMetric for SnapshotHistogram {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> Result<(), fmt::Error> {
        let Some(snapshot) = self.lock().clone() else {
            return Ok(());
        };
        let bounds = snapshot.bounds.iter().map(|bound| self.printed(*bound));
        let buckets: Vec<_> = bounds
            .chain([f64::INFINITY])
            .zip(snapshot.counts.iter().copied())
            .collect();
        let sum = self.printed(snapshot.sum);
        encoder.encode_histogram::<NoLabelSet>(sum, snapshot.count(), &buckets, None)
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Histogram
    }

    fn is_empty(&self) -> bool {
        self.lock().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prometheus_client::encoding::prometheus_text::encode;
    use prometheus_client::registry::Registry;
    use voight_domain::histogram::Histogram;

    #[test]
    fn snapshot_is_printed_in_its_unit() {
        let mut registry = Registry::default();
        let printed_histogram = SnapshotHistogram::new(1e6);
        registry.register("duration_seconds", "Duration", printed_histogram.clone());
        let mut text = String::new();
        encode(&mut text, &registry).unwrap();
        assert_eq!(text, "", "it is absent before the first snapshot");
        let histogram = Histogram::new(&[500, 1_000]);
        for micros in [500, 501, 2_000_000] {
            histogram.record(micros);
        }
        printed_histogram.set(histogram.snapshot());
        encode(&mut text, &registry).unwrap();
        assert_eq!(
            text,
            "# HELP duration_seconds Duration.\n\
             # TYPE duration_seconds histogram\n\
             duration_seconds_bucket{le=\"0.0005\"} 1\n\
             duration_seconds_bucket{le=\"0.001\"} 2\n\
             duration_seconds_bucket{le=\"+Inf\"} 3\n\
             duration_seconds_sum 2.001001\n\
             duration_seconds_count 3\n"
        );
    }
}
