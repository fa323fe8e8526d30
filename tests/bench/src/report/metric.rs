//! Metrics, which sections measure and reports consist of.

use super::quartiles::Quartiles;

/// Measured metric.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Metric {
    /// Name in the JSON.
    pub(crate) name: String,
    /// Description with the unit.
    pub(crate) about: String,
    /// Median and quartiles.
    pub(crate) quartiles: Quartiles,
}

impl Metric {
    /// Creates a metric with this name.
    pub(crate) fn new(
        name: impl Into<String>,
        about: impl Into<String>,
        quartiles: Quartiles,
    ) -> Self {
        Self {
            name: name.into(),
            about: about.into(),
            quartiles,
        }
    }

    /// Creates a metric that was measured once.
    pub(crate) fn single(name: impl Into<String>, about: impl Into<String>, value: f64) -> Self {
        Self::new(name, about, Quartiles::single(value))
    }
}

/// Result of a load.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LoadResult {
    /// Name in the JSON, and prefix of the names of related metrics.
    pub(crate) name: String,
    /// Description of the requests.
    pub(crate) about: String,
    /// Responses per second.
    pub(crate) per_second: Quartiles,
    /// Latencies p50, p99 and p99.9 in microseconds.
    pub(crate) latency: [Quartiles; 3],
    /// CPU time of the server per request in microseconds.
    pub(crate) cpu: Quartiles,
    /// Ratios to the load that was measured alternately with it.
    pub(crate) ratios: Option<Ratios>,
}

/// Description of ratios to the static handler.
pub(crate) const OF_STATIC: &str = "of static";

/// Ratios of a load to another load of the same round.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ratios {
    /// Column heading.
    pub(crate) about: &'static str,
    /// Location and load shape in the JSON, for example `ram_c64`.
    pub(crate) location: String,
    /// Ratio of the throughputs; 1 is ideal.
    pub(crate) throughput: Quartiles,
    /// Ratio of the CPU times of the servers.
    pub(crate) cpu: Quartiles,
    /// Ratio of the p99 latencies.
    pub(crate) p99: Quartiles,
}

impl LoadResult {
    /// Returns the metrics of the load.
    pub(crate) fn metrics(&self) -> Vec<Metric> {
        let metric = |what: &str, quartiles| {
            Metric::new(
                format!("{}_{what}", self.name),
                self.about.clone(),
                quartiles,
            )
        };
        let [p50, p99, p999] = self.latency;
        let named_quartiles = [
            ("per_s", self.per_second),
            ("p50_us", p50),
            ("p99_us", p99),
            ("p999_us", p999),
            ("cpu_us", self.cpu),
        ];
        let load_metrics = named_quartiles.map(|(what, quartiles)| metric(what, quartiles));
        load_metrics
            .into_iter()
            .chain(self.ratios.iter().flat_map(Ratios::metrics))
            .collect()
    }
}

impl Ratios {
    /// Returns the ratios with another heading.
    pub(crate) fn named(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    fn metrics(&self) -> [Metric; 3] {
        let named_ratios = [
            ("ratio", self.throughput),
            ("cpu_ratio", self.cpu),
            ("p99_ratio", self.p99),
        ];
        named_ratios.map(|(what, quartiles)| {
            Metric::new(format!("{what}_{}", self.location), self.about, quartiles)
        })
    }
}

/// Results of a section.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ScenarioResults {
    /// Results of loads.
    pub(crate) loads: Vec<LoadResult>,
    /// Other metrics.
    pub(crate) metrics: Vec<Metric>,
    /// Notes for the readers of the metrics.
    pub(crate) notes: Vec<String>,
}

impl ScenarioResults {
    /// Appends the results of another section.
    pub(crate) fn add(&mut self, other: Self) {
        self.loads.extend(other.loads);
        self.metrics.extend(other.metrics);
        self.notes.extend(other.notes);
    }
}
