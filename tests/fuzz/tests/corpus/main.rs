//! Runs every target over its corpus and over mutations of it, and checks that every target has a corpus.
#![expect(clippy::unwrap_used, reason = "a test stops at the first error")]

mod made;
mod mutations;
mod parts;
mod proofs;
mod seeds;

use libtest_mimic::{Arguments, Failed, Trial};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use voight_fuzz::{FuzzTarget, TARGETS};

fn main() -> ExitCode {
    let mut trials = vec![
        Trial::test("generated_seeds_are_current", || {
            made::check();
            Ok(())
        }),
        Trial::test(
            "every_corpus_has_a_target",
            parts::every_corpus_has_a_target,
        ),
    ];
    for target in TARGETS {
        trials.push(Trial::test(format!("seeds::{}", target.name), || {
            seeds::replay(target)
        }));
        trials.push(Trial::test(format!("mutations::{}", target.name), || {
            mutations::run(target)
        }));
        trials.push(Trial::test(format!("parts::{}", target.name), || {
            parts::check(target)
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Returns `true` if the target accepts the input. On a panic, the input is written to a file for a replay.
fn run_target(target: &FuzzTarget, input: &[u8]) -> Result<bool, Failed> {
    catch_unwind(AssertUnwindSafe(|| (target.run)(input))).map_err(|_| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.input", target.name));
        std::fs::write(&file, input).unwrap();
        format!(
            "it panicked: `cargo xtask fuzz {} --replay {}` repeats it",
            target.name,
            file.display()
        )
        .into()
    })
}
