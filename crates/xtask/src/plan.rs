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
pub(crate) fn tests(only: Option<TestStage>, existing: &[TestStage]) -> Result<Vec<TestStage>> {
    match only {
        None => Ok(existing.to_vec()),
        Some(part) if existing.contains(&part) => Ok(vec![part]),
        Some(part) => bail!("the part `{part}` has no tests yet; {}", those_that_have(existing)),
    }
}

fn those_that_have(existing: &[TestStage]) -> String {
    let names: Vec<_> = existing.iter().map(|part| format!("`{part}`")).collect();
    if names.is_empty() { "no part has any".to_owned() } else { format!("{} have", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::{preparation, tests};
    use crate::test_stage::TestStage;

    const EXISTING: [TestStage; 2] = [TestStage::Unit, TestStage::Faults];

    #[test]
    fn everything_runs_unless_a_part_is_named() {
        assert_eq!(preparation(None), [TestStage::Setup, TestStage::Lint, TestStage::Build]);
        assert_eq!(tests(None, &EXISTING).unwrap(), EXISTING);
    }

    #[test]
    fn a_part_of_tests_is_built_first() {
        assert_eq!(preparation(Some(TestStage::Faults)), [TestStage::Build]);
        assert_eq!(tests(Some(TestStage::Faults), &EXISTING).unwrap(), [TestStage::Faults]);
    }

    #[test]
    fn a_part_of_the_preparation_runs_alone() {
        assert_eq!(preparation(Some(TestStage::Lint)), [TestStage::Lint]);
    }

    #[test]
    fn ci_runs_the_same_command_and_says_that_it_is_ci() {
        let script = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.ci/run")).unwrap();
        let lines: Vec<_> = script.lines().collect();
        assert!(lines.ends_with(&["export CI=true", "exec cargo xtask test"]), "{script}");
    }

    #[test]
    fn a_part_without_tests_is_refused_and_never_passes() {
        let error = tests(Some(TestStage::Cluster), &EXISTING).unwrap_err().to_string();
        assert_eq!(error, "the part `cluster` has no tests yet; `unit`, `faults` have");
    }
}
