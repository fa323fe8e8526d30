//! Assignment of people and tools to folds: each fold leaves out one tool and some of the people.

use crate::corpus::pointer::RecordedMovement;
use fastrand::Rng;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Tool that replays people's movements.
///
/// Its movements are people's, so no model is trained on them. They serve to find features that separate bot recordings
/// from people's recordings as such.
pub const REPLAY: &str = "replay_exact";
/// Minimum number of folds: fewer would leave out too many people at once.
const LEAST: usize = 5;

/// Fold that leaves out each tool and each person.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folds {
    /// Folds by the name of the tool.
    pub tools: BTreeMap<String, usize>,
    /// Folds by recording and user.
    pub people: BTreeMap<String, usize>,
}

impl Folds {
    /// Creates one fold for each tool, at least five; people are assigned in an order derived from the seed.
    pub fn assign(segments: &[RecordedMovement], seed: u64) -> Self {
        let names = |human: bool, name: fn(&RecordedMovement) -> String| -> BTreeSet<String> {
            segments
                .iter()
                .filter(|segment| segment.human == human && segment.tool != REPLAY)
                .map(name)
                .collect()
        };
        let tools = names(false, |segment| segment.tool.clone());
        let mut people: Vec<String> = names(true, person).into_iter().collect();
        Rng::with_seed(seed).shuffle(&mut people);
        let count = tools.len().max(LEAST);
        let with_fold = |(at, name): (usize, String)| (name, at % count);
        Self {
            tools: tools.into_iter().enumerate().map(with_fold).collect(),
            people: people.into_iter().enumerate().map(with_fold).collect(),
        }
    }

    /// Returns the number of folds.
    pub fn count(&self) -> usize {
        self.tools
            .values()
            .chain(self.people.values())
            .max()
            .map_or(0, |last| last + 1)
    }

    /// Returns the fold that leaves a segment out; `None` if its person or tool is not in the training set.
    pub fn fold_of(&self, segment: &RecordedMovement) -> Option<usize> {
        if segment.human {
            self.people.get(&person(segment)).copied()
        } else {
            self.tools.get(&segment.tool).copied()
        }
    }
}

/// Returns the identifier of a person.
pub fn person(segment: &RecordedMovement) -> String {
    format!("{}/{}", segment.source, segment.user)
}
