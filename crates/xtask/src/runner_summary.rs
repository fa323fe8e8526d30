//! Summary lines of the test runners, extracted from their output.

/// Returns the summary of nextest and the tests that it names after it.
pub(crate) fn nextest_summary(output: &str) -> Vec<String> {
    let plain: Vec<String> = output.lines().map(without_colour).collect();
    let summary = plain
        .iter()
        .rposition(|line| line.trim_start().starts_with("Summary ["));
    let closing = plain.iter().skip(summary.unwrap_or(plain.len()));
    closing
        .take_while(|line| !line.starts_with("error:"))
        .map(|line| line.trim().to_owned())
        .collect()
}

/// Returns the results of `cargo test --doc`, one line for each crate that has examples.
pub(crate) fn doctest_summary(output: &str) -> Vec<String> {
    let results = output
        .lines()
        .map(without_colour)
        .filter(|line| line.starts_with("test result:"));
    results
        .filter(|line| !line.contains(". 0 passed; 0 failed; 0 ignored"))
        .collect()
}

/// Removes the escape sequences that colour a line.
fn without_colour(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut remainder = line;
    while let Some((before, sequence)) = remainder.split_once("\u{1b}[") {
        plain.push_str(before);
        let end = sequence
            .find(|c: char| c.is_ascii_alphabetic())
            .map_or(sequence.len(), |at| at + 1);
        remainder = sequence.split_at(end).1;
    }
    plain.push_str(remainder);
    plain
}

#[cfg(test)]
mod tests {
    use super::{doctest_summary, nextest_summary, without_colour};

    const OUTPUT: &str = "\
    Starting 2 tests across 2 binaries (1 test and 1 binary skipped)
        PASS [   0.004s] (1/2) voight tests::unit_one
        FAIL [   0.004s] (2/2) voight-tests::http answers
  stderr ───
    Summary: not this line
────────────
     Summary [   0.010s] 2 tests run: 1 passed, 1 failed, 1 skipped
        FAIL [   0.004s] (2/2) voight-tests::http answers
error: test run failed
";

    #[test]
    fn summary_and_failures_are_returned() {
        assert_eq!(
            nextest_summary(OUTPUT),
            [
                "Summary [   0.010s] 2 tests run: 1 passed, 1 failed, 1 skipped",
                "FAIL [   0.004s] (2/2) voight-tests::http answers",
            ]
        );
    }

    #[test]
    fn stopped_runner_has_no_closing_lines() {
        assert!(nextest_summary("error: could not compile `voight`\n").is_empty());
        assert!(nextest_summary("").is_empty());
    }

    #[test]
    fn colours_do_not_hide_the_summary() {
        let output =
            "\u{1b}[32;1m     Summary\u{1b}[0m [   0.010s] \u{1b}[1m4\u{1b}[0m tests run\n";
        assert_eq!(nextest_summary(output), ["Summary [   0.010s] 4 tests run"]);
    }

    #[test]
    fn a_truncated_escape_sequence_is_removed() {
        assert_eq!(without_colour("a\u{1b}[3"), "a");
        assert_eq!(without_colour("a\u{1b}[31mß\u{1b}[m"), "aß");
    }

    #[test]
    fn crates_without_examples_are_not_listed() {
        let output = "\
test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
test a (line 3) ... ok
test result: ok. 10 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.25s
";
        assert_eq!(doctest_summary(output).len(), 1);
    }
}
