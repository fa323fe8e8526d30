//! Findings, ordered by severity.

use serde::Serialize;
use std::cmp::Reverse;
use std::fmt;

/// Findings of all checks.
#[derive(Debug, Default)]
pub(super) struct DoctorFindings {
    findings: Vec<DoctorFinding>,
}

/// Number of findings of each status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Summary {
    /// Failed checks.
    pub(super) failed: usize,
    /// Checks with a warning.
    pub(super) warnings: usize,
    /// Checks without a problem.
    pub(super) passed: usize,
}

/// Result of one check.
#[derive(Debug, Serialize)]
pub(super) struct DoctorFinding {
    /// Name of the check.
    pub(super) check: &'static str,
    /// Status of the check.
    pub(super) status: Status,
    /// Observation.
    pub(super) message: String,
    /// Advice to the operator; empty if no action is needed.
    pub(super) advice: String,
}

/// Status of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    /// No problem.
    Ok,
    /// Works, but needs attention.
    Warn,
    /// Wrong.
    Fail,
}

impl Status {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

impl DoctorFindings {
    /// Returns the findings by decreasing severity; findings of one severity keep the order of the checks.
    pub(super) fn into_findings(mut self) -> Vec<DoctorFinding> {
        self.findings.sort_by_key(|finding| Reverse(finding.status));
        self.findings
    }

    /// Counts the findings of each status.
    pub(super) fn summary(&self) -> Summary {
        let count = |status| {
            self.findings
                .iter()
                .filter(|finding| finding.status == status)
                .count()
        };
        Summary {
            failed: count(Status::Fail),
            warnings: count(Status::Warn),
            passed: count(Status::Ok),
        }
    }

    pub(super) fn ok(&mut self, check: &'static str, message: impl Into<String>) {
        self.add(check, Status::Ok, message.into(), "");
    }

    pub(super) fn warn(&mut self, check: &'static str, message: impl Into<String>, advice: &str) {
        self.add(check, Status::Warn, message.into(), advice);
    }

    pub(super) fn fail(&mut self, check: &'static str, message: impl Into<String>, advice: &str) {
        self.add(check, Status::Fail, message.into(), advice);
    }

    fn add(&mut self, check: &'static str, status: Status, message: String, advice: &str) {
        self.findings.push(DoctorFinding {
            check,
            status,
            message,
            advice: advice.to_owned(),
        });
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count_text = |count: usize, word: &str| {
            format!("{count} {word}{}", if count == 1 { "" } else { "s" })
        };
        match self.failed {
            0 => f.write_str("Nothing failed: ")?,
            failed => write!(f, "{} failed: ", count_text(failed, "check"))?,
        }
        write!(
            f,
            "{}, {} passed.",
            count_text(self.warnings, "warning"),
            count_text(self.passed, "check")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_sorted_by_severity_and_summed_up_in_a_line() {
        let mut report = DoctorFindings::default();
        report.ok("first", "");
        report.warn("second", "", "");
        report.fail("third", "", "");
        report.ok("fourth", "");
        assert_eq!(
            report.summary().to_string(),
            "1 check failed: 1 warning, 2 checks passed."
        );
        let order: Vec<_> = report
            .into_findings()
            .iter()
            .map(|finding| finding.check)
            .collect();
        assert_eq!(order, ["third", "second", "first", "fourth"]);
    }
}
