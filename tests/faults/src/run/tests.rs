use super::*;
use clap::Parser;
use voight_tests::results::SourceDigests;

fn options(dir: &Path, words: &[&str]) -> FaultOptions {
    let dir = dir.to_str().unwrap();
    let command = ["faults", "kill", "--backend", "redb", "--results", dir];
    crate::cli::FaultsCli::try_parse_from(command.iter().chain(words))
        .unwrap()
        .options
}

fn kill() -> &'static Scenario {
    SCENARIOS
        .iter()
        .find(|scenario| scenario.name == "kill")
        .unwrap()
}

/// Directory with the result of a run that a next run may resume.
struct ResultFolder(tempfile::TempDir);

impl ResultFolder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("kill.redb.json")
    }

    /// Returns the result with which a run with these options starts.
    fn start(&self, words: &[&str]) -> ScenarioResult {
        let options = options(self.0.path(), words);
        stored_or_new(kill(), Backend::Redb, &options, &self.file()).unwrap()
    }

    /// Returns the result of a run of 20 operations that broke no promise.
    fn good_result(&self) -> ScenarioResult {
        ScenarioResult {
            volume: 20,
            cycles: 3,
            ..self.start(&[])
        }
    }

    fn preserved_count(&self) -> usize {
        page::broken_files(self.0.path()).unwrap().len()
    }
}

fn failed_cycle(outcome: FailedOutcome) -> FailedCycle {
    FailedCycle {
        cycle: 3,
        outcome,
        error: "gone".to_owned(),
        replay: String::new(),
    }
}

#[test]
fn lossy_result_is_preserved_and_not_resumed() {
    let folder = ResultFolder::new();
    let lossy_result = ScenarioResult {
        lost: 1,
        ..folder.good_result()
    };
    lossy_result.write(&folder.file()).unwrap();
    // A rerun starts at zero, and its result replaces the old one.
    for words in [&["--restart"][..], &[]] {
        let result = folder.start(words);
        assert_eq!((result.volume, result.lost), (0, 0), "{words:?}");
        assert_eq!(folder.preserved_count(), 1, "{words:?}");
    }
}

#[test]
fn result_with_a_failed_cycle_is_preserved() {
    let folder = ResultFolder::new();
    let failed_result = ScenarioResult {
        failures: vec![failed_cycle(FailedOutcome::Broken)],
        ..folder.good_result()
    };
    failed_result.write(&folder.file()).unwrap();
    folder.start(&["--restart"]);
    assert_eq!(folder.preserved_count(), 1);
}

#[test]
fn run_that_broke_no_promise_is_resumed() {
    let folder = ResultFolder::new();
    folder.good_result().write(&folder.file()).unwrap();
    assert_eq!(folder.start(&[]).volume, 20);
    assert_eq!(folder.preserved_count(), 0);
}

#[test]
fn inconclusive_cycle_is_tried_again() {
    let folder = ResultFolder::new();
    let inconclusive_result = ScenarioResult {
        failures: vec![failed_cycle(FailedOutcome::Inconclusive)],
        ..folder.good_result()
    };
    inconclusive_result.write(&folder.file()).unwrap();
    let result = folder.start(&[]);
    assert_eq!((result.volume, result.failures.len()), (20, 0));
    assert_eq!(
        folder.preserved_count(),
        0,
        "an inconclusive cycle is preserved as a broken one"
    );
}

#[test]
fn run_of_other_sources_is_not_resumed() {
    let folder = ResultFolder::new();
    let other_sources = SourceDigests::from([("voight-redb".to_owned(), "0".to_owned())]);
    let old_result = ScenarioResult {
        sources: other_sources,
        ..folder.good_result()
    };
    old_result.write(&folder.file()).unwrap();
    assert_eq!(folder.start(&[]).volume, 0);
}
