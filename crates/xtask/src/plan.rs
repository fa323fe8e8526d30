//! Selection of the parts to run.

use anyhow::{Result, bail};

use crate::test_stage::TestStage;

/// Returns the parts before the tests. Tests are built even when only one part of them is selected, because a stale binary
/// would be tested otherwise.
pub(crate) fn preparation(only: Option<TestStage>) -> Vec<TestStage> {
    match only {
        None => vec![TestStage::Setup, TestStage::Lint, TestStage::Build],
        Some(part) if part.runs_tests() => vec![TestStage::Build],
        Some(part) => vec![part],
    }
}

/// Returns the selected test parts, among those that have tests.
pub(crate) fn tests(only: Option<TestStage>, with_tests: &[TestStage]) -> Result<Vec<TestStage>> {
    match only {
        None => Ok(with_tests.to_vec()),
        Some(part) if with_tests.contains(&part) => Ok(vec![part]),
        Some(part) => bail!("the part `{part}` has no tests; {}", list_parts(with_tests)),
    }
}

fn list_parts(with_tests: &[TestStage]) -> String {
    let names: Vec<_> = with_tests.iter().map(|part| format!("`{part}`")).collect();
    if names.is_empty() {
        "no part has tests".to_owned()
    } else {
        format!("parts with tests: {}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::{preparation, tests};
    use crate::test_stage::TestStage;

    const WITH_TESTS: [TestStage; 2] = [TestStage::Unit, TestStage::Faults];

    #[test]
    fn all_parts_run_by_default() {
        assert_eq!(
            preparation(None),
            [TestStage::Setup, TestStage::Lint, TestStage::Build]
        );
        assert_eq!(tests(None, &WITH_TESTS).unwrap(), WITH_TESTS);
    }

    #[test]
    fn a_test_part_runs_after_the_build() {
        assert_eq!(preparation(Some(TestStage::Faults)), [TestStage::Build]);
        assert_eq!(
            tests(Some(TestStage::Faults), &WITH_TESTS).unwrap(),
            [TestStage::Faults]
        );
    }

    #[test]
    fn a_preparation_part_runs_alone() {
        assert_eq!(preparation(Some(TestStage::Lint)), [TestStage::Lint]);
    }

    #[test]
    fn ci_runs_the_same_command_with_ci_set() {
        let script =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.ci/run")).unwrap();
        let lines: Vec<_> = script.lines().collect();
        assert!(
            lines.ends_with(&[
                "export CI=true CARGO_INCREMENTAL=0",
                "exec cargo xtask test"
            ]),
            "{script}"
        );
    }

    #[test]
    fn a_part_without_tests_is_rejected() {
        let error = tests(Some(TestStage::Cluster), &WITH_TESTS)
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "the part `cluster` has no tests; parts with tests: `unit`, `faults`"
        );
    }
}
