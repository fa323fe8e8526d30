//! What is said of measurements.

use crate::{CALLERS, Elapsed, KINDS, LOOKUPS, Round};
use std::fmt;
use std::time::Duration;

/// One of the two times, by its name.
type Measure = (&'static str, fn(&Elapsed) -> Duration);

/// For each kind the middle of all rounds and its spread, in microseconds of a lookup, and how many times as much the whole
/// lookup took in the same round.
pub(crate) fn report(rounds: &[Round]) {
    let measures: [Measure; 2] = [("processor", |took| took.processor), ("wall", |took| took.wall)];
    for (name, measure) in measures {
        for (place, kind) in KINDS.iter().enumerate() {
            let took = |round: &Round| micros(measure(&round[place]));
            let ratio = |round: &Round| micros(measure(&round[0])) / took(round);
            let each = Quartiles::from_measured(rounds.iter().map(took).collect());
            let ratios = Quartiles::from_measured(rounds.iter().map(ratio).collect());
            println!(
                "  {name}, without {:<12} {each:.1} microseconds a lookup, whole / this {ratios:.2}",
                kind.without
            );
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a few thousand")]
fn micros(whole: Duration) -> f64 {
    whole.as_secs_f64() * 1e6 / (CALLERS * LOOKUPS) as f64
}

/// The middle of measurements, with the quarter below and above it.
struct Quartiles {
    low: f64,
    middle: f64,
    high: f64,
}

impl Quartiles {
    fn from_measured(mut measured: Vec<f64>) -> Self {
        measured.sort_by(f64::total_cmp);
        let at =
            |quarters: usize| measured.get(measured.len().saturating_sub(1) * quarters / 4).copied().unwrap_or(0.0);
        Self { low: at(1), middle: at(2), high: at(3) }
    }
}

impl fmt::Display for Quartiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision().unwrap_or(1);
        write!(f, "{:.places$} ({:.places$} to {:.places$})", self.middle, self.low, self.high)
    }
}
