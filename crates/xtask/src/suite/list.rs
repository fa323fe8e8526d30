//! List of tests from the runner.

use anyhow::Result;

use crate::process;
use crate::workspace::Workspace;

/// One test.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TestListing {
    /// Binary that contains the test.
    pub(super) binary: String,
    /// Name of the test in its binary.
    pub(super) test: String,
}

/// Lists tests with the runner: `default` selects those that run, `only` the ignored ones.
pub(super) fn tests(workspace: &Workspace, which: &str) -> Result<Vec<TestListing>> {
    let mut command = workspace.cargo();
    command.args(["nextest", "list", "--workspace", "--cargo-quiet"]);
    command.args(["--message-format", "oneline", "--run-ignored", which]);
    let text = process::required_output(&mut command)?;
    Ok(text.lines().filter_map(TestListing::parse).collect())
}

impl TestListing {
    /// Parses a line with a binary and, after a space, a test, whose name may contain spaces.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (binary, test) = line.trim().split_once(' ')?;
        Some(Self {
            binary: binary.to_owned(),
            test: test.to_owned(),
        })
    }

    /// Returns the top-level module of the test in its binary, or the name of a test that is in none.
    pub(super) fn module(&self) -> &str {
        self.test
            .split_once("::")
            .map_or(&self.test, |(module, _)| module)
    }
}

#[cfg(test)]
mod tests {
    use super::TestListing;

    #[test]
    fn a_line_is_a_binary_and_a_test() {
        let listing = TestListing::parse("voight-embedded writer::groups two\n").unwrap();
        assert_eq!(listing.binary, "voight-embedded");
        assert_eq!(listing.test, "writer::groups two");
        assert_eq!(listing.module(), "writer");
        assert_eq!(TestListing::parse(""), None);
    }
}
