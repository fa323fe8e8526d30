//! Who is unseen by which model: each fold leaves out one tool and some of the people.

use crate::corpus::pointer::RecordedMovement;
use fastrand::Rng;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The tool that presents people's own movements. It is no generator: its movements are people's, so that training on them
/// would teach that people are machines. It serves to find what tells the recordings of bots from those of people.
pub const REPLAY: &str = "replay_exact";
/// Fewer folds than this leave out too many people at once.
const LEAST: usize = 5;

/// Each tool and each person, with the fold that leaves it out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folds {
    /// By the name of the tool.
    pub tools: BTreeMap<String, usize>,
    /// By recording and user.
    pub people: BTreeMap<String, usize>,
}

impl Folds {
    /// One fold for each tool, at least five; people are dealt out in an order that follows from the seed.
    pub fn deal(segments: &[RecordedMovement], seed: u64) -> Self {
        let names = |human: bool, name: fn(&RecordedMovement) -> String| -> BTreeSet<String> {
            segments.iter().filter(|segment| segment.human == human && segment.tool != REPLAY).map(name).collect()
        };
        let tools = names(false, |segment| segment.tool.clone());
        let mut people: Vec<String> = names(true, person).into_iter().collect();
        Rng::with_seed(seed).shuffle(&mut people);
        let count = tools.len().max(LEAST);
        let dealt = |(at, name): (usize, String)| (name, at % count);
        Self {
            tools: tools.into_iter().enumerate().map(dealt).collect(),
            people: people.into_iter().enumerate().map(dealt).collect(),
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.tools.values().chain(self.people.values()).max().map_or(0, |last| last + 1)
    }

    /// The fold that leaves a segment out; none if training never saw its person or tool.
    pub fn fold_of(&self, segment: &RecordedMovement) -> Option<usize> {
        if segment.human { self.people.get(&person(segment)).copied() } else { self.tools.get(&segment.tool).copied() }
    }
}

/// What a person is known by.
pub fn person(segment: &RecordedMovement) -> String {
    format!("{}/{}", segment.source, segment.user)
}
