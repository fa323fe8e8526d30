//! Selection of the parts to run.

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

/// Returns the selected parts that run tests.
pub(crate) fn tests(only: Option<TestStage>) -> Vec<TestStage> {
    let selected_parts = only.map_or(TestStage::TESTS.to_vec(), |part| vec![part]);
    selected_parts
        .into_iter()
        .filter(|part| part.runs_tests())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{preparation, tests};
    use crate::test_stage::TestStage;

    #[test]
    fn all_parts_run_by_default() {
        assert_eq!(
            preparation(None),
            [TestStage::Setup, TestStage::Lint, TestStage::Build]
        );
        assert_eq!(tests(None), TestStage::TESTS);
    }

    #[test]
    fn a_test_part_runs_after_the_build() {
        assert_eq!(preparation(Some(TestStage::Faults)), [TestStage::Build]);
        assert_eq!(tests(Some(TestStage::Faults)), [TestStage::Faults]);
    }

    #[test]
    fn a_preparation_part_runs_alone() {
        assert_eq!(preparation(Some(TestStage::Lint)), [TestStage::Lint]);
        assert_eq!(tests(Some(TestStage::Lint)), []);
    }

    #[test]
    fn ci_runs_the_same_command_with_ci_set() {
        let script =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.ci/run")).unwrap();
        let lines: Vec<_> = script.lines().collect();
        assert!(
            lines.ends_with(&[
                "export CI=true CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0",
                "exec cargo xtask test"
            ]),
            "{script}"
        );
    }
}
