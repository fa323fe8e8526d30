//! Table output for readers.

use super::metric::{LoadResult, Metric, OF_STATIC, ScenarioResults};
use super::quartiles::Quartiles;
use voight_tests::table::aligned;

/// Returns the column headings of loads, two of which name the compared load.
fn head(ratio: &str) -> Vec<String> {
    ["", "a second", ratio, "(quarters)", "p50 µs", "p99 µs", "p99.9 µs", "CPU µs", ratio].map(str::to_owned).to_vec()
}

/// Formats the table with its remarks.
pub(crate) fn table(findings: &ScenarioResults) -> String {
    let mut rows = Vec::new();
    if !findings.loads.is_empty() {
        let mut ratios = findings.loads.iter().filter_map(|line| line.ratios.as_ref());
        rows.push(head(ratios.next().map_or(OF_STATIC, |ratios| ratios.about)));
        rows.extend(findings.loads.iter().map(load));
    }
    rows.extend(findings.figures.iter().map(figure));
    let remarks = findings.remarks.iter().map(|remark| format!("\n{remark}"));
    std::iter::once(aligned(&rows, &[0])).chain(remarks).collect::<Vec<_>>().join("\n")
}

fn load(line: &LoadResult) -> Vec<String> {
    let of = |spread: Option<Quartiles>| spread.map_or_else(String::new, |spread| format!("{:.2}", spread.median));
    let ratio = line.ratios.as_ref().map(|ratios| ratios.throughput);
    let mut row = vec![
        line.about.clone(),
        plain(line.per_second.median),
        of(ratio),
        quarters(ratio, |value| format!("{value:.2}")),
    ];
    row.extend(line.latency.map(|spread| plain(spread.median)));
    row.extend([plain(line.cpu.median), of(line.ratios.as_ref().map(|ratios| ratios.cpu))]);
    row
}

/// Returns the cells of a metric: its value in the column of the throughput, and its quartiles.
fn figure(figure: &Metric) -> Vec<String> {
    let spread = figure.spread;
    vec![figure.about.clone(), plain(spread.median), String::new(), quarters(Some(spread), plain)]
}

fn quarters(spread: Option<Quartiles>, number: impl Fn(f64) -> String) -> String {
    let differing = spread.filter(|spread| spread.low < spread.high);
    differing.map_or_else(String::new, |spread| format!("{} to {}", number(spread.low), number(spread.high)))
}

/// Formats a number with three significant digits and thousands separators.
pub(crate) fn plain(value: f64) -> String {
    let places = if value.abs() >= 100.0 || value == 0.0 {
        0
    } else if value.abs() >= 10.0 {
        1
    } else {
        2
    };
    let text = format!("{value:.places$}");
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut apart = String::new();
    for (place, digit) in whole.chars().enumerate() {
        let left = whole.len() - place;
        if left.is_multiple_of(3) && place > 0 && !apart.ends_with('-') {
            apart.push(',');
        }
        apart.push(digit);
    }
    apart + rest
}

#[cfg(test)]
mod tests {
    use super::super::metric::Ratios;
    use super::*;

    #[test]
    fn numbers_keep_what_counts() {
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
    fn every_line_has_its_columns_below_each_other() {
        let spread = Quartiles { median: 0.5, low: 0.4, high: 0.6 };
        let line = |about: &str, ratios| LoadResult {
            name: String::new(),
            about: about.to_owned(),
            per_second: Quartiles::single(20_000.0),
            latency: [Quartiles::single(1.0); 3],
            cpu: spread,
            ratios,
        };
        let ratios = Ratios { about: "to it", place: String::new(), throughput: spread, cpu: spread, p99: spread };
        let findings = ScenarioResults {
            loads: vec![line("static", None), line("a lookup", Some(ratios))],
            figures: vec![Metric::single("n", "rounds", 5.0)],
            remarks: vec!["Busy.".to_owned()],
        };
        let text = table(&findings);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "          a second  to it    (quarters)  p50 µs  p99 µs  p99.9 µs  CPU µs  to it");
        assert_eq!(lines[2], "a lookup    20,000   0.50  0.40 to 0.60    1.00    1.00      1.00    0.50   0.50");
        assert_eq!(lines[3], "rounds        5.00");
        assert_eq!(lines[5], "Busy.");
    }
}
