//! Measures the cost of parts of a lookup, as ratios of the same store with and without them. Measurements are
//! interleaved.
//!
//! ```text
//! cargo bench -p voight-redb --bench lookup_parts -- FOLDER…
//! ```
//!
//! Each measurement creates a new store in the folder. Idempotency keys and caps are omitted from the requests,
//! openings by an engine that drops their table from each batch; writer and group commit are the real ones. The hashes,
//! which every lookup needs, are measured separately.
#![expect(clippy::print_stdout, reason = "a benchmark says what it has measured")]

mod bench;
mod hashes;
mod report;
mod without;

use bench::BenchStore;
use report::report;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

type BenchResult<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Number of concurrent callers. Each waits for its response before the next lookup.
const CALLERS: u64 = 64;
/// Number of lookups of each caller in a measurement, and in its warm-up.
const LOOKUPS: u64 = 60;
const WARM_UP: u64 = 10;
/// Number of measurements of each variant.
const ROUNDS: usize = 41;

/// Variant of a lookup: the parts that it has.
#[derive(Clone, Copy)]
struct Variant {
    without: &'static str,
    idempotency: bool,
    opening: bool,
    caps: bool,
}

const WHOLE: Variant = Variant { without: "nothing", idempotency: true, opening: true, caps: true };
const KINDS: [Variant; 5] = [
    WHOLE,
    Variant { without: "the idempotency record", idempotency: false, ..WHOLE },
    Variant { without: "the opening", opening: false, ..WHOLE },
    Variant { without: "the caps", caps: false, ..WHOLE },
    Variant { without: "all three", idempotency: false, opening: false, caps: false },
];

fn main() -> BenchResult<()> {
    let folders: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).map(PathBuf::from).collect();
    for folder in &folders {
        println!("{}: {CALLERS} callers, {ROUNDS} rounds of {} lookups each", folder.display(), CALLERS * LOOKUPS);
        report(&measure(folder)?);
    }
    hashes::report();
    Ok(())
}

/// Duration of a measurement: wall-clock time, and CPU time, which depends less on other programs.
#[derive(Clone, Copy, Default)]
struct Elapsed {
    wall: Duration,
    processor: Duration,
}

/// Durations of all variants in one round.
type Round = [Elapsed; KINDS.len()];

/// Measures every variant in every round.
fn measure(folder: &Path) -> BenchResult<Vec<Round>> {
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        let mut took = Round::default();
        // Each round starts with another variant, so that none always follows the same one.
        for place in (0..KINDS.len()).map(|place| (place + round) % KINDS.len()) {
            took[place] = measure_one(folder, KINDS[place])?;
        }
        rounds.push(took);
    }
    Ok(rounds)
}

fn measure_one(folder: &Path, kind: Variant) -> BenchResult<Elapsed> {
    let folder = tempfile::tempdir_in(folder)?;
    let bench = BenchStore::open(folder.path(), kind)?;
    bench.look_up(WARM_UP)?;
    bench.look_up(LOOKUPS)
}
