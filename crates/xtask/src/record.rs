//! Report of the test runner (`JUnit` XML), with the skipped and repeated tests of a passing run.
//!
//! Tests print `SKIPPED <name>: <reason>` and `SECOND TRY <name>: <reason>`, and the runner hides the output of passing tests.
//! Retries by the runner are recorded as failures of tests that passed in the end.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

const SKIPPED: &str = "SKIPPED ";
const SECOND_TRY: &str = "SECOND TRY ";

/// Contents of a report other than failures.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
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
pub(crate) fn read(record: &Path, passed: bool) -> Result<Record> {
    match fs::read_to_string(record) {
        Ok(xml) => Ok(Record::from_xml(&xml)),
        Err(_) if !passed => Ok(Record::default()),
        Err(error) => Err(error)
            .with_context(|| format!("the test runner wrote no report at {}", record.display())),
    }
}

impl Record {
    fn from_xml(xml: &str) -> Self {
        let mut second_tries = retried(xml);
        second_tries.extend(marked_lines(xml, SECOND_TRY));
        let (tests, failed) = counts(xml);
        Self {
            tests,
            failed,
            skipped: marked_lines(xml, SKIPPED),
            second_tries,
        }
    }
}

/// Returns the numbers of tests that ran and that failed.
fn counts(xml: &str) -> (usize, usize) {
    let cases = || xml.split("<testcase ").skip(1);
    (
        cases().count(),
        cases()
            .filter(|case| case.contains("<failure") || case.contains("<error"))
            .count(),
    )
}

/// Returns the tests that the runner repeated until they passed.
fn retried(xml: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut name = "";
    for element in xml.split('<') {
        if element.starts_with("testcase ") {
            name = element
                .split_once(" name=\"")
                .and_then(|(_, rest)| rest.split_once('"'))
                .map_or("", |(name, _)| name);
        } else if element.starts_with("flakyFailure") || element.starts_with("flakyError") {
            names.push(format!("{}: failed before it passed", unescaped(name)));
        }
    }
    names
}

/// Returns the text after each `marker`: a name, a colon and a reason. The runner's own output may precede the marker on the
/// line.
fn marked_lines(xml: &str, marker: &str) -> Vec<String> {
    let texts = xml.lines().filter_map(|line| line.split_once(marker));
    let texts = texts.filter(|(before, _)| before.is_empty() || before.ends_with([' ', '>']));
    let texts = texts.map(|(_, rest)| rest.split_once('<').map_or(rest, |(text, _)| text));
    texts
        .filter(|text| text.contains(": "))
        .map(|text| unescaped(text.trim_end()))
        .collect()
}

fn unescaped(text: &str) -> String {
    let partly_unescaped = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"");
    // The ampersand is replaced last, because the other entities begin with it.
    partly_unescaped
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::Record;

    #[test]
    fn skipped_tests_are_found_by_name_and_reason() {
        let xml = "\
            <system-out>
running 1 test
SKIPPED power_cut: needs &lt;root&gt; &amp;amp; strace
test power_cut ... ok
</system-out>
            <system-err>SKIPPED full_disk: needs a loop device</system-err>
test short_write ... SKIPPED short_write: needs strace
";
        assert_eq!(
            Record::from_xml(xml).skipped,
            [
                "power_cut: needs <root> &amp; strace",
                "full_disk: needs a loop device",
                "short_write: needs strace",
            ]
        );
    }

    #[test]
    fn the_marker_inside_another_word_is_ignored() {
        let xml = "<testcase name=\"rows_are_SKIPPED when_empty\">\nNOTSKIPPED a: b\n";
        assert_eq!(
            Record::from_xml(xml),
            Record {
                tests: 1,
                ..Record::default()
            }
        );
    }

    #[test]
    fn retries_and_second_tries_are_found_by_name() {
        let xml = "\
<testcase name=\"failures::in_chromium\" classname=\"voight-tests::pages\" time=\"61.0\">
    <flakyFailure time=\"60.0\" type=\"test failure\">
    </flakyFailure>
    <system-out>SECOND TRY a press: no effect at (1, 2)
</system-out>
</testcase>
<testcase name=\"failures::in_firefox\" classname=\"voight-tests::pages\" time=\"61.0\"><failure type=\"test failure\"/></testcase>
";
        assert_eq!(
            (Record::from_xml(xml).tests, Record::from_xml(xml).failed),
            (2, 1)
        );
        assert_eq!(
            Record::from_xml(xml).second_tries,
            [
                "failures::in_chromium: failed before it passed",
                "a press: no effect at (1, 2)"
            ]
        );
    }
}
