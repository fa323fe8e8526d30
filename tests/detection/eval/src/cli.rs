//! Command line.

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use voight_detection_eval::corpus::{Corpus, default_dir};
use voight_detection_eval::evaluate::{EvaluationResults, evaluate, expected};
use voight_detection_eval::page::{self, CorpusResult};
use voight_detection_eval::train::{self, TrainArgs};
use voight_detection_eval::{rates, table};
use voight_tests::console;
use voight_tests::results::{TriedSources, commit, source_digests, today};

/// Default seed of all random numbers.
const SEED: u64 = 20_261_121;

/// Train the behaviour model, and measure detection on recordings with the code of production
#[derive(Debug, Parser)]
#[command(name = "cargo xtask detect", bin_name = "cargo xtask detect")]
pub(crate) struct EvaluationCli {
    #[command(subcommand)]
    work: EvaluationCommand,
}

#[derive(Debug, Subcommand)]
enum EvaluationCommand {
    /// Train the behaviour model, and write its parameters, its fold models and its report
    ///
    /// Training is reproducible byte by byte from corpus and seed. Metrics are of people and tools that were held out.
    Train(Train),
    /// Measure detection on a corpus
    ///
    /// Every check is evaluated by the service's parser, rules, model and join. The gate is not applied, because no server drew
    /// the targets of a recording, so `rejected` is 0. Each session is evaluated separately, at default minimum confidence.
    /// People and tools of the training set are evaluated by models that were trained without them. A false-alarm bound is one-sided, 95 %, by the method
    /// of Clopper and Pearson with the design effect of persons. Thresholds of tools are those of the corpus's people, or of the
    /// training report if it has none. docs/explanation/detection.md defines each metric.
    Evaluate(Evaluate),
    /// Measure the rate at which each rule fires, and write the rates of the rule table
    ///
    /// Sessions of families that begin with `os_`, and populations of the published bot corpus, have system-level input; they
    /// are synthetic and contain no person. All other sessions are automation.
    Rates {
        /// Directory of recordings [default: `VOIGHT_CORPUS`, or ../shared/data next to the repository]
        #[arg(long, value_name = "DIR")]
        corpus: Option<PathBuf>,
    },
    /// Measure the expected rates of each minimum confidence, and write the file from which `voight context show` prints them
    Expect {
        /// Directory of recordings [default: `VOIGHT_CORPUS`, or ../shared/data next to the repository]
        #[arg(long, value_name = "DIR")]
        corpus: Option<PathBuf>,
    },
    /// Measure, store the result in docs/results/detection/corpus.json, and write docs/explanation/detection.md and its diagram from all results
    Report(ReportArgs),
}

/// Selection of recordings.
#[derive(Debug, Args)]
struct Recordings {
    /// Directory of recordings [default: `VOIGHT_CORPUS`, or ../shared/data next to the repository]
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u64,
}

#[derive(Debug, Args)]
struct Train {
    #[command(flatten)]
    arguments: TrainArgs,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Evaluate {
    #[command(flatten)]
    recordings: Recordings,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ReportArgs {
    #[command(flatten)]
    recordings: Recordings,
    /// Write the page from the existing results, without measuring
    #[arg(long)]
    from_results: bool,
}

impl EvaluationCli {
    pub(crate) fn run(self) -> Result<()> {
        match self.work {
            EvaluationCommand::Train(arguments) => arguments.run(),
            EvaluationCommand::Evaluate(arguments) => arguments.run(),
            EvaluationCommand::Rates { corpus } => write_rates(corpus),
            EvaluationCommand::Expect { corpus } => write_expected(corpus),
            EvaluationCommand::Report(arguments) => arguments.run(),
        }
    }
}

fn write_rates(corpus: Option<PathBuf>) -> Result<()> {
    let corpus = Corpus::read(&corpus.unwrap_or_else(default_dir))?;
    let path = rates::path();
    std::fs::write(
        &path,
        rates::text(&rates::measure(
            &corpus.sessions,
            rates::bot_corpus()?.as_deref(),
        )?)?,
    )
    .with_context(|| format!("{} cannot be written", path.display()))?;
    console::line(format!(
        "{} is written; VOIGHT_UPDATE=1 cargo test -p voight-detection-eval --test it rules:: updates the page",
        path.display()
    ));
    Ok(())
}

fn write_expected(corpus: Option<PathBuf>) -> Result<()> {
    let rows = expected(&Corpus::read(&corpus.unwrap_or_else(default_dir))?)?;
    let path = rates::path().with_file_name("expected.json");
    let text = format!("{}\n", serde_json::to_string_pretty(&rows)?);
    std::fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))?;
    console::line(format!("{} is written", path.display()));
    Ok(())
}

impl Recordings {
    fn measure(&self) -> Result<EvaluationResults> {
        let dir = self.corpus.clone().unwrap_or_else(default_dir);
        evaluate(Corpus::read(&dir)?, self.seed)
    }
}

impl Train {
    fn run(&self) -> Result<()> {
        let report = train::run(&self.arguments)?;
        console::line(if self.json {
            serde_json::to_string_pretty(&report)?
        } else {
            table::training(&report)
        });
        Ok(())
    }
}

impl Evaluate {
    fn run(&self) -> Result<()> {
        let results = self.recordings.measure()?;
        if self.json {
            console::line(serde_json::to_string_pretty(&results.evaluation)?);
        } else {
            console::line(table::render(&results));
        }
        Ok(())
    }
}

/// Returns the sources that the published results depend on: detection and its evaluation.
fn measured_sources() -> TriedSources {
    let evaluation = ["corpus", "evaluate", "evidence", "replay", "stats", "train"];
    TriedSources {
        packages: vec!["voight-detect".to_owned()],
        paths: evaluation
            .map(|name| format!("tests/detection/eval/src/{name}"))
            .to_vec(),
        ..TriedSources::default()
    }
}

impl ReportArgs {
    fn run(&self) -> Result<()> {
        if !self.from_results {
            let commit = commit()?;
            let date = today()?;
            let sources = source_digests(&measured_sources())?;
            let results = self.recordings.measure()?;
            let result = CorpusResult {
                date,
                commit,
                sources,
                seed: self.recordings.seed,
                measured: results,
            };
            result.write(&page::results().join("corpus.json"))?;
        }
        page::update()
    }
}

#[cfg(test)]
mod tests {
    use super::EvaluationCli;
    use clap::{CommandFactory, Parser};

    #[test]
    fn the_definition_is_consistent() {
        EvaluationCli::command().debug_assert();
    }

    #[test]
    fn evaluation_has_a_directory_and_a_seed() {
        assert!(
            EvaluationCli::try_parse_from([
                "detect", "evaluate", "--corpus", "x", "--seed", "3", "--json"
            ])
            .is_ok()
        );
        assert!(EvaluationCli::try_parse_from(["detect", "evaluate", "--seed", "many"]).is_err());
    }
}
