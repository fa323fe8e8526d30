//! Gradient boosting with the logistic loss.
//!
//! The trainer is our own, because the same corpus and seed must give the same bytes for any number of threads. None of the
//! Rust trainers that expose their trees (`perpetual`, `forust-ml`, `gbdt`) guarantees an order of summation, and each has more
//! code than this module.

use super::bins::Bins;
use super::grow::{GradientSum, Grower, Grown};
use super::settings::Settings;
use super::table::{TrainingRow, TrainingSet};
use fastrand::Rng;
use voight_detect::model::Tree;

/// Trained forest.
pub(super) struct Forest {
    pub(super) trees: Vec<Tree>,
    /// Gain of the splits by each feature.
    pub(super) gains: Vec<f64>,
}

/// Trains a forest on some rows of a table. People and bots have equal total weight.
pub(super) fn boost(
    table: &TrainingSet,
    bins: &Bins,
    rows: &[usize],
    settings: &Settings,
    seed: u64,
) -> Forest {
    let mut random = Rng::with_seed(seed);
    let weights = weights(table, rows);
    let mut logits = vec![0.0; table.rows.len()];
    let mut target = vec![GradientSum::default(); table.rows.len()];
    let mut forest = Forest {
        trees: Vec::new(),
        gains: vec![0.0; bins.features()],
    };
    let start: Vec<u32> = rows
        .iter()
        .filter_map(|row| u32::try_from(*row).ok())
        .collect();
    for _ in 0..settings.trees {
        for row in rows {
            target[*row] = want(logits[*row], &table.rows[*row], weights);
        }
        let features = draw(bins.features(), settings.features, &mut random);
        let grower = Grower {
            bins,
            settings,
            gradients: &target,
            features: &features,
        };
        let Grown {
            tree,
            rows: fell,
            gains,
        } = grower.grow(start.clone());
        for (rows, answer) in fell.iter().zip(&tree.leaves) {
            for row in rows {
                logits[*row as usize] += answer;
            }
        }
        for (feature, gain) in gains {
            forest.gains[feature] += gain;
        }
        forest.trees.push(tree);
    }
    forest
}

/// Returns the weights of a person's and a bot's row that give both kinds equal total weight.
#[expect(clippy::cast_precision_loss, reason = "hundreds of thousands of rows")]
fn weights(table: &TrainingSet, rows: &[usize]) -> [f64; 2] {
    let bots = rows.iter().filter(|row| table.rows[**row].bot).count();
    let each = |count: usize| rows.len() as f64 / 2.0 / count.max(1) as f64;
    [each(rows.len() - bots), each(bots)]
}

fn want(logit: f64, TrainingRow { bot, .. }: &TrainingRow, weights: [f64; 2]) -> GradientSum {
    let share = 1.0 / (1.0 + (-logit).exp());
    let weight = weights[usize::from(*bot)];
    GradientSum::new(
        weight * (share - f64::from(*bot)),
        weight * share * (1.0 - share),
    )
}

/// Draws some of the features, in their order.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count"
)]
fn draw(count: usize, share: f64, random: &mut Rng) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..count).collect();
    random.shuffle(&mut positions);
    positions.truncate(((count as f64 * share).ceil() as usize).max(1));
    positions.sort_unstable();
    positions
}
