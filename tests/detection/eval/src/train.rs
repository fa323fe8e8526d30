//! Training of the behaviour model: reproducible byte by byte from corpus and seed.
//!
//! Besides the released model, one model is trained for each fold, which leaves out one tool and some of the people.
//! Thresholds, scale and metrics are computed from those models on the held-out people and tools.
//! The models are committed, so that the corpus can later be evaluated out of fold.

mod augment;
mod bins;
mod boost;
mod files;
mod folds;
mod grow;
mod held_out;
mod leak;
mod out_of_fold;
mod platt;
mod report;
mod settings;
mod table;
#[cfg(test)]
mod tests;

pub use folds::{Folds, REPLAY, person};
pub use held_out::{PeopleMetrics, Thresholds, ToolMetrics};
pub use leak::{FeatureLeak, leaks};
pub use out_of_fold::FoldModels;
pub use report::{Report, TrainingCounts};
pub use settings::Settings;

use crate::corpus::default_dir;
use crate::corpus::pointer::{RecordedMovement, read_all};
use crate::parallel;
use crate::stats::rounded;
use anyhow::{Result, ensure};
use bins::Bins;
use boost::{Forest, boost};
use files::{FoldsFile, OutputPaths, write_json, write_parameters};
use held_out::HeldOutLogits;
use std::path::PathBuf;
use table::TrainingSet;
use voight_detect::model::{Model, ModelParameters, Scale, names};
use voight_tests::console::bar;

/// Version of the model; it increases with every committed training.
const VERSION: u32 = 1;

/// Arguments of the training.
#[derive(Debug, Clone, clap::Args)]
pub struct TrainArgs {
    /// Directory of recordings: every file in it that ends in `_pointer.jsonl.gz` is read.
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Output directory; by default, each file is written to its path in the sources.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Shuffle the labels and write nothing: the AUC on held-out movements must then be 0.5.
    #[arg(long)]
    pub shuffle_labels: bool,
}

/// Result of a training.
pub struct Trained {
    parameters: ModelParameters,
    folds: FoldsFile,
    /// Training report.
    pub report: Report,
}

/// Trains with a corpus, writes the files, and returns the report.
///
/// # Errors
///
/// The corpus cannot be read, contains no people or no bots, or the files cannot be written.
pub fn run(arguments: &TrainArgs) -> Result<Report> {
    let segments = read_all(&arguments.corpus.clone().unwrap_or_else(default_dir))?;
    let training = train(
        &segments,
        Settings::default(),
        arguments.seed,
        arguments.shuffle_labels,
    )?;
    if !arguments.shuffle_labels {
        let paths = OutputPaths::in_dir(arguments.out.as_deref());
        write_parameters(&paths.parameters, &training.parameters)?;
        training.folds.write(&paths.folds)?;
        write_json(&paths.report, &training.report)?;
    }
    Ok(training.report)
}

/// Trains with segments. The result does not depend on the number of threads.
///
/// # Errors
///
/// There are no people, or no bots.
pub fn train(
    segments: &[RecordedMovement],
    settings: Settings,
    seed: u64,
    shuffled: bool,
) -> Result<Trained> {
    let folds = Folds::assign(segments, seed);
    ensure!(
        !folds.people.is_empty() && !folds.tools.is_empty(),
        "training requires recordings of people and of bots; this corpus has {} people and {} tools",
        folds.people.len(),
        folds.tools.len()
    );
    let leaks = leaks(segments);
    let paths = features_without_leaks(&leaks);
    let mut table = TrainingSet::from_segments(segments, &folds, seed);
    if shuffled {
        table.shuffle_labels(segments, seed);
    }
    let trees = forests(
        &table,
        &Bins::from_table(&table, &paths),
        &settings,
        folds.count(),
        seed,
    );
    let features: Vec<String> = paths
        .iter()
        .filter_map(|at| names().nth(*at))
        .map(str::to_owned)
        .collect();
    let of = |forest: &Forest, scale| {
        ModelParameters::new(VERSION, features.clone(), scale, forest.trees.clone())
    };
    let unit_scale = Scale {
        slope: 1.0,
        offset: 0.0,
    };
    let models = trees[1..]
        .iter()
        .map(|forest| Model::new(of(forest, unit_scale)))
        .collect::<Result<Vec<_>, _>>()?;
    let held_out = HeldOutLogits::predict(&table, segments, &models);
    let scale = held_out.scale();
    let thresholds = held_out.thresholds();
    let report = Report {
        version: VERSION,
        seed,
        folds: folds.count(),
        settings,
        counts: TrainingCounts {
            segments: segments.len(),
            rows: table.rows.len(),
            persons: folds.people.len(),
            tools: folds.tools.len(),
        },
        auc: rounded(held_out.auc()),
        thresholds,
        scale,
        people: held_out.people(thresholds, scale),
        tools: held_out.tools(thresholds),
        leaks: leaks
            .into_iter()
            .enumerate()
            .filter(|(at, leak)| *at < 10 || leak.removed)
            .map(|(_, leak)| leak)
            .collect(),
        importances: importances(&features, &trees[0].gains),
        shuffled,
    };
    let parameters = of(&trees[0], scale);
    let models = trees[1..].iter().map(|forest| of(forest, scale)).collect();
    Ok(Trained {
        parameters,
        folds: FoldsFile {
            folds,
            thresholds,
            models,
        },
        report,
    })
}

/// Returns the indices of the features that the model may use.
fn features_without_leaks(leaks: &[FeatureLeak]) -> Vec<usize> {
    let is_removed = |name: &str| {
        leaks
            .iter()
            .any(|leak| leak.removed && leak.feature == name)
    };
    names()
        .enumerate()
        .filter(|(_, name)| !is_removed(name))
        .map(|(at, _)| at)
        .collect()
}

/// Trains the forest of all rows, then that of each fold.
fn forests(
    table: &TrainingSet,
    bins: &Bins,
    settings: &Settings,
    folds: usize,
    seed: u64,
) -> Vec<Forest> {
    let leave_one_out: Vec<Option<usize>> =
        std::iter::once(None).chain((0..folds).map(Some)).collect();
    let bar = bar("training", leave_one_out.len(), "forests");
    parallel::map(&leave_one_out, &bar, |fold| {
        boost(table, bins, &table.seen_by(*fold), settings, seed)
    })
}

fn importances(features: &[String], gains: &[f64]) -> Vec<(String, f64)> {
    let total: f64 = gains.iter().sum();
    let share = |gain: &f64| rounded(gain / total.max(f64::MIN_POSITIVE));
    let mut importances: Vec<(String, f64)> = features
        .iter()
        .cloned()
        .zip(gains.iter().map(share))
        .collect();
    importances.sort_by(|a, b| b.1.total_cmp(&a.1));
    importances
}
