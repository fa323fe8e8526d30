//! Table output for readers.

use super::metric::{LoadResult, Metric, OF_STATIC, ScenarioResults};
use super::quartiles::Quartiles;
use voight_tests::table::aligned;

/// Returns the column headings of loads, two of which name the compared load.
fn head(ratio: &str) -> Vec<String> {
    [
        "",
        "a second",
        ratio,
        "(quartiles)",
        "p50 µs",
        "p99 µs",
        "p99.9 µs",
        "CPU µs",
        ratio,
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Formats the table with its notes.
pub(crate) fn table(results: &ScenarioResults) -> String {
    let mut rows = Vec::new();
    if !results.loads.is_empty() {
        let mut ratios = results.loads.iter().filter_map(|line| line.ratios.as_ref());
        rows.push(head(ratios.next().map_or(OF_STATIC, |ratios| ratios.about)));
        rows.extend(results.loads.iter().map(load));
    }
    rows.extend(results.metrics.iter().map(metric));
    let notes = results.notes.iter().map(|note| format!("\n{note}"));
    std::iter::once(aligned(&rows, &[0]))
        .chain(notes)
        .collect::<Vec<_>>()
        .join("\n")
}

fn load(line: &LoadResult) -> Vec<String> {
    let of = |quartiles: Option<Quartiles>| {
        quartiles.map_or_else(String::new, |quartiles| format!("{:.2}", quartiles.median))
    };
    let ratio = line.ratios.as_ref().map(|ratios| ratios.throughput);
    let mut row = vec![
        line.about.clone(),
        plain(line.per_second.median),
        of(ratio),
        quartiles(ratio, |value| format!("{value:.2}")),
    ];
    row.extend(line.latency.map(|quartiles| plain(quartiles.median)));
    row.extend([
        plain(line.cpu.median),
        of(line.ratios.as_ref().map(|ratios| ratios.cpu)),
    ]);
    row
}

/// Returns the cells of a metric: its value in the column of the throughput, and its quartiles.
fn metric(metric: &Metric) -> Vec<String> {
    let values = metric.quartiles;
    vec![
        metric.about.clone(),
        plain(values.median),
        String::new(),
        quartiles(Some(values), plain),
    ]
}

fn quartiles(quartiles: Option<Quartiles>, number: impl Fn(f64) -> String) -> String {
    let differing = quartiles.filter(|quartiles| quartiles.low < quartiles.high);
    differing.map_or_else(String::new, |quartiles| {
        format!("{} to {}", number(quartiles.low), number(quartiles.high))
    })
}

/// Formats a number with three significant digits and thousands separators.
pub(crate) fn plain(value: f64) -> String {
    let decimals = if value.abs() >= 100.0 || value == 0.0 {
        0
    } else if value.abs() >= 10.0 {
        1
    } else {
        2
    };
    let text = format!("{value:.decimals$}");
    let (integer, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut digits = String::new();
    for (position, digit) in integer.chars().enumerate() {
        let remaining_digits = integer.len() - position;
        if remaining_digits.is_multiple_of(3) && position > 0 && !digits.ends_with('-') {
            digits.push(',');
        }
        digits.push(digit);
    }
    digits + rest
}

#[cfg(test)]
mod tests {
    use super::super::metric::Ratios;
    use super::*;

    #[test]
    fn numbers_have_three_significant_digits() {
        let cases = [
            (1_234_567.8, "1,234,568"),
            (999.6, "1,000"),
            (45.678, "45.7"),
            (0.5, "0.50"),
            (0.0, "0"),
            (-1234.0, "-1,234"),
        ];
        for (value, text) in cases {
            assert_eq!(plain(value), text);
        }
    }

    #[test]
    fn columns_are_aligned() {
        let quartiles = Quartiles {
            median: 0.5,
            low: 0.4,
            high: 0.6,
        };
        let line = |about: &str, ratios| LoadResult {
            name: String::new(),
            about: about.to_owned(),
            per_second: Quartiles::single(20_000.0),
            latency: [Quartiles::single(1.0); 3],
            cpu: quartiles,
            ratios,
        };
        let ratios = Ratios {
            about: "to it",
            location: String::new(),
            throughput: quartiles,
            cpu: quartiles,
            p99: quartiles,
        };
        let results = ScenarioResults {
            loads: vec![line("static", None), line("a lookup", Some(ratios))],
            metrics: vec![Metric::single("n", "rounds", 5.0)],
            notes: vec!["Busy.".to_owned()],
        };
        let text = table(&results);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            lines[0],
            "          a second  to it   (quartiles)  p50 µs  p99 µs  p99.9 µs  CPU µs  to it"
        );
        assert_eq!(
            lines[2],
            "a lookup    20,000   0.50  0.40 to 0.60    1.00    1.00      1.00    0.50   0.50"
        );
        assert_eq!(lines[3], "rounds        5.00");
        assert_eq!(lines[5], "Busy.");
    }
}
