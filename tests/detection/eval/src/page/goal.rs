//! Row of the table of goals.

/// Target of a metric.
#[derive(Debug, Clone, Copy)]
pub(super) enum GoalBound {
    AtLeast(f64),
    AtMost(f64),
    /// Metric without a target, which is only published.
    Reported,
}

/// Unit of a metric.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unit {
    Share,
    Score,
    Microseconds,
}

impl Unit {
    fn write(self, value: f64) -> String {
        match self {
            Self::Share => format!("{:.2} %", value * 100.0),
            Self::Score => format!("{value:.3}"),
            Self::Microseconds => format!("{value:.0} us"),
        }
    }

    fn format_difference(self, value: f64) -> String {
        match self {
            Self::Share => format!("{:.2} points", value * 100.0),
            other => other.write(value),
        }
    }
}

/// Metric with its target.
#[derive(Debug, Clone)]
pub(super) struct Goal {
    pub(super) what: &'static str,
    pub(super) target: GoalBound,
    pub(super) unit: Unit,
    pub(super) measured: Option<f64>,
    /// One-sided 95 % bound; equal to the value if it is not of a sample.
    pub(super) bound: Option<f64>,
    pub(super) n: String,
    pub(super) data: &'static str,
    pub(super) date: String,
}

impl Goal {
    /// Returns the cells of the row.
    pub(super) fn cells(&self) -> [String; 8] {
        let Self {
            what,
            unit,
            n,
            data,
            date,
            ..
        } = self;
        let unit_text =
            |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| unit.write(value));
        let target = match self.target {
            GoalBound::AtLeast(value) => format!(">= {}", unit.write(value)),
            GoalBound::AtMost(value) => format!("<= {}", unit.write(value)),
            GoalBound::Reported => "reported".to_owned(),
        };
        let measured_text = unit_text(self.measured);
        let bound_text = unit_text(self.bound);
        [
            (*what).to_owned(),
            target,
            measured_text,
            bound_text,
            n.clone(),
            (*data).to_owned(),
            date.clone(),
            self.verdict(),
        ]
    }

    /// Describes the result: the goal is met, missed by a difference, or not shown.
    fn verdict(&self) -> String {
        let short = |value: f64| match self.target {
            GoalBound::AtLeast(target) => target - value,
            GoalBound::AtMost(target) => value - target,
            GoalBound::Reported => 0.0,
        };
        let not_shown = |reason: &str| format!("not shown (n = {}): {reason}", self.n);
        match (self.measured.map(short), self.bound.map(short)) {
            (None, _) => not_shown("not measured"),
            (Some(_), _) if matches!(self.target, GoalBound::Reported) => "reported".to_owned(),
            (Some(measured), _) if measured > 0.0 => {
                format!("missed by {}", self.unit.format_difference(measured))
            }
            (Some(_), None) => not_shown("no bound"),
            (Some(_), Some(bound)) if bound > 0.0 => not_shown(&format!(
                "the bound is {} short",
                self.unit.format_difference(bound)
            )),
            (Some(_), Some(_)) => "shown".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{SampleCluster, lower_bound};

    fn verdict(hits: usize, families: usize, target: f64) -> String {
        let clusters = vec![SampleCluster { n: 10, hits }; families];
        let (measured, bound) = lower_bound(&clusters);
        let goal = Goal {
            what: "x",
            target: GoalBound::AtLeast(target),
            unit: Unit::Share,
            measured,
            bound,
            n: format!("{families} families"),
            data: "d",
            date: String::new(),
        };
        goal.verdict()
    }

    #[test]
    fn goal_is_confirmed_by_its_confidence_bound() {
        assert_eq!(verdict(10, 400, 0.99), "shown");
        assert!(
            verdict(10, 12, 0.99).starts_with("not shown (n = 12 families): the bound is"),
            "{}",
            verdict(10, 12, 0.99)
        );
        assert_eq!(verdict(9, 400, 0.95), "missed by 5.00 points");
        assert_eq!(
            verdict(0, 0, 0.95),
            "not shown (n = 0 families): not measured"
        );
    }
}
