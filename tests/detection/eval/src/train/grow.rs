//! Growth of one tree: the leaf with the largest gain is split next.

use super::bins::{Bins, short};
use super::settings::Settings;
use voight_detect::model::{Split, Tree};

/// Sums of the first and second derivatives of the loss.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct GradientSum {
    pub(super) gradient: f64,
    pub(super) curvature: f64,
    rows: f64,
}

impl GradientSum {
    pub(super) fn new(gradient: f64, curvature: f64) -> Self {
        Self {
            gradient,
            curvature,
            rows: 1.0,
        }
    }

    fn plus(self, other: Self) -> Self {
        let Self {
            gradient,
            curvature,
            rows,
        } = other;
        Self {
            gradient: self.gradient + gradient,
            curvature: self.curvature + curvature,
            rows: self.rows + rows,
        }
    }

    fn minus(self, other: Self) -> Self {
        let Self {
            gradient,
            curvature,
            rows,
        } = other;
        Self {
            gradient: self.gradient - gradient,
            curvature: self.curvature - curvature,
            rows: self.rows - rows,
        }
    }

    fn score(self, settings: &Settings) -> f64 {
        self.gradient * self.gradient / (self.curvature + settings.ridge)
    }
}

/// Threshold that separates the rows of a leaf.
#[derive(Debug, Clone, Copy)]
struct SplitCandidate {
    gain: f64,
    feature: usize,
    bin: usize,
}

/// Leaf during the growth of a tree.
struct Leaf {
    rows: Vec<u32>,
    sums: Vec<GradientSum>,
    total: GradientSum,
    cut: Option<SplitCandidate>,
    /// Split that leads to the leaf, and `true` for its left side.
    parent: Option<(usize, bool)>,
}

/// Grower of a tree on the gradients of the rows.
pub(super) struct Grower<'a> {
    pub(super) bins: &'a Bins,
    pub(super) settings: &'a Settings,
    /// Gradient of each row of the table.
    pub(super) gradients: &'a [GradientSum],
    /// Features that may be used for splits.
    pub(super) features: &'a [usize],
}

/// Tree, with the rows of each leaf and the gain of each feature.
pub(super) struct Grown {
    pub(super) tree: Tree,
    /// Rows of each leaf.
    pub(super) rows: Vec<Vec<u32>>,
    pub(super) gains: Vec<(usize, f64)>,
}

impl Grower<'_> {
    pub(super) fn grow(&self, rows: Vec<u32>) -> Grown {
        let sums = self.sums(&rows);
        let mut leaves = vec![self.leaf(rows, sums, None)];
        let mut splits = Vec::new();
        let mut gains = Vec::new();
        while leaves.len() < self.settings.leaves {
            let Some((at, cut)) = best(&leaves) else {
                break;
            };
            gains.push((cut.feature, cut.gain));
            self.split(&mut leaves, at, cut, &mut splits);
        }
        hang(&mut splits, &leaves);
        let answer = |leaf: &Leaf| {
            short(
                -self.settings.rate * leaf.total.gradient
                    / (leaf.total.curvature + self.settings.ridge),
            )
        };
        let tree = Tree {
            splits,
            leaves: leaves.iter().map(answer).collect(),
        };
        Grown {
            tree,
            rows: leaves.into_iter().map(|leaf| leaf.rows).collect(),
            gains,
        }
    }

    fn split(
        &self,
        leaves: &mut Vec<Leaf>,
        at: usize,
        cut: SplitCandidate,
        splits: &mut Vec<Split>,
    ) {
        let Leaf {
            rows, sums, parent, ..
        } = leaves.swap_remove(at);
        let is_left = |row: &u32| usize::from(self.bins.row(*row as usize)[cut.feature]) <= cut.bin;
        let (left, right): (Vec<u32>, Vec<u32>) = rows.into_iter().partition(is_left);
        // Only the smaller side is summed; the other is the difference.
        let small = self.sums(if left.len() < right.len() {
            &left
        } else {
            &right
        });
        let large: Vec<GradientSum> = sums
            .iter()
            .zip(&small)
            .map(|(all, small)| all.minus(*small))
            .collect();
        let (of_left, of_right) = if left.len() < right.len() {
            (small, large)
        } else {
            (large, small)
        };
        let position = splits.len();
        splits.push(Split(
            feature(cut.feature),
            self.bins.borders(cut.feature)[cut.bin],
            0,
            0,
        ));
        attach(splits, parent, place_of(position));
        leaves.push(self.leaf(left, of_left, Some((position, true))));
        leaves.push(self.leaf(right, of_right, Some((position, false))));
    }

    fn leaf(&self, rows: Vec<u32>, sums: Vec<GradientSum>, parent: Option<(usize, bool)>) -> Leaf {
        let total = rows.iter().fold(GradientSum::default(), |sum, row| {
            sum.plus(self.gradients[*row as usize])
        });
        let cut = self.cut(&sums, total);
        Leaf {
            rows,
            sums,
            total,
            cut,
            parent,
        }
    }

    /// Sums the gradients for each bin of each feature.
    fn sums(&self, rows: &[u32]) -> Vec<GradientSum> {
        let mut sums = vec![GradientSum::default(); self.features.len() * WIDTH];
        for row in rows {
            let codes = self.bins.row(*row as usize);
            let target = self.gradients[*row as usize];
            for (position, feature) in self.features.iter().enumerate() {
                let sum = &mut sums[position * WIDTH + usize::from(codes[*feature])];
                *sum = sum.plus(target);
            }
        }
        sums
    }

    /// Returns the threshold with the largest gain, if any has one.
    fn cut(&self, sums: &[GradientSum], total: GradientSum) -> Option<SplitCandidate> {
        let unsplit = total.score(self.settings);
        let enough = |sum: GradientSum| sum.rows >= self.settings.least_rows;
        let mut best: Option<SplitCandidate> = None;
        for (position, feature) in self.features.iter().enumerate() {
            let mut left_sum = GradientSum::default();
            for bin in 0..self.bins.borders(*feature).len() {
                left_sum = left_sum.plus(sums[position * WIDTH + bin]);
                let right = total.minus(left_sum);
                let gain = left_sum.score(self.settings) + right.score(self.settings) - unsplit;
                if enough(left_sum)
                    && enough(right)
                    && gain > best.map_or(1e-6, |candidate| candidate.gain)
                {
                    best = Some(SplitCandidate {
                        gain,
                        feature: *feature,
                        bin,
                    });
                }
            }
        }
        best
    }
}

/// Number of bins reserved for one feature.
const WIDTH: usize = 64;

/// Returns the leaf with the largest gain, the first in case of a tie.
fn best(leaves: &[Leaf]) -> Option<(usize, SplitCandidate)> {
    let cuts = leaves
        .iter()
        .enumerate()
        .filter_map(|(at, leaf)| Some((at, leaf.cut?)));
    cuts.reduce(|best, next| {
        if next.1.gain > best.1.gain {
            next
        } else {
            best
        }
    })
}

fn hang(splits: &mut [Split], leaves: &[Leaf]) {
    for (at, leaf) in leaves.iter().enumerate() {
        attach(splits, leaf.parent, -1 - place_of(at));
    }
}

fn attach(splits: &mut [Split], parent: Option<(usize, bool)>, child: i16) {
    let Some((parent, left)) = parent else { return };
    let Split(_, _, of_left, of_right) = &mut splits[parent];
    *(if left { of_left } else { of_right }) = child;
}

fn place_of(at: usize) -> i16 {
    i16::try_from(at).unwrap_or(i16::MAX)
}

fn feature(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(u16::MAX)
}
