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
    pub(crate) spread: Quartiles,
}

impl Metric {
    /// Creates a metric with this name.
    pub(crate) fn new(name: impl Into<String>, about: impl Into<String>, spread: Quartiles) -> Self {
        Self { name: name.into(), about: about.into(), spread }
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
    /// Ratios to the load that was measured in turns with it.
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
    pub(crate) place: String,
    /// Ratio of the throughputs; 1 is ideal.
    pub(crate) throughput: Quartiles,
    /// Ratio of the CPU times of the servers.
    pub(crate) cpu: Quartiles,
    /// Ratio of the p99 latencies.
    pub(crate) p99: Quartiles,
}

impl LoadResult {
    /// Returns the metrics of the load.
    pub(crate) fn figures(&self) -> Vec<Metric> {
        let figure = |what: &str, spread| Metric::new(format!("{}_{what}", self.name), self.about.clone(), spread);
        let [p50, p99, p999] = self.latency;
        let own =
            [("per_s", self.per_second), ("p50_us", p50), ("p99_us", p99), ("p999_us", p999), ("cpu_us", self.cpu)];
        let own = own.map(|(what, spread)| figure(what, spread));
        own.into_iter().chain(self.ratios.iter().flat_map(Ratios::figures)).collect()
    }
}

impl Ratios {
    /// Returns the ratios with another heading.
    pub(crate) fn named(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    fn figures(&self) -> [Metric; 3] {
        let all = [("ratio", self.throughput), ("cpu_ratio", self.cpu), ("p99_ratio", self.p99)];
        all.map(|(what, spread)| Metric::new(format!("{what}_{}", self.place), self.about, spread))
    }
}

/// Results of a section.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ScenarioResults {
    /// Results of loads.
    pub(crate) loads: Vec<LoadResult>,
    /// Other metrics.
    pub(crate) figures: Vec<Metric>,
    /// Remarks for the readers of the metrics.
    pub(crate) remarks: Vec<String>,
}

impl ScenarioResults {
    /// Appends the results of another section.
    pub(crate) fn add(&mut self, other: Self) {
        self.loads.extend(other.loads);
        self.figures.extend(other.figures);
        self.remarks.extend(other.remarks);
    }
}
