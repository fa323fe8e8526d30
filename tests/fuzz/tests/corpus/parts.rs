//! Corpora: each target has one, with seeds of both kinds.

use super::seeds;
use libtest_mimic::Failed;
use std::collections::BTreeSet;
use voight_fuzz::{FuzzTarget, TARGETS};

/// Maximum size of a corpus, in bytes; the results of long runs are kept outside of the repository.
const CORPUS_BYTES: usize = 64 << 10;

/// Verifies that the corpus of the target has seeds of both kinds, and is small.
pub(crate) fn check(target: &FuzzTarget) -> Result<(), Failed> {
    let name = target.name;
    let seeds = seeds::seeds_for_target(name)?;
    for kind in [seeds::GOOD, seeds::BAD] {
        assert!(
            seeds.iter().any(|(seed, _)| seed.starts_with(kind)),
            "corpus/{name} has no seed {kind}*"
        );
    }
    for (seed, _) in &seeds {
        let has_prefix = seed.starts_with(seeds::GOOD) || seed.starts_with(seeds::BAD);
        assert!(
            has_prefix,
            "corpus/{name}/{seed} begins with neither good- nor bad-"
        );
    }
    let size: usize = seeds.iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(size <= CORPUS_BYTES, "corpus/{name} has {size} bytes");
    Ok(())
}

/// Verifies that each corpus belongs to a target.
pub(crate) fn every_corpus_has_a_target() -> Result<(), Failed> {
    let targets: BTreeSet<_> = TARGETS
        .iter()
        .map(|target| target.name.to_owned())
        .collect();
    let corpora = std::fs::read_dir(seeds::folder())?;
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        Ok(entry?.file_name().to_string_lossy().into_owned())
    };
    assert_eq!(
        corpora
            .map(name)
            .collect::<std::io::Result<BTreeSet<_>>>()?,
        targets
    );
    Ok(())
}
