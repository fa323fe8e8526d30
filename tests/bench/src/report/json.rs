//! JSON output: one flat object.

use super::metric::{LoadResult, Metric, ScenarioResults};
use serde_json::{Map, Value};

/// Returns every metric by name, with its quartiles as `…_low` and `…_high` if the rounds differ. Metrics that were not
/// measured are absent.
pub(crate) fn flat(results: &ScenarioResults) -> Value {
    let loads = results.loads.iter().flat_map(LoadResult::metrics);
    let mut object = Map::new();
    for Metric {
        name, quartiles, ..
    } in loads.chain(results.metrics.iter().cloned())
    {
        object.insert(name.clone(), number(quartiles.median));
        if quartiles.low < quartiles.high {
            object.insert(format!("{name}_low"), number(quartiles.low));
            object.insert(format!("{name}_high"), number(quartiles.high));
        }
    }
    Value::Object(object)
}

/// Rounds a number to four decimal places; an integral result is written as an integer.
fn number(value: f64) -> Value {
    let four_decimals = (value * 10_000.0).round() / 10_000.0;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only small integral values are converted"
    )]
    let integer = (four_decimals.fract() == 0.0 && four_decimals.abs() < 1e15)
        .then_some(four_decimals as i64);
    integer.map_or_else(|| Value::from(four_decimals), Value::from)
}

#[cfg(test)]
mod tests {
    use super::super::metric::Ratios;
    use super::super::quartiles::Quartiles;
    use super::*;
    use serde_json::json;

    #[test]
    fn object_omits_equal_quartiles() {
        let quartiles = Quartiles {
            median: 2.0,
            low: 1.5,
            high: 2.123_45,
        };
        let results = ScenarioResults {
            metrics: vec![
                Metric::new("a_us", "a", quartiles),
                Metric::single("rounds", "rounds", 5.0),
            ],
            ..ScenarioResults::default()
        };
        assert_eq!(
            flat(&results),
            json!({"a_us": 2, "a_us_low": 1.5, "a_us_high": 2.1235, "rounds": 5})
        );
    }

    #[test]
    fn load_has_its_metrics_and_ratios() {
        let quartiles = Quartiles::single(1.0);
        let load = LoadResult {
            name: "lookup_ram_c64".to_owned(),
            about: "lookup".to_owned(),
            per_second: quartiles,
            latency: [quartiles; 3],
            cpu: quartiles,
            ratios: Some(Ratios {
                about: "",
                location: "ram_c64".to_owned(),
                throughput: quartiles,
                cpu: quartiles,
                p99: quartiles,
            }),
        };
        let object = flat(&ScenarioResults {
            loads: vec![load],
            ..ScenarioResults::default()
        });
        for name in [
            "ratio_ram_c64",
            "cpu_ratio_ram_c64",
            "p99_ratio_ram_c64",
            "lookup_ram_c64_per_s",
            "lookup_ram_c64_p999_us",
        ] {
            assert_eq!(object[name], json!(1), "{name} in {object}");
        }
    }
}
