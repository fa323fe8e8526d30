//! Committed inputs.

use super::run_target;
use libtest_mimic::Failed;
use std::path::{Path, PathBuf};
use voight_fuzz::FuzzTarget;

/// Name prefix of accepted seeds; all others begin with [`BAD`].
pub(crate) const GOOD: &str = "good-";
/// Name prefix of rejected seeds.
pub(crate) const BAD: &str = "bad-";

/// Returns the directory of all corpora.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Returns the names and bytes of a target's seeds, in the order of the names.
pub(crate) fn seeds_for_target(target: &str) -> Result<Vec<(String, Vec<u8>)>, Failed> {
    let mut seeds = Vec::new();
    for entry in std::fs::read_dir(folder().join(target))? {
        let entry = entry?;
        seeds.push((
            entry.file_name().to_string_lossy().into_owned(),
            std::fs::read(entry.path())?,
        ));
    }
    seeds.sort();
    Ok(seeds)
}

/// Verifies that each seed is accepted or rejected according to its name.
pub(crate) fn replay(target: &FuzzTarget) -> Result<(), Failed> {
    for (name, bytes) in seeds_for_target(target.name)? {
        let is_accepted = run_target(target, &bytes)?;
        if is_accepted != name.starts_with(GOOD) {
            let outcome = if is_accepted { "accepted" } else { "rejected" };
            return Err(format!("{}/{name} is {outcome}", target.name).into());
        }
    }
    Ok(())
}
