//! The runner's list of tests.

use anyhow::{Context, Result};

use crate::process;
use crate::workspace::Workspace;

/// One test.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TestListing {
    /// The binary it is in.
    pub(super) binary: String,
    /// Its name in that binary.
    pub(super) test: String,
}

/// Asks the runner for tests: `default` are those that run, `only` those that are marked as ignored.
pub(super) fn tests(workspace: &Workspace, which: &str) -> Result<Vec<TestListing>> {
    let mut command = workspace.cargo();
    command.args(["nextest", "list", "--workspace", "--cargo-quiet"]);
    command.args(["--message-format", "oneline", "--run-ignored", which]);
    let text = process::output(&mut command)
        .with_context(|| format!("`{}` failed; run it to see why", process::command_line(&command)))?;
    Ok(text.lines().filter_map(TestListing::parse).collect())
}

impl TestListing {
    /// A line holds a binary and, after a space, a test, in whose name there may be more spaces.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (binary, test) = line.trim().split_once(' ')?;
        Some(Self { binary: binary.to_owned(), test: test.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::TestListing;

    #[test]
    fn a_line_is_a_binary_and_a_test() {
        let listed = TestListing::parse("voight-store writer::groups two\n").unwrap();
        assert_eq!(listed.binary, "voight-store");
        assert_eq!(listed.test, "writer::groups two");
        assert_eq!(TestListing::parse(""), None);
    }
}
