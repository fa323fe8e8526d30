//! Report of the test runner (`JUnit` XML), with the skipped and repeated tests of a passing run.
//!
//! Tests print `SKIPPED <name>: <reason>` and `SECOND TRY <name>: <reason>`, and the runner hides the output of passing tests.
//! Retries by the runner are recorded as failures of tests that passed in the end.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use roxmltree::{Document, Node};

const SKIPPED: &str = "SKIPPED ";
const SECOND_TRY: &str = "SECOND TRY ";

/// Contents of a report other than failures.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct TestRecord {
    /// Number of tests that ran.
    pub(crate) tests: usize,
    /// Number of tests that failed.
    pub(crate) failed: usize,
    /// Skipped tests, by name and with the reason.
    pub(crate) skipped: Vec<String>,
    /// Second tries, by name and with the reason.
    pub(crate) second_tries: Vec<String>,
}

/// Removes the report of an earlier run, which must not be mistaken for that of the next.
pub(crate) fn remove(record: &Path) {
    // No report exists before the first run, and a report that cannot be removed can be overwritten.
    let _ = fs::remove_file(record);
}

/// Reads the report of the runner. A failed runner may not have written one.
pub(crate) fn read(record: &Path, passed: bool) -> Result<TestRecord> {
    match fs::read_to_string(record) {
        Ok(xml) => TestRecord::from_xml(&xml)
            .with_context(|| format!("the report at {} is no XML", record.display())),
        Err(_) if !passed => Ok(TestRecord::default()),
        Err(error) => Err(error)
            .with_context(|| format!("the test runner wrote no report at {}", record.display())),
    }
}

impl TestRecord {
    fn from_xml(xml: &str) -> Result<Self> {
        let document = Document::parse(xml)?;
        let test_cases: Vec<_> = document
            .descendants()
            .filter(|node| node.has_tag_name("testcase"))
            .collect();
        let is_failed = |case: &&Node| has_child(case, &["failure", "error"]);
        let retries = test_cases
            .iter()
            .filter(|case| has_child(case, &["flakyFailure", "flakyError"]))
            .filter_map(|case| case.attribute("name"))
            .map(|name| format!("{name}: failed before it passed"));
        Ok(Self {
            tests: test_cases.len(),
            failed: test_cases.iter().filter(is_failed).count(),
            skipped: marked_lines(&document, SKIPPED).collect(),
            second_tries: retries.chain(marked_lines(&document, SECOND_TRY)).collect(),
        })
    }
}

fn has_child(node: &Node, names: &[&str]) -> bool {
    node.children()
        .any(|child| names.contains(&child.tag_name().name()))
}

/// Returns the text after each `marker`: a name, a colon and a reason. The runner's own output may precede the marker on the
/// line.
fn marked_lines<'a>(document: &'a Document, marker: &'a str) -> impl Iterator<Item = String> + 'a {
    document
        .descendants()
        .filter_map(|node| node.text().filter(|_| node.is_text()))
        .flat_map(str::lines)
        .filter_map(move |line| line.split_once(marker))
        .filter(|(runner_output, _)| runner_output.is_empty() || runner_output.ends_with(' '))
        .map(|(_, text)| text.trim_end().to_owned())
        .filter(|text| text.contains(": "))
}

#[cfg(test)]
mod tests {
    use super::TestRecord;

    #[test]
    fn skipped_tests_are_found_by_name_and_reason() {
        let xml = "\
<testsuites><testcase name=\"faults\">
            <system-out>
running 1 test
SKIPPED power_cut: needs &lt;root&gt; &amp;amp; strace
test power_cut ... ok
test short_write ... SKIPPED short_write: needs strace
</system-out>
            <system-err>SKIPPED full_disk: needs a loop device</system-err>
</testcase></testsuites>
";
        assert_eq!(
            TestRecord::from_xml(xml).unwrap().skipped,
            [
                "power_cut: needs <root> &amp; strace",
                "short_write: needs strace",
                "full_disk: needs a loop device",
            ]
        );
    }

    #[test]
    fn marker_inside_another_word_is_ignored() {
        let xml = "<testcase name=\"rows_are_SKIPPED when: empty\">\nNOTSKIPPED a: b\n</testcase>";
        let expected_record = TestRecord {
            tests: 1,
            ..TestRecord::default()
        };
        assert_eq!(TestRecord::from_xml(xml).unwrap(), expected_record);
    }

    #[test]
    fn retries_and_second_tries_are_found_by_name() {
        let xml = "\
<testsuites>
<testcase name=\"failures::in_chromium\" classname=\"voight-tests::pages\" time=\"61.0\">
    <flakyFailure time=\"60.0\" type=\"test failure\">
    </flakyFailure>
    <system-out>SECOND TRY a press: no effect at (1, 2)
</system-out>
</testcase>
<testcase name=\"failures::in_firefox\"><failure type=\"test failure\"/></testcase>
</testsuites>
";
        let record = TestRecord::from_xml(xml).unwrap();
        assert_eq!(record.tests, 2);
        assert_eq!(record.failed, 1);
        assert_eq!(
            record.second_tries,
            [
                "failures::in_chromium: failed before it passed",
                "a press: no effect at (1, 2)"
            ]
        );
    }

    #[test]
    fn truncated_report_is_an_error() {
        assert!(TestRecord::from_xml("<testsuites><testcase name=\"a\">").is_err());
    }
}
