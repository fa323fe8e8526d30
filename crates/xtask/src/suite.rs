//! Test binaries of the workspace: their list, the part of each, and how a part is run.

mod list;

use std::collections::BTreeSet;

use anyhow::Result;

use self::list::TestListing;
use crate::environment;
use crate::outcome::Outcome;
use crate::process::{self, Stream};
use crate::record::{self, Record};
use crate::runner_summary;
use crate::test_stage::TestStage;
use crate::workspace::Workspace;

/// Package of the black-box tests.
const BLACK_BOX: &str = "voight-tests";
/// Package of the fault injection scenarios.
const FAULTS_PACKAGE: &str = "voight-faults";
/// Package of the bot corpus.
const BOT_CORPUS_PACKAGE: &str = "voight-bot-corpus";
/// Package of the PostgreSQL store.
const POSTGRES: &str = "voight-postgres";
/// Package of the examples for integrators.
const EXAMPLES: &str = "voight-examples";

/// Tests of the workspace, as listed by the runner.
#[derive(Debug)]
pub(crate) struct Suite {
    /// Binaries with at least one test that is not ignored.
    binaries: BTreeSet<String>,
    /// Ignored tests, with their binaries.
    ignored: Vec<TestListing>,
}

impl Suite {
    /// Lists all tests with the runner. All tests must have been built.
    pub(crate) fn list(workspace: &Workspace) -> Result<Self> {
        let runnable = list::tests(workspace, "default")?;
        let ignored = list::tests(workspace, "only")?;
        Ok(Self { binaries: runnable.into_iter().map(|listed| listed.binary).collect(), ignored })
    }

    /// Returns the parts that have tests, in the order of the run.
    pub(crate) fn parts(&self) -> Vec<TestStage> {
        let has_tests = |part: &TestStage| self.binaries.iter().any(|binary| part_of(binary) == *part);
        TestStage::TESTS.into_iter().filter(has_tests).collect()
    }

    /// Runs the tests of one part.
    pub(crate) fn run(&self, part: TestStage, workspace: &Workspace) -> Result<Outcome> {
        let mut outcome = self.run_listed(part, workspace)?;
        if part == TestStage::Unit {
            let (passed, closing) = run_documented(workspace)?;
            outcome.passed &= passed;
            outcome.closing.extend(closing);
        }
        Ok(outcome)
    }

    fn run_listed(&self, part: TestStage, workspace: &Workspace) -> Result<Outcome> {
        let path = workspace.test_record();
        record::remove(&path);
        let mut command = workspace.cargo();
        command.args(["nextest", "run", "--workspace", "--profile", "ci"]);
        command.args(["--color", process::colour(), "-E", &self.filter(part)]);
        environment::provide(&mut command, workspace, &workspace.binary())?;
        let (passed, output) = process::run_captured(Stream::Stderr, &mut command)?;
        let Record { tests, failed, mut skipped, second_tries } = record::read(&path, passed)?;
        skipped.extend(self.ignored(part));
        let closing = runner_summary::nextest_summary(&output);
        Ok(Outcome { passed, tests, failed, closing, skipped, second_tries })
    }

    /// Returns the runner's filter expression for the binaries of one part.
    fn filter(&self, part: TestStage) -> String {
        let part_binaries = self.binaries.iter().filter(|binary| part_of(binary) == part);
        part_binaries.map(|binary| format!("binary_id(={binary})")).collect::<Vec<_>>().join(" | ")
    }

    fn ignored(&self, part: TestStage) -> impl Iterator<Item = String> {
        let part_binaries = self.ignored.iter().filter(move |listed| part_of(&listed.binary) == part);
        part_binaries.map(|TestListing { binary, test }| format!("{binary} {test}: marked as ignored"))
    }
}

/// Returns the part of a test binary by its name.
///
/// The runner names unit tests `package`, and a file in the directory of tests `package::name`.
fn part_of(binary: &str) -> TestStage {
    match binary.split_once("::").unwrap_or((binary, "")) {
        (BLACK_BOX | FAULTS_PACKAGE, "faults") | (BLACK_BOX, "attacks") => TestStage::Faults,
        (BLACK_BOX | BOT_CORPUS_PACKAGE, "browser") | (BLACK_BOX, "pages" | "schemathesis") => TestStage::Browser,
        (BLACK_BOX, "cluster" | "citus") | (POSTGRES, "faults" | "leader_lease") => TestStage::Cluster,
        (EXAMPLES, _) => TestStage::Examples,
        (_, "contract") => TestStage::Contract,
        _ => TestStage::Unit,
    }
}

/// Runs the documentation examples, which the other runner does not support.
fn run_documented(workspace: &Workspace) -> Result<(bool, Vec<String>)> {
    let mut command = workspace.cargo();
    command.args(["test", "--workspace", "--doc"]);
    let (passed, output) = process::run_captured(Stream::Stdout, &mut command)?;
    Ok((passed, runner_summary::doctest_summary(&output)))
}

#[cfg(test)]
mod tests {
    use super::list::TestListing;
    use super::{Suite, part_of};
    use crate::test_stage::TestStage;

    fn suite(binaries: &[&str], ignored: &[&str]) -> Suite {
        Suite {
            binaries: binaries.iter().map(ToString::to_string).collect(),
            ignored: ignored.iter().filter_map(|line| TestListing::parse(line)).collect(),
        }
    }

    #[test]
    fn the_name_of_a_binary_determines_its_part() {
        let expected = [
            ("voight-domain", TestStage::Unit),
            ("voight::bin/voight", TestStage::Unit),
            ("voight-tests", TestStage::Unit),
            ("voight-tests::architecture", TestStage::Unit),
            ("voight-tests::http", TestStage::Unit),
            ("voight-contract", TestStage::Unit),
            ("voight-redb::contract", TestStage::Contract),
            ("voight-tests::faults", TestStage::Faults),
            ("voight-tests::attacks", TestStage::Faults),
            ("voight-faults::faults", TestStage::Faults),
            ("voight-faults::bin/voight-faults", TestStage::Unit),
            ("voight-tests::browser", TestStage::Browser),
            ("voight-bot-corpus::browser", TestStage::Browser),
            ("voight-tests::pages", TestStage::Browser),
            ("voight-bot-corpus", TestStage::Unit),
            ("voight-tests::schemathesis", TestStage::Browser),
            ("voight-examples::node", TestStage::Examples),
            ("voight-tests::cluster", TestStage::Cluster),
            ("voight-tests::citus", TestStage::Cluster),
            ("voight-postgres::faults", TestStage::Cluster),
            ("voight-postgres::leader_lease", TestStage::Cluster),
            ("voight-postgres::contract", TestStage::Contract),
            ("voight-postgres::open", TestStage::Unit),
        ];
        for (binary, part) in expected {
            assert_eq!(part_of(binary), part, "{binary}");
        }
    }

    #[test]
    fn a_part_is_listed_when_it_has_a_binary() {
        let suite = suite(&["voight-tests::faults", "voight-domain"], &["voight-redb::contract a"]);
        assert_eq!(suite.parts(), [TestStage::Unit, TestStage::Faults]);
    }

    #[test]
    fn a_filter_contains_exactly_the_binaries_of_the_part() {
        let suite = suite(&["voight-redb::contract", "voight-memory::contract", "voight-embedded"], &[]);
        let expected = "binary_id(=voight-memory::contract) | binary_id(=voight-redb::contract)";
        assert_eq!(suite.filter(TestStage::Contract), expected);
    }

    #[test]
    fn an_ignored_test_is_reported_in_its_part() {
        let suite = suite(&[], &["voight-redb::contract two_nodes agree", "voight-embedded slow"]);
        let named: Vec<_> = suite.ignored(TestStage::Contract).collect();
        assert_eq!(named, ["voight-redb::contract two_nodes agree: marked as ignored"]);
    }
}
