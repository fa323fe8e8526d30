//! What belongs to a target: seeds of both kinds, a program, and a place in the manifest.

use super::seeds;
use libtest_mimic::Failed;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use voight_fuzz::{TARGETS, Target};

/// The most bytes of a corpus; what a long run finds is kept outside of the repository.
const CORPUS_BYTES: usize = 64 << 10;

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn programs() -> PathBuf {
    crate_folder().join("fuzz_targets")
}

/// The target has all of its parts.
pub(crate) fn check(target: &Target) -> Result<(), Failed> {
    let name = target.name;
    let seeds = seeds::of(name)?;
    for kind in [seeds::GOOD, seeds::BAD] {
        assert!(seeds.iter().any(|(seed, _)| seed.starts_with(kind)), "corpus/{name} has no seed {kind}*");
    }
    for (seed, _) in &seeds {
        let named = seed.starts_with(seeds::GOOD) || seed.starts_with(seeds::BAD);
        assert!(named, "corpus/{name}/{seed} says neither good- nor bad-");
    }
    let size: usize = seeds.iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(size <= CORPUS_BYTES, "corpus/{name} has {size} bytes");
    assert_eq!(std::fs::read_to_string(programs().join(format!("{name}.rs")))?, program(name));
    let manifest = std::fs::read_to_string(crate_folder().join("Cargo.toml"))?;
    assert!(manifest.contains(&entry(name)), "Cargo.toml lacks:\n{}", entry(name));
    Ok(())
}

fn program(name: &str) -> String {
    format!(
        "//! `cargo xtask fuzz {name}`\n#![no_main]\n\
         libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {{\n    voight_fuzz::targets::{name}(bytes);\n}});\n"
    )
}

fn entry(name: &str) -> String {
    format!(
        "[[bin]]\nname = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\nrequired-features = [\"libfuzzer\"]\n\
         test = false\ndoc = false\nbench = false\n"
    )
}

/// No corpus and no program is left of a target that is gone.
pub(crate) fn nothing_else() -> Result<(), Failed> {
    let targets: BTreeSet<_> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    assert_eq!(stems(&seeds::folder())?, targets);
    assert_eq!(stems(&programs())?, targets);
    Ok(())
}

fn stems(folder: &Path) -> Result<BTreeSet<String>, Failed> {
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Ok(std::fs::read_dir(folder)?.filter_map(|entry| stem(&entry.ok()?.path())).collect())
}
