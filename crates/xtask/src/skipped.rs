//! Tests that skipped themselves. They print `SKIPPED <name>: <why>` and pass, and the runner hides what passing
//! tests print, so that the lines are looked up in the record that the runner leaves.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

const MARK: &str = "SKIPPED ";

/// Removes the record of an earlier run, which must not be taken for that of the next.
pub(crate) fn forget(record: &Path) {
    // There is none before the first run; and a record that cannot be removed can be written over.
    let _ = fs::remove_file(record);
}

/// What tests said about skipping in the runner's record (`JUnit` XML). A runner that failed may have left none.
pub(crate) fn in_record(record: &Path, passed: bool) -> Result<Vec<String>> {
    match fs::read_to_string(record) {
        Ok(xml) => Ok(in_xml(&xml)),
        Err(_) if !passed => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| format!("the test runner left no record at {}", record.display())),
    }
}

/// A name follows the mark up to a colon, and a reason follows the colon. The runner's own output may stand before
/// the mark on the same line.
fn in_xml(xml: &str) -> Vec<String> {
    let said = xml.lines().filter_map(|line| line.split_once(MARK));
    let said = said.filter(|(before, _)| before.is_empty() || before.ends_with([' ', '>']));
    let said = said.map(|(_, rest)| rest.split_once('<').map_or(rest, |(text, _)| text));
    said.filter(|text| text.contains(": ")).map(|text| unescaped(text.trim_end())).collect()
}

fn unescaped(text: &str) -> String {
    let named = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    // The ampersand comes last, since it introduces the others.
    named.replace("&apos;", "'").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::in_xml;

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
            in_xml(xml),
            ["power_cut: needs <root> &amp; strace", "full_disk: needs a loop device", "short_write: needs strace",]
        );
    }

    #[test]
    fn other_uses_of_the_word_are_not_taken_for_a_skipped_test() {
        assert!(in_xml("<testcase name=\"rows_are_SKIPPED when_empty\">\nNOTSKIPPED a: b\n").is_empty());
    }
}
