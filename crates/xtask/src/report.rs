//! Report of a run: summary lines, skipped tests, and the table of times.

use std::process::ExitCode;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::test_stage::{TestStage, TimeBudget};
use crate::{console, skips};

/// Maximum number of second tries; more fail the run. A busy machine causes a few, an intermittent fault causes many.
const MAX_SECOND_TRIES: usize = 10;
/// Percentage of a time budget above which a run with CI set fails. A machine may be half as fast as the one of the budgets, so
/// the budgets themselves are no limit.
const MAX_BUDGET_PERCENT: u32 = 150;

/// Result of one part.
#[derive(Debug)]
struct StageResult {
    part: TestStage,
    duration: Duration,
    outcome: Outcome,
}

/// Results of the parts that ran, in order.
#[derive(Debug, Default)]
pub(crate) struct Report {
    rows: Vec<StageResult>,
    /// `true` if a skip that the committed list does not permit fails the run.
    is_ci: bool,
    /// `true` if the run is of the full tier, which has no time budget.
    is_full: bool,
}

impl Report {
    /// Returns an empty report; `is_ci` limits skips to the committed list.
    pub(crate) fn new(is_ci: bool) -> Self {
        Self {
            is_ci,
            ..Self::default()
        }
    }

    /// Returns an empty report of a run of the full tier or of the default one.
    pub(crate) fn of_tier(self, is_full: bool) -> Self {
        Self { is_full, ..self }
    }

    /// Adds the result of a part.
    pub(crate) fn add(&mut self, part: TestStage, duration: Duration, outcome: Outcome) {
        self.rows.push(StageResult {
            part,
            duration,
            outcome,
        });
    }

    /// Returns the last result with its duration.
    pub(crate) fn last(&self) -> Option<(&Outcome, Duration)> {
        self.rows.last().map(|row| (&row.outcome, row.duration))
    }

    /// Prints the report.
    pub(crate) fn print(&self) {
        let lines = self.lines();
        if !lines.is_empty() {
            console::heading("closing lines");
            lines.into_iter().for_each(console::line);
        }
        console::heading("time");
        self.table().into_iter().for_each(console::line);
    }

    /// Returns success only if at least one part ran and all of them passed.
    pub(crate) fn exit_code(&self) -> ExitCode {
        let all_passed = !self.rows.is_empty() && self.rows.iter().all(|row| row.outcome.passed);
        let is_success = all_passed
            && self.too_many_second_tries().is_none()
            && self.unexpected_skips().is_empty()
            && self.exceeded_budgets().is_empty();
        if is_success {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }

    fn lines(&self) -> Vec<String> {
        let lines_of = |row: &StageResult| {
            let closing = row
                .outcome
                .closing
                .iter()
                .map(|line| format!("{:<9} {line}", row.part));
            let skips = row
                .outcome
                .skipped
                .iter()
                .map(|line| format!("{:<9} SKIPPED {line}", row.part));
            let second_tries = row
                .outcome
                .second_tries
                .iter()
                .map(|line| format!("{:<9} SECOND TRY {line}", row.part));
            closing.chain(skips).chain(second_tries).collect::<Vec<_>>()
        };
        let lines = self.rows.iter().flat_map(lines_of);
        lines
            .chain(self.unexpected_skips())
            .chain(self.too_many_second_tries())
            .chain(self.exceeded_budgets())
            .collect()
    }

    /// Returns the reasons for failing a run in CI that skipped tests outside the committed list.
    fn unexpected_skips(&self) -> Vec<String> {
        if !self.is_ci {
            return Vec::new();
        }
        let skips = self
            .rows
            .iter()
            .flat_map(|row| &row.outcome.skipped)
            .map(String::as_str);
        let line =
            |skip| format!("FAILED    .config/permitted-skips.txt does not list this skip: {skip}");
        skips::unexpected(skips).into_iter().map(line).collect()
    }

    /// Returns the reason for failing a passed run with too many second tries.
    fn too_many_second_tries(&self) -> Option<String> {
        let tries: usize = self
            .rows
            .iter()
            .map(|row| row.outcome.second_tries.len())
            .sum();
        (tries > MAX_SECOND_TRIES).then(|| {
            format!("FAILED    {tries} second tries, {MAX_SECOND_TRIES} are allowed: find the intermittent fault")
        })
    }

    /// Returns the reasons for failing a run in CI whose parts took too long.
    fn exceeded_budgets(&self) -> Vec<String> {
        if !self.is_ci || self.is_full {
            return Vec::new();
        }
        let exceeded_budgets = TimeBudget::ALL.into_iter().filter_map(|budget| {
            let rows = self.rows_of(budget);
            let duration = total_duration(&rows);
            let limit = budget.duration() * MAX_BUDGET_PERCENT / 100;
            let last_part = rows.last()?.part;
            (duration > limit).then(|| {
                format!(
                    "FAILED    the budget that ends with `{last_part}` is exceeded: {}, the limit is {}",
                    clock(duration),
                    clock(limit)
                )
            })
        });
        exceeded_budgets.collect()
    }

    fn rows_of(&self, budget: TimeBudget) -> Vec<&StageResult> {
        self.rows
            .iter()
            .filter(|row| row.part.budget() == budget)
            .collect()
    }

    /// Returns one line for each part; the last part of a budget also shows the total time of the budget.
    fn table(&self) -> Vec<String> {
        let of_budget = if self.is_full { "" } else { "of its budget" };
        let heading = format!("{:<9} {:<7} {:>8}   {of_budget}", "part", "result", "took");
        let mut table = vec![heading.trim_end().to_owned()];
        for budget in TimeBudget::ALL {
            let rows = self.rows_of(budget);
            for (index, row) in rows.iter().enumerate() {
                let is_last = index + 1 == rows.len();
                let budget_share = if is_last && !self.is_full {
                    spent(total_duration(&rows), budget)
                } else {
                    String::new()
                };
                table.push(row.line(&budget_share));
            }
        }
        table
    }
}

impl StageResult {
    fn line(&self, spent: &str) -> String {
        let result = if self.outcome.passed {
            "passed"
        } else {
            "FAILED"
        };
        let line = format!(
            "{:<9} {result:<7} {:>8}   {spent}",
            self.part,
            clock(self.duration)
        );
        line.trim_end().to_owned()
    }
}

fn total_duration(rows: &[&StageResult]) -> Duration {
    rows.iter().map(|row| row.duration).sum()
}

fn spent(duration: Duration, budget: TimeBudget) -> String {
    let over = if duration > budget.duration() {
        ", over its budget"
    } else {
        ""
    };
    format!("{} of {}{over}", clock(duration), clock(budget.duration()))
}

/// Formats minutes and seconds, rounded up, so that no part appears to take no time.
fn clock(duration: Duration) -> String {
    let seconds = duration.as_secs() + u64::from(duration.subsec_nanos() > 0);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{MAX_SECOND_TRIES, Report, clock};
    use crate::outcome::Outcome;
    use crate::test_stage::TestStage;

    fn outcome(passed: bool, closing: &[&str], skipped: &[&str]) -> Outcome {
        let to_strings = |lines: &[&str]| lines.iter().map(ToString::to_string).collect();
        Outcome {
            passed,
            closing: to_strings(closing),
            skipped: to_strings(skipped),
            ..Outcome::passed()
        }
    }

    fn report() -> Report {
        let mut report = Report::default();
        report.add(
            TestStage::Lint,
            Duration::from_secs(100),
            outcome(true, &[], &["advisories: no database"]),
        );
        report.add(
            TestStage::Build,
            Duration::from_secs(20),
            outcome(true, &[], &[]),
        );
        report.add(
            TestStage::Faults,
            Duration::from_secs(541),
            outcome(false, &["Summary"], &[]),
        );
        report
    }

    #[test]
    fn table_contains_parts_and_budget_totals() {
        assert_eq!(
            report().table(),
            [
                "part      result      took   of its budget",
                "lint      passed      1:40",
                "build     passed      0:20   2:00 of 14:00",
                "faults    FAILED      9:01   9:01 of 4:00, over its budget",
            ]
        );
    }

    #[test]
    fn run_fails_above_one_and_a_half_budgets() {
        let report = |is_ci, seconds| {
            let mut report = Report::new(is_ci);
            report.add(
                TestStage::Faults,
                Duration::from_secs(seconds),
                outcome(true, &[], &[]),
            );
            report
        };
        assert!(report(true, 360).exceeded_budgets().is_empty());
        assert!(report(false, 361).exceeded_budgets().is_empty());
        assert!(
            report(true, 361)
                .of_tier(true)
                .exceeded_budgets()
                .is_empty()
        );
        assert_eq!(
            report(true, 361).lines(),
            ["FAILED    the budget that ends with `faults` is exceeded: 6:01, the limit is 6:00"]
        );
    }

    #[test]
    fn the_full_tier_has_no_budgets() {
        let table = report().of_tier(true).table();
        assert_eq!(
            [&table[0], table.last().unwrap()],
            ["part      result      took", "faults    FAILED      9:01"]
        );
    }

    #[test]
    fn closing_lines_are_printed_by_part() {
        assert_eq!(
            report().lines(),
            [
                "lint      SKIPPED advisories: no database",
                "faults    Summary"
            ]
        );
    }

    #[test]
    fn run_fails_with_any_failed_part() {
        let failure = format!("{:?}", std::process::ExitCode::FAILURE);
        assert_eq!(format!("{:?}", report().exit_code()), failure);
        assert_eq!(format!("{:?}", Report::default().exit_code()), failure);
        let mut passing = Report::default();
        passing.add(TestStage::Unit, Duration::ZERO, outcome(true, &[], &[]));
        assert_ne!(format!("{:?}", passing.exit_code()), failure);
    }

    #[test]
    fn too_many_second_tries_fail_the_run() {
        let report = |tries: usize| {
            let second_tries = (0..tries)
                .map(|number| format!("press {number}: missed"))
                .collect();
            let mut report = Report::default();
            report.add(
                TestStage::Browser,
                Duration::ZERO,
                Outcome {
                    second_tries,
                    ..Outcome::passed()
                },
            );
            report
        };
        let failure = format!("{:?}", std::process::ExitCode::FAILURE);
        let allowed_tries = report(MAX_SECOND_TRIES);
        let too_many_tries = report(MAX_SECOND_TRIES + 1);
        assert_eq!(
            allowed_tries.lines()[0],
            "browser   SECOND TRY press 0: missed"
        );
        assert_ne!(format!("{:?}", allowed_tries.exit_code()), failure);
        assert_eq!(format!("{:?}", too_many_tries.exit_code()), failure);
        assert!(
            too_many_tries
                .lines()
                .last()
                .unwrap()
                .starts_with("FAILED    11 second tries, 10 are allowed"),
            "{:?}",
            too_many_tries.lines()
        );
    }

    #[test]
    fn unlisted_skip_fails_in_ci_only() {
        let failure = format!("{:?}", std::process::ExitCode::FAILURE);
        for (is_ci, skip, fails) in [
            (true, "a_test: no disk here", true),
            (true, "a_test: runs in the full tier", false),
            (false, "a_test: no disk here", false),
        ] {
            let mut report = Report::new(is_ci);
            report.add(TestStage::Unit, Duration::ZERO, outcome(true, &[], &[skip]));
            assert_eq!(
                format!("{:?}", report.exit_code()) == failure,
                fails,
                "{skip}"
            );
            assert_eq!(
                report.lines().last().unwrap().starts_with("FAILED"),
                fails,
                "{skip}"
            );
        }
    }

    #[test]
    fn time_is_rounded_up() {
        assert_eq!(clock(Duration::from_millis(59_001)), "1:00");
        assert_eq!(clock(Duration::from_secs(3_661)), "61:01");
    }
}
