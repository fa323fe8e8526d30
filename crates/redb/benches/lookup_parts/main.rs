//! What parts of a lookup cost: the same store with and without them, in turns, as ratios.
//!
//! ```text
//! cargo bench -p voight-redb --bench lookup_parts -- FOLDER…
//! ```
//!
//! A store is made anew in the folder for every measurement. Claims and caps are left out by not asking for them, openings by an
//! engine that drops their table from each batch; the writer and its group commit are the real ones. The hashes, which no
//! lookup can do without, are measured by themselves.
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

/// Callers at the same time; each waits for its answer before it asks again.
const CALLERS: u64 = 64;
/// Lookups of each caller in a measurement, and before it.
const LOOKUPS: u64 = 60;
const WARM_UP: u64 = 10;
/// Measurements of each kind.
const ROUNDS: usize = 41;

/// Which parts a lookup has.
#[derive(Clone, Copy)]
struct Variant {
    without: &'static str,
    claim: bool,
    opening: bool,
    caps: bool,
}

const WHOLE: Variant = Variant { without: "nothing", claim: true, opening: true, caps: true };
const KINDS: [Variant; 5] = [
    WHOLE,
    Variant { without: "the claim", claim: false, ..WHOLE },
    Variant { without: "the opening", opening: false, ..WHOLE },
    Variant { without: "the caps", caps: false, ..WHOLE },
    Variant { without: "all three", claim: false, opening: false, caps: false },
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

/// What a measurement took: of the clock on the wall, and of the processors, which other programs slow down less.
#[derive(Clone, Copy, Default)]
struct Elapsed {
    wall: Duration,
    processor: Duration,
}

/// What each kind took in one round.
type Round = [Elapsed; KINDS.len()];

/// Measures every kind in every round.
fn measure(folder: &Path) -> BenchResult<Vec<Round>> {
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        let mut took = Round::default();
        // Each round begins with another kind, so that no kind always follows the same one.
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
