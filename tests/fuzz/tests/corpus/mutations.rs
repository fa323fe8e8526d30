//! Several seconds of mutations, equal in every run.

use super::{run_target, seeds};
use libtest_mimic::Failed;
use voight_fuzz::{FuzzTarget, Mutator};

/// Number of inputs for each target.
const INPUTS: usize = 5_000;
/// Numbers of inputs for slow targets, which need up to milliseconds each.
const SLOW: [(&str, usize); 4] = [
    ("config", 200),
    ("evidence", 2_000),
    ("export", 1_000),
    ("receipt", 500),
];

/// Verifies that no mutation breaks an invariant.
pub(crate) fn run(target: &FuzzTarget) -> Result<(), Failed> {
    let seeds: Vec<_> = seeds::seeds_for_target(target.name)?
        .into_iter()
        .map(|(_, bytes)| bytes)
        .collect();
    let inputs = SLOW
        .iter()
        .find(|(name, _)| *name == target.name)
        .map_or(INPUTS, |(_, inputs)| *inputs);
    let mut mutator = Mutator::new(1);
    for _ in 0..inputs {
        run_target(target, &mutator.draw(&seeds))?;
    }
    Ok(())
}
