//! Figures: what sections find, and what the report consists of.

use super::spread::Quartiles;

/// One figure.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Metric {
    /// Its name in the JSON.
    pub(crate) name: String,
    /// What it says, for people, with its unit.
    pub(crate) about: String,
    /// How it came out.
    pub(crate) spread: Quartiles,
}

impl Metric {
    /// A figure with this name.
    pub(crate) fn new(name: impl Into<String>, about: impl Into<String>, spread: Quartiles) -> Self {
        Self { name: name.into(), about: about.into(), spread }
    }

    /// A figure that was taken once.
    pub(crate) fn single(name: impl Into<String>, about: impl Into<String>, value: f64) -> Self {
        Self::new(name, about, Quartiles::single(value))
    }
}

/// What one kind of request came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LoadResult {
    /// Its name in the JSON, and that of whatever belongs to it.
    pub(crate) name: String,
    /// What was asked, for people.
    pub(crate) about: String,
    /// Requests that were answered in a second.
    pub(crate) per_second: Quartiles,
    /// How long answers took, in microseconds: half of them less, 99 of 100 less, 999 of 1,000 less.
    pub(crate) latency: [Quartiles; 3],
    /// Microseconds of processor that the server took for a request.
    pub(crate) cpu: Quartiles,
    /// The same in relation to what was asked in turns with it.
    pub(crate) ratios: Option<Ratios>,
}

/// What ratios to the static handler are called.
pub(crate) const OF_STATIC: &str = "of static";

/// A kind of request in relation to another one of the same round.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ratios {
    /// What they are called above their column.
    pub(crate) about: &'static str,
    /// Where it was measured, as the JSON has it: for example `ram_c64`.
    pub(crate) place: String,
    /// Throughput: near 1 is as good as it gets.
    pub(crate) throughput: Quartiles,
    /// Processor of the server.
    pub(crate) cpu: Quartiles,
    /// What 99 of 100 answers take less than.
    pub(crate) p99: Quartiles,
}

impl LoadResult {
    /// The figures of the line.
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
    /// The same under another name.
    pub(crate) fn named(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    fn figures(&self) -> [Metric; 3] {
        let all = [("ratio", self.throughput), ("cpu_ratio", self.cpu), ("p99_ratio", self.p99)];
        all.map(|(what, spread)| Metric::new(format!("{what}_{}", self.place), self.about, spread))
    }
}

/// What a section found.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ScenarioResults {
    /// Kinds of requests.
    pub(crate) loads: Vec<LoadResult>,
    /// Everything else.
    pub(crate) figures: Vec<Metric>,
    /// What whoever reads the figures has to know.
    pub(crate) remarks: Vec<String>,
}

impl ScenarioResults {
    /// Adds those of another section.
    pub(crate) fn add(&mut self, other: Self) {
        self.loads.extend(other.loads);
        self.figures.extend(other.figures);
        self.remarks.extend(other.remarks);
    }
}
