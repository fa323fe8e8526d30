//! Comparison of a load with the baseline, measured alternately.

use crate::load::LoadMeasurement;
use crate::report::{LoadResult, Metric, OF_STATIC, Quartiles, Ratios};
use anyhow::{Context, Result};

/// Utilisation of the load core above which the load itself may limit a result.
const EXHAUSTED: f64 = 0.97;

/// Metrics of one load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measurement {
    per_second: f64,
    latency: [f64; 3],
    cpu: f64,
    /// CPU time of the database, included in `cpu`.
    database: f64,
    /// Utilisation of the load core.
    load: f64,
}

impl Measurement {
    #[cfg(test)]
    pub(super) const fn new(per_second: f64, latency: [f64; 3], cpu: f64) -> Self {
        Self {
            per_second,
            latency,
            cpu,
            database: cpu / 2.0,
            load: 0.5,
        }
    }

    pub(super) fn from_measured<A>(measured: &LoadMeasurement<A>) -> Self {
        let [cpu, database] = measured.cpu();
        let per_second = measured.per_second();
        let latency = measured.latency.percentiles();
        let load = measured.load_core_utilisation();
        Self {
            per_second,
            latency,
            cpu,
            database,
            load,
        }
    }
}

/// Measurements of all rounds.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Measurements(Vec<Measurement>);

impl Measurements {
    pub(super) fn add(&mut self, measurement: Measurement) {
        self.0.push(measurement);
    }

    fn quartiles(&self, of: impl Fn(&Measurement) -> f64) -> Result<Quartiles> {
        Quartiles::from_rounds(self.0.iter().map(of)).context("nothing was measured")
    }

    /// Appends the measurements of other rounds.
    pub(super) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Returns a note if the load itself may have limited the result.
    pub(super) fn saturation_warning(&self, about: &str) -> Result<Option<String>> {
        let load = self.quartiles(|measurement| measurement.load)?.median;
        Ok((load > EXHAUSTED)
            .then(|| format!("The load saturated its core: {about}. The server may be faster.")))
    }

    /// Returns the CPU time of the server's database per request, in microseconds.
    pub(super) fn database(&self, name: &str, about: &str) -> Result<Metric> {
        let name = format!("{name}_database_cpu_us");
        let about = format!("{about}: database, CPU µs");
        Ok(Metric::new(
            name,
            about,
            self.quartiles(|measurement| measurement.database)?,
        ))
    }

    /// Returns the result for the report.
    pub(super) fn line(&self, name: String, about: String) -> Result<LoadResult> {
        let latency = |part: usize| self.quartiles(move |measurement| measurement.latency[part]);
        Ok(LoadResult {
            name,
            about,
            per_second: self.quartiles(|measurement| measurement.per_second)?,
            latency: [latency(0)?, latency(1)?, latency(2)?],
            cpu: self.quartiles(|measurement| measurement.cpu)?,
            ratios: None,
        })
    }

    /// Returns the primary figure, which is the number of durable metered verdicts for each second of the server's CPU time, and
    /// the CPU time of a verdict above that of the epoll echo in the same round, in microseconds.
    pub(super) fn above(&self, echo: &Self, name: &str, about: &str) -> Result<[Metric; 2]> {
        let per_core = self.quartiles(|measurement| 1e6 / measurement.cpu)?;
        let rounds = self
            .0
            .iter()
            .zip(&echo.0)
            .map(|(own, echo)| own.cpu - echo.cpu);
        let above = Quartiles::from_rounds(rounds).context("nothing was measured")?;
        Ok([
            Metric::new(
                format!("verdicts_per_core_s_{name}"),
                format!("{about}: verdicts per core-second"),
                per_core,
            ),
            Metric::new(
                format!("cpu_above_echo_us_{name}"),
                format!("{about}: CPU µs above the epoll echo"),
                above,
            ),
        ])
    }

    /// Returns the items of all requests for each second, and for each second of the server's CPU time. A request has `size`
    /// items.
    pub(super) fn items(&self, size: u64, name: &str, about: &str) -> Result<[Metric; 2]> {
        #[expect(clippy::cast_precision_loss, reason = "a batch is small")]
        let size = size as f64;
        let per_second = self.quartiles(|measurement| size * measurement.per_second)?;
        let per_core = self.quartiles(|measurement| size * 1e6 / measurement.cpu)?;
        Ok([
            Metric::new(
                format!("items_per_s_{name}"),
                format!("{about}: items per second"),
                per_second,
            ),
            Metric::new(
                format!("items_per_core_s_{name}"),
                format!("{about}: items per core-second"),
                per_core,
            ),
        ])
    }

    /// Returns the ratios to the baseline's measurements of the same rounds.
    pub(super) fn ratios(&self, baseline: &Self, location: String) -> Result<Ratios> {
        let of = |of: fn(&Measurement) -> f64| {
            let rounds = self
                .0
                .iter()
                .zip(&baseline.0)
                .map(|(own, other)| of(own) / of(other));
            Quartiles::from_rounds(rounds).context("nothing was measured")
        };
        Ok(Ratios {
            about: OF_STATIC,
            location,
            throughput: of(|measurement| measurement.per_second)?,
            cpu: of(|measurement| measurement.cpu)?,
            p99: of(|measurement| measurement.latency[1])?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurements(per_second: [f64; 3]) -> Measurements {
        let of = |per_second| Measurement::new(per_second, [1.0, per_second, 3.0], 2.0);
        Measurements(per_second.map(of).to_vec())
    }

    #[test]
    fn ratios_are_taken_within_a_round() {
        let ratios = measurements([10.0, 30.0, 20.0])
            .ratios(&measurements([20.0, 40.0, 80.0]), "ram_c1".to_owned())
            .unwrap();
        assert_eq!(
            ratios.throughput,
            Quartiles {
                median: 0.5,
                low: 0.375,
                high: 0.625
            }
        );
        assert_eq!(ratios.cpu, Quartiles::single(1.0));
    }

    #[test]
    fn verdicts_per_cpu_second_exclude_the_echo() {
        let of = |cpu| Measurements(vec![Measurement::new(1.0, [1.0; 3], cpu)]);
        let [per_core, above] = of(20.0).above(&of(3.5), "ram_c64", "lookup").unwrap();
        assert_eq!(
            (per_core.quartiles, above.quartiles),
            (Quartiles::single(50_000.0), Quartiles::single(16.5))
        );
    }

    #[test]
    fn items_are_counted_per_second() {
        let batches = Measurements(vec![Measurement::new(300.0, [1.0; 3], 2_000.0)]);
        let [per_second, per_core] = batches.items(1_000, "ram_c1", "batch").unwrap();
        assert_eq!(per_second.quartiles, Quartiles::single(300_000.0));
        assert_eq!(per_core.quartiles, Quartiles::single(500_000.0));
    }

    #[test]
    fn a_saturated_load_core_is_reported() {
        let warning_at = |load| {
            Measurements(vec![Measurement {
                load,
                ..Measurement::new(1.0, [1.0; 3], 1.0)
            }])
            .saturation_warning("a, ram")
        };
        assert_eq!(warning_at(0.9).unwrap(), None);
        assert!(warning_at(0.99).unwrap().unwrap().contains("a, ram"));
    }

    #[test]
    fn no_rounds_give_no_result() {
        assert!(
            Measurements::default()
                .line(String::new(), String::new())
                .is_err()
        );
        let line = measurements([1.0, 2.0, 3.0])
            .line("lookup_ram_c1".to_owned(), String::new())
            .unwrap();
        assert_eq!(
            line.latency[1],
            Quartiles {
                median: 2.0,
                low: 1.5,
                high: 2.5
            }
        );
    }
}
