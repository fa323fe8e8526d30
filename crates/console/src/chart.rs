//! Charts of counts as SVG with attributes, each with a table of the same numbers.

use crate::format::{count_text, day_text};
use askama::filters::HtmlSafe;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use voight_domain::check::CheckCounts;
use voight_domain::metering::Day;

/// Days of a chart.
pub(crate) const DAYS: i64 = 14;
/// Share of a column that is filled.
const FILL: f64 = 0.7;

/// Completed checks by day and verdict.
pub(crate) struct DayChart {
    days: Vec<(Day, CheckCounts)>,
    /// Number at the upper end of the scale.
    max: u64,
}

/// Row of the table of a chart.
pub(crate) struct DayRow {
    /// Day as text.
    pub(crate) day: String,
    /// Opened checks.
    pub(crate) opened: String,
    /// Completed checks.
    pub(crate) completed: String,
    /// Checks of people.
    pub(crate) people: String,
    /// Checks without a clear result.
    pub(crate) unsure: String,
    /// Checks of bots.
    pub(crate) bots: String,
}

impl HtmlSafe for DayChart {}

impl DayChart {
    /// Creates the chart of the days up to `last`.
    pub(crate) fn new(counts: &BTreeMap<Day, CheckCounts>, last: Day) -> Self {
        let first = last.0 - DAYS + 1;
        let days: Vec<_> = (first..=last.0)
            .map(Day)
            .map(|day| (day, counts.get(&day).copied().unwrap_or_default()))
            .collect();
        let largest = days.iter().map(|(_, counts)| counts.completed).max();
        Self {
            days,
            max: scale_end(largest.unwrap_or_default()),
        }
    }

    /// Returns the number at the upper end of the scale.
    pub(crate) fn top(&self) -> String {
        count_text(self.max)
    }

    /// Returns the number in the middle of the scale.
    pub(crate) fn middle(&self) -> String {
        count_text(self.max / 2)
    }

    /// Returns the rows of the table.
    pub(crate) fn rows(&self) -> Vec<DayRow> {
        let row = |(day, counts): &(Day, CheckCounts)| DayRow {
            day: day_text(day.0),
            opened: count_text(counts.opened),
            completed: count_text(counts.completed),
            people: count_text(counts.human),
            unsure: count_text(counts.unsure),
            bots: count_text(counts.bot),
        };
        self.days.iter().map(row).collect()
    }

    /// Returns the days of the axis.
    pub(crate) fn labels(&self) -> Vec<String> {
        let label = |(day, _): &(Day, CheckCounts)| {
            let text = day_text(day.0);
            text.split(' ').next().unwrap_or_default().to_owned()
        };
        self.days.iter().map(label).collect()
    }

    /// Returns the height of a number in the chart.
    fn height(&self, count: u64) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "the chart has fewer pixels than the mantissa has values"
        )]
        let share = count as f64 / self.max as f64;
        share * 100.0
    }

    /// Returns the path of one part of every column.
    fn path(&self, part: fn(&CheckCounts) -> u64, below: fn(&CheckCounts) -> u64) -> String {
        #[expect(clippy::cast_precision_loss, reason = "a chart has few columns")]
        let step = 100.0 / self.days.len() as f64;
        let width = step * FILL;
        let mut path = String::new();
        let mut x = step * (1.0 - FILL) / 2.0;
        for (_, counts) in &self.days {
            let height = self.height(part(counts));
            let bottom = 100.0 - self.height(below(counts));
            if height > 0.0 {
                // Writing to a string cannot fail.
                let _ = write!(
                    path,
                    "M{x:.1} {bottom:.1}h{width:.1}v-{height:.1}h-{width:.1}z"
                );
            }
            x += step;
        }
        path
    }
}

impl fmt::Display for DayChart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let people = self.path(|counts| counts.human, |_| 0);
        let unsure = self.path(|counts| counts.unsure, |counts| counts.human);
        let bots = self.path(
            |counts| counts.bot,
            |counts| counts.human.saturating_add(counts.unsure),
        );
        let total: CheckCounts = self.days.iter().map(|(_, counts)| *counts).sum();
        write!(
            f,
            "<svg viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Completed checks of the last {DAYS} \
             days: {} people, {} unsure, {} bots.\"><path class=\"g\" d=\"M0 25h100M0 50h100M0 75h100\"/><path class=\"fp\" d=\"{people}\"/>\
             <path class=\"fu\" d=\"{unsure}\"/><path class=\"fb\" d=\"{bots}\"/><path class=\"g\" d=\"M0 0h100M0 100h100\"/></svg>",
            count_text(total.human),
            count_text(total.unsure),
            count_text(total.bot)
        )
    }
}

/// Returns the smallest end of a scale that is 2, 4, 6 or 10 times a power of ten and not below `largest`.
fn scale_end(largest: u64) -> u64 {
    let mut power = 1_u64;
    loop {
        for step in [2, 4, 6, 10] {
            let end = power.saturating_mul(step);
            if end >= largest {
                return end;
            }
        }
        power = power.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_ends_are_round() {
        for (largest, end) in [
            (0, 2),
            (2, 2),
            (3, 4),
            (10, 10),
            (11, 20),
            (2_345, 4_000),
            (u64::MAX, u64::MAX),
        ] {
            assert_eq!(scale_end(largest), end, "{largest}");
        }
    }

    #[test]
    fn columns_are_stacked() {
        let counts = CheckCounts {
            completed: 10,
            human: 5,
            unsure: 2,
            bot: 3,
            ..CheckCounts::default()
        };
        let chart = DayChart::new(&[(Day(100), counts)].into(), Day(100));
        assert_eq!((chart.top().as_str(), chart.middle().as_str()), ("10", "5"));
        assert_eq!(chart.rows().len(), 14);
        assert_eq!(chart.rows()[13].bots, "3");
        let html = chart.to_string();
        assert!(html.contains("5 people, 2 unsure, 3 bots"), "{html}");
        assert!(html.contains("M93.9 100.0h5.0v-50.0h-5.0z"), "{html}");
        assert!(html.contains("M93.9 50.0h5.0v-20.0h-5.0z"), "{html}");
        assert!(html.contains("M93.9 30.0h5.0v-30.0h-5.0z"), "{html}");
    }
}
