//! Plot of the cost of a lookup over the size of the store.

use super::SectionResult;
use crate::section::number;
use std::fmt::Write as _;

/// Size of the plot and its margins, in pixels.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 260.0;
const MARGIN_PX: f64 = 60.0;
/// Maximum of the axis, relative to the smallest store.
const MOST: f64 = 2.0;
/// Goal and frontier.
const GOALS: [(f64, &str); 2] = [(1.5, "first goal"), (1.2, "frontier")];

/// Plots the relative CPU time of a lookup over the number of verdicts.
///
/// The smallest measured store is the reference; `None` if only one store was measured.
pub(super) fn growth(result: &SectionResult) -> Option<String> {
    let points = points(result);
    let first = points.first()?;
    let last = points.last()?;
    let axis = Axis {
        first: first.verdicts.log10(),
        last: last.verdicts.log10(),
    };
    (first.verdicts < last.verdicts).then(|| draw(&points, &axis, result))
}

/// Cost of a lookup for a number of verdicts.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    verdicts: f64,
    /// Median of the rounds with its quartiles.
    cost: [f64; 3],
}

/// Returns the points by number of verdicts; costs are relative to the first.
fn points(result: &SectionResult) -> Vec<Point> {
    let point = |name: &String| {
        let (_, verdicts) = name.strip_prefix("cpu_ratio_")?.split_once("_c64_")?;
        let verdicts = number(verdicts)?;
        let quartile = |end: &str| result.metric(&format!("{name}_{end}"));
        let median = result.metric(name)?;
        Some(Point {
            verdicts,
            cost: [
                median,
                quartile("low").unwrap_or(median),
                quartile("high").unwrap_or(median),
            ],
        })
    };
    let mut points: Vec<Point> = result.metrics.keys().filter_map(point).collect();
    points.sort_by(|one, other| one.verdicts.total_cmp(&other.verdicts));
    let base = points.first().map_or(1.0, |point| point.cost[0]);
    points
        .into_iter()
        .map(|point| Point {
            cost: point.cost.map(|cost| cost / base),
            ..point
        })
        .collect()
}

/// Logarithmic axis of a plot.
struct Axis {
    first: f64,
    last: f64,
}

impl Axis {
    fn x(&self, verdicts: f64) -> f64 {
        MARGIN_PX + WIDTH * (verdicts.log10() - self.first) / (self.last - self.first)
    }
}

fn y(cost: f64) -> f64 {
    MARGIN_PX + HEIGHT * (1.0 - cost.min(MOST) / MOST)
}

fn draw(points: &[Point], axis: &Axis, result: &SectionResult) -> String {
    let width = WIDTH + 2.0 * MARGIN_PX;
    let height = HEIGHT + 2.0 * MARGIN_PX;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" \
         role=\"img\">\n<title>CPU time of a lookup over the number of verdicts, {}, {}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <path d=\"M{MARGIN_PX} {MARGIN_PX}V{}H{}\" fill=\"none\" stroke=\"#333333\"/>\n",
        result.date,
        result.commit,
        y(0.0),
        MARGIN_PX + WIDTH
    );
    for cost in [0.0, 0.5, 1.0, 1.5, 2.0] {
        text(
            &mut svg,
            MARGIN_PX - 8.0,
            y(cost) + 4.0,
            "end",
            &format!("{cost}"),
        );
    }
    for (cost, name) in GOALS {
        let at = y(cost);
        let _ = writeln!(
            svg,
            "<path d=\"M{MARGIN_PX} {at}H{}\" stroke=\"#999999\" stroke-dasharray=\"4\"/>",
            MARGIN_PX + WIDTH
        );
        text(&mut svg, MARGIN_PX + 8.0, at - 5.0, "start", name);
    }
    series(&mut svg, points, axis);
    text(
        &mut svg,
        MARGIN_PX + WIDTH / 2.0,
        y(0.0) + 44.0,
        "middle",
        "verdicts in the store",
    );
    text(
        &mut svg,
        MARGIN_PX,
        MARGIN_PX - 20.0,
        "start",
        "CPU time of a lookup, relative to the smallest store",
    );
    svg + "</svg>\n"
}

fn series(svg: &mut String, points: &[Point], axis: &Axis) {
    let line: Vec<_> = points
        .iter()
        .map(|point| format!("{:.1},{:.1}", axis.x(point.verdicts), y(point.cost[0])))
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#0072b2\" stroke-width=\"2\"/>",
        line.join(" ")
    );
    for Point {
        verdicts,
        cost: [median, low, high],
    } in points
    {
        let x = axis.x(*verdicts);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {:.1}V{:.1}\" stroke=\"#0072b2\"/>\n<circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"#0072b2\"/>",
            y(*low),
            y(*high),
            y(*median)
        );
        text(svg, x, y(*median) + 22.0, "middle", &format!("{median:.2}"));
        text(
            svg,
            x,
            y(0.0) + 20.0,
            "middle",
            &crate::report::plain(*verdicts),
        );
    }
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(metrics: &[(&str, f64)]) -> SectionResult {
        SectionResult::synthetic("growth", metrics)
    }

    #[test]
    fn costs_are_relative_to_the_smallest_store() {
        let actual = result(&[
            ("cpu_ratio_ram_c64_1m", 6.0),
            ("cpu_ratio_ram_c64_1m_low", 5.0),
            ("cpu_ratio_ram_c64_1m_high", 7.0),
            ("cpu_ratio_ram_c64_10k", 4.0),
            ("ratio_ram_c64_10k", 0.4),
        ]);
        let [few, many] = points(&actual)[..] else {
            panic!("two stores")
        };
        assert_eq!(
            few,
            Point {
                verdicts: 1e4,
                cost: [1.0; 3]
            }
        );
        assert_eq!(
            many,
            Point {
                verdicts: 1e6,
                cost: [1.5, 1.25, 1.75]
            }
        );
        let plot = growth(&actual).unwrap();
        assert_eq!(plot.matches("<circle").count(), 2);
        assert!(
            plot.contains(">1,000,000<") && plot.contains(">1.50<"),
            "{plot}"
        );
    }

    #[test]
    fn a_single_store_has_no_plot() {
        assert_eq!(growth(&result(&[("cpu_ratio_ram_c64_10k", 4.0)])), None);
        assert_eq!(growth(&result(&[])), None);
    }
}
