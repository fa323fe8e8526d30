//! Tests of the workspace: their list, the part of each, and how a part is run.

mod list;

use std::collections::{BTreeMap, BTreeSet};

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
/// Test binary of each package that contains its integration tests, one module for each subject.
const INTEGRATION: &str = "it";

/// Tests of the workspace, as listed by the runner.
#[derive(Debug)]
pub(crate) struct Suite {
    /// Tests that are not ignored.
    runnable: Vec<TestListing>,
    /// Ignored tests.
    ignored: Vec<TestListing>,
}

impl Suite {
    /// Lists all tests with the runner. All tests must have been built.
    pub(crate) fn list(workspace: &Workspace) -> Result<Self> {
        Ok(Self {
            runnable: list::tests(workspace, "default")?,
            ignored: list::tests(workspace, "only")?,
        })
    }

    /// Returns the parts that have tests, in the order of the run.
    pub(crate) fn parts(&self) -> Vec<TestStage> {
        let has_tests = |part: &TestStage| self.runnable.iter().any(|test| part_of(test) == *part);
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
        let Record {
            tests,
            failed,
            mut skipped,
            second_tries,
        } = record::read(&path, passed)?;
        skipped.extend(self.ignored(part));
        let closing = runner_summary::nextest_summary(&output);
        Ok(Outcome {
            passed,
            tests,
            failed,
            closing,
            skipped,
            second_tries,
        })
    }

    /// Returns the runner's filter expression for the tests of one part.
    fn filter(&self, part: TestStage) -> String {
        let mut binaries: BTreeMap<&str, BinaryModules<'_>> = BTreeMap::new();
        for test in &self.runnable {
            let modules = binaries.entry(&test.binary).or_default();
            let modules = if part_of(test) == part {
                &mut modules.of_part
            } else {
                &mut modules.of_others
            };
            modules.insert(test.module());
        }
        let filters = binaries
            .into_iter()
            .filter_map(|(binary, modules)| modules.filter(binary));
        filters.collect::<Vec<_>>().join(" | ")
    }

    fn ignored(&self, part: TestStage) -> impl Iterator<Item = String> {
        let part_tests = self
            .ignored
            .iter()
            .filter(move |test| part_of(test) == part);
        part_tests.map(|TestListing { binary, test }| format!("{binary} {test}: marked as ignored"))
    }
}

/// Top-level modules of the tests in one binary.
#[derive(Default)]
struct BinaryModules<'a> {
    of_part: BTreeSet<&'a str>,
    of_others: BTreeSet<&'a str>,
}

impl BinaryModules<'_> {
    /// Returns the filter expression for the tests of the part, or `None` if the binary has none.
    fn filter(self, binary: &str) -> Option<String> {
        if self.of_part.is_empty() {
            return None;
        }
        if self.of_others.is_empty() {
            return Some(format!("binary_id(={binary})"));
        }
        let modules = self.of_part.into_iter().collect::<Vec<_>>().join("|");
        Some(format!(
            "(binary_id(={binary}) & test(/^({modules})(::|$)/))"
        ))
    }
}

/// Returns the part of a test by its binary and, in the integration tests of a package, by its top-level module.
///
/// The runner names unit tests `package`, and a file in the directory of tests `package::name`.
fn part_of(test: &TestListing) -> TestStage {
    let (package, target) = test.binary.split_once("::").unwrap_or((&test.binary, ""));
    match (package, target, test.module()) {
        (FAULTS_PACKAGE, "faults", _) | (BLACK_BOX, INTEGRATION, "faults" | "attacks") => {
            TestStage::Faults
        }
        (BOT_CORPUS_PACKAGE, "browser", _)
        | (BLACK_BOX, INTEGRATION, "browser" | "pages" | "schemathesis") => TestStage::Browser,
        (BLACK_BOX, INTEGRATION, "cluster" | "citus")
        | (POSTGRES, INTEGRATION, "faults" | "leader_lease") => TestStage::Cluster,
        (EXAMPLES, ..) | (BLACK_BOX, INTEGRATION, "sdk") => TestStage::Examples,
        (BLACK_BOX, INTEGRATION, "packages") => TestStage::Packages,
        (_, "contract", _) => TestStage::Contract,
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

    fn suite(runnable: &[&str], ignored: &[&str]) -> Suite {
        let parse_all = |lines: &[&str]| {
            lines
                .iter()
                .filter_map(|line| TestListing::parse(line))
                .collect()
        };
        Suite {
            runnable: parse_all(runnable),
            ignored: parse_all(ignored),
        }
    }

    #[test]
    fn binary_and_module_determine_the_part() {
        let expected_stages = [
            ("voight-domain verdict::layers", TestStage::Unit),
            ("voight::bin/voight cli", TestStage::Unit),
            ("voight-tests http::reads", TestStage::Unit),
            ("voight-tests::it architecture::arrows", TestStage::Unit),
            ("voight-tests::it http::pages", TestStage::Unit),
            ("voight-tests::it root", TestStage::Unit),
            ("voight-contract faults::counts", TestStage::Unit),
            ("voight-redb::contract lookup::answers", TestStage::Contract),
            ("voight-tests::it faults::damage::reads", TestStage::Faults),
            ("voight-tests::it attacks::idle", TestStage::Faults),
            ("voight-tests::it cluster::faults::node", TestStage::Cluster),
            ("voight-faults::faults kill redb", TestStage::Faults),
            ("voight-faults::bin/voight-faults cli", TestStage::Unit),
            ("voight-tests::it browser::person", TestStage::Browser),
            ("voight-bot-corpus::browser chromium", TestStage::Browser),
            (
                "voight-tests::it pages::looks::chromium",
                TestStage::Browser,
            ),
            ("voight-bot-corpus families", TestStage::Unit),
            ("voight-tests::it schemathesis::public", TestStage::Browser),
            ("voight-examples::it quests::node", TestStage::Examples),
            ("voight-tests::it packages::debian::a", TestStage::Packages),
            ("voight-tests::it package::bytes::a", TestStage::Unit),
            ("voight-tests::it sdk::go", TestStage::Examples),
            (
                "voight-examples::contract lookup::answers",
                TestStage::Examples,
            ),
            ("voight-tests::it citus::hang::one", TestStage::Cluster),
            ("voight-postgres::it faults::a", TestStage::Cluster),
            ("voight-postgres::it leader_lease::a", TestStage::Cluster),
            ("voight-postgres::contract a", TestStage::Contract),
            ("voight-postgres::it open::a", TestStage::Unit),
            ("voight-http::it faults::a", TestStage::Unit),
        ];
        for (line, part) in expected_stages {
            assert_eq!(part_of(&TestListing::parse(line).unwrap()), part, "{line}");
        }
    }

    #[test]
    fn a_part_is_listed_when_it_has_a_test() {
        let suite = suite(
            &["voight-tests::it faults::a", "voight-domain a"],
            &["voight-redb::contract a"],
        );
        assert_eq!(suite.parts(), [TestStage::Unit, TestStage::Faults]);
    }

    #[test]
    fn filter_contains_binaries_of_the_part() {
        let suite = suite(
            &[
                "voight-redb::contract a",
                "voight-memory::contract a",
                "voight-embedded a",
            ],
            &[],
        );
        let expected_filter =
            "binary_id(=voight-memory::contract) | binary_id(=voight-redb::contract)";
        assert_eq!(suite.filter(TestStage::Contract), expected_filter);
    }

    #[test]
    fn filter_selects_modules_of_mixed_binaries() {
        let tests = [
            "http::a",
            "faults::a::b",
            "attacks::a",
            "attacks::b",
            "root",
        ];
        let lines = tests.map(|test| format!("voight-tests::it {test}"));
        let suite = suite(&lines.each_ref().map(String::as_str), &[]);
        let faults_filter = "(binary_id(=voight-tests::it) & test(/^(attacks|faults)(::|$)/))";
        assert_eq!(suite.filter(TestStage::Faults), faults_filter);
        let unit_filter = "(binary_id(=voight-tests::it) & test(/^(http|root)(::|$)/))";
        assert_eq!(suite.filter(TestStage::Unit), unit_filter);
        assert_eq!(suite.filter(TestStage::Browser), "");
    }

    #[test]
    fn an_ignored_test_is_reported_in_its_part() {
        let suite = suite(
            &[],
            &[
                "voight-redb::contract two_nodes agree",
                "voight-embedded slow",
            ],
        );
        let ignored_tests: Vec<_> = suite.ignored(TestStage::Contract).collect();
        assert_eq!(
            ignored_tests,
            ["voight-redb::contract two_nodes agree: marked as ignored"]
        );
    }
}
