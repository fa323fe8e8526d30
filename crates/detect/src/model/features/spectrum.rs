//! Distribution of the speed's power over frequencies.

use super::Feature;
use crate::model::stats::{mean, ratio};
use crate::model::stroke::{FRAME_MS, Stroke};
use std::f64::consts::TAU;

/// Frequency resolution, in Hz.
const STEP: f64 = 0.5;
const LINES: usize = 51;
/// Number of lines of the arc length: up to 10 Hz.
const ARC: usize = 21;

/// Borders of the bands, as line numbers: 0, 3, 8, 15, 25 Hz.
const BANDS: [(usize, usize); 4] = [(1, 6), (6, 16), (16, 30), (30, LINES)];

pub(super) struct Spectrum {
    bands: [f64; 4],
    centre: f64,
    arc: f64,
}

impl Spectrum {
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    pub(super) fn from_stroke(stroke: &Stroke) -> Self {
        let middle = mean(stroke.frames.iter().map(|frame| frame.v));
        let of = |centre: f64| {
            let speeds = stroke.frames.iter().map(move |frame| frame.v - centre);
            std::array::from_fn::<f64, LINES, _>(|line| {
                strength(speeds.clone(), line as f64 * STEP)
            })
        };
        let powers = of(middle).map(|strength| strength * strength);
        let total: f64 = powers.iter().skip(1).sum();
        let weighted_sum: f64 = powers
            .iter()
            .enumerate()
            .map(|(line, power)| line as f64 * STEP * power)
            .sum();
        Self {
            bands: BANDS.map(|(from, to)| ratio(powers[from..to].iter().sum(), total)),
            centre: ratio(weighted_sum, total),
            arc: arc(&of(0.0)[..ARC]),
        }
    }
}

/// Returns the magnitude of one line of the Fourier transform. It rotates a vector instead of computing sines.
fn strength(speeds: impl Iterator<Item = f64>, frequency: f64) -> f64 {
    let (sin, cos) = (TAU * frequency * FRAME_MS / 1000.0).sin_cos();
    let mut x = 1.0;
    let mut y = 0.0;
    let mut re = 0.0;
    let mut im = 0.0;
    for v in speeds {
        (re, im) = (re + v * x, im + v * y);
        (x, y) = (x * cos - y * sin, x * sin + y * cos);
    }
    f64::hypot(re, im)
}

/// Returns the spectral arc length: negative, and nearer to 0 for smoother movements.
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn arc(lines: &[f64]) -> f64 {
    let width = 1.0 / (lines.len() - 1) as f64;
    let height = lines[0].max(f64::MIN_POSITIVE);
    -lines
        .windows(2)
        .map(|pair| width.hypot((pair[1] - pair[0]) / height))
        .sum::<f64>()
}

pub(super) const TABLE: [Feature<Spectrum>; 6] = [
    ("spectrum_to_3_hz", |s| s.bands[0]),
    ("spectrum_3_to_8_hz", |s| s.bands[1]),
    ("spectrum_8_to_15_hz", |s| s.bands[2]),
    ("spectrum_15_to_25_hz", |s| s.bands[3]),
    ("spectrum_centre", |s| s.centre),
    ("spectrum_arc", |s| s.arc),
];
