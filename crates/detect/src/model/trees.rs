//! Decision trees, and a sum of them.

use serde::{Deserialize, Serialize};

/// Split on one feature: `[feature, at, left, right]`. The left child applies if the feature is at most `at`.
///
/// A child is the index of another split or, as a negative number, of a leaf: -1 is leaf 0, -2 is leaf 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Split(pub u16, pub f64, pub i16, pub i16);

/// Decision tree. Evaluation starts at the first split; a tree without splits outputs its first leaf.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// Splits; children follow their parents.
    pub splits: Vec<Split>,
    /// Outputs of the leaves, in nats.
    pub leaves: Vec<f64>,
}

impl Tree {
    /// Returns the output for a row of features. The tree must be `sound` for rows of this length.
    pub fn answer(&self, row: &[f64]) -> f64 {
        let mut at = if self.splits.is_empty() { -1 } else { 0 };
        while let Ok(place) = usize::try_from(at) {
            let Split(feature, border, left, right) = self.splits[place];
            at = if row[usize::from(feature)] <= border {
                left
            } else {
                right
            };
        }
        self.leaves[leaf(at)]
    }

    /// Returns `true` if every path through the tree ends in an existing leaf, for rows of `features` values.
    pub(super) fn is_sound(&self, features: usize) -> bool {
        let child = |parent: usize, at: i16| match usize::try_from(at) {
            Ok(place) => place > parent && place < self.splits.len(),
            Err(_) => leaf(at) < self.leaves.len(),
        };
        let sound = |(parent, split): (usize, &Split)| {
            let Split(feature, border, left, right) = *split;
            usize::from(feature) < features
                && border.is_finite()
                && child(parent, left)
                && child(parent, right)
        };
        !self.leaves.is_empty()
            && self.leaves.iter().all(|leaf| leaf.is_finite())
            && self.splits.iter().enumerate().all(sound)
    }
}

/// Returns the index of the leaf that a negative number encodes.
fn leaf(at: i16) -> usize {
    usize::from(at.unsigned_abs()) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handmade_tree() -> Tree {
        Tree {
            splits: vec![Split(1, 0.5, -1, 1), Split(0, 2.0, -2, -3)],
            leaves: vec![-1.0, 0.25, 4.0],
        }
    }

    #[track_caller]
    fn answers(row: [f64; 2], expected: f64) {
        assert!(
            (handmade_tree().answer(&row) - expected).abs() < 1e-12,
            "{row:?}"
        );
    }

    #[test]
    fn split_threshold_belongs_left() {
        answers([9.0, 0.5], -1.0);
        answers([2.0, 0.6], 0.25);
        answers([2.1, 0.6], 4.0);
        let alone = Tree {
            splits: vec![],
            leaves: vec![0.5],
        };
        assert!((alone.answer(&[]) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn dead_ends_and_cycles_are_found() {
        assert!(handmade_tree().is_sound(2) && !handmade_tree().is_sound(1));
        let broken = |change: fn(&mut Tree)| {
            let mut tree = handmade_tree();
            change(&mut tree);
            tree.is_sound(2)
        };
        assert!(!broken(|tree| tree.splits[1].2 = 0), "a circle");
        assert!(!broken(|tree| tree.splits[1].3 = -4), "no such leaf");
        assert!(!broken(|tree| tree.splits[0].3 = 7), "no such split");
        assert!(!broken(|tree| tree.splits[0].1 = f64::NAN));
        assert!(!broken(|tree| tree.leaves.clear()));
    }
}
