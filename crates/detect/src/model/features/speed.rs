//! Speed, frame by frame, in px per frame.

use super::Feature;
use crate::model::stats::{self, autocorrelation, mean, quantile, ratio, share};
use crate::model::stroke::{Frame, Stroke};

/// Offset in px per frame, added before a logarithm, so that pauses and rounding do not dominate it.
const FLOOR: f64 = 0.5;

#[derive(Default)]
pub(super) struct Speed {
    frames: f64,
    mean: f64,
    top: f64,
    spread: f64,
    skewness: f64,
    tails: f64,
    quantiles: [f64; 3],
    top_at: f64,
    way_at: [f64; 3],
    first: f64,
    last: f64,
    slow: f64,
    peaks: f64,
    log: LogSpeed,
}

/// Moments of the logarithm of the speed.
#[derive(Default)]
struct LogSpeed {
    spread: f64,
    step: f64,
    step_spread: f64,
    lags: [f64; 4],
    step_lag: f64,
}

impl Speed {
    #[expect(clippy::cast_precision_loss, reason = "a movement has few frames")]
    pub(super) fn from_stroke(stroke: &mut Stroke) -> Self {
        let log = LogSpeed::from_stroke(stroke);
        let frames = &stroke.frames;
        let speeds = &mut stroke.scratch;
        speeds.clear();
        speeds.extend(frames.iter().map(|frame| frame.v));
        let top = speeds.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let deviation = stats::deviation(speeds);
        let fifth = speeds.len().div_ceil(5);
        let mut features = Self {
            frames: speeds.len() as f64,
            mean: mean(speeds.iter().copied()),
            top,
            spread: deviation,
            skewness: ratio(stats::moment(speeds, 3), deviation.powi(3)),
            tails: ratio(stats::moment(speeds, 4), deviation.powi(4)),
            top_at: ratio(
                speeds.iter().position(|v| *v >= top).unwrap_or(0) as f64,
                speeds.len() as f64,
            ),
            way_at: [0.2, 0.5, 0.8].map(|part| way_at(frames, part)),
            first: mean(speeds.iter().take(fifth).copied()) / top,
            last: mean(speeds.iter().rev().take(fifth).copied()) / top,
            slow: share(speeds.iter().map(|v| *v < top / 10.0)),
            peaks: peaks(speeds, top / 10.0),
            quantiles: [0.0; 3],
            log,
        };
        speeds.sort_unstable_by(f64::total_cmp);
        features.quantiles = [0.25, 0.5, 0.75].map(|part| quantile(speeds, part) / top);
        features
    }
}

impl LogSpeed {
    fn from_stroke(stroke: &mut Stroke) -> Self {
        let frames = &stroke.frames;
        let logs = &mut stroke.scratch;
        logs.clear();
        logs.extend(frames.iter().map(|frame| (frame.v + FLOOR).ln()));
        let mut features = Self {
            spread: stats::deviation(logs),
            lags: [1, 2, 3, 6].map(|lag| autocorrelation(logs, lag)),
            ..Self::default()
        };
        features.step = mean(logs.windows(2).map(|pair| (pair[1] - pair[0]).abs()));
        for at in 1..logs.len() {
            logs[at - 1] = logs[at] - logs[at - 1];
        }
        logs.pop();
        (features.step_spread, features.step_lag) =
            (stats::deviation(logs), autocorrelation(logs, 1));
        features
    }
}

/// Returns the share of the time after which a share `part` of the path was completed.
fn way_at(frames: &[Frame], part: f64) -> f64 {
    let goal = part * frames.iter().map(|frame| frame.v).sum::<f64>();
    let is_before_goal = frames.iter().scan(0.0, |gone, frame| {
        *gone += frame.v;
        Some(*gone < goal)
    });
    share(is_before_goal)
}

/// Returns how many times the speed rose and fell again by more than `least`.
fn peaks(speeds: &[f64], least: f64) -> f64 {
    let mut count = 0.0;
    let mut low = 0.0;
    let mut high = 0.0;
    let mut rising = true;
    for v in speeds {
        if rising {
            high = f64::max(high, *v);
            if *v < high - least {
                (count, rising, low) = (count + 1.0, false, *v);
            }
        } else {
            low = f64::min(low, *v);
            if *v > low + least {
                (rising, high) = (true, *v);
            }
        }
    }
    count
}

pub(super) const TABLE: [Feature<Speed>; 26] = [
    ("speed_log_frames", |s| s.frames.max(1.0).ln()),
    ("speed_log_mean", |s| (s.mean + FLOOR).ln()),
    ("speed_log_top", |s| (s.top + FLOOR).ln()),
    ("speed_mean", |s| s.mean / s.top),
    ("speed_variation", |s| ratio(s.spread, s.mean)),
    ("speed_skewness", |s| s.skewness),
    ("speed_tails", |s| s.tails),
    ("speed_quarter", |s| s.quantiles[0]),
    ("speed_median", |s| s.quantiles[1]),
    ("speed_three_quarters", |s| s.quantiles[2]),
    ("speed_top_at", |s| s.top_at),
    ("speed_way_20_at", |s| s.way_at[0]),
    ("speed_way_50_at", |s| s.way_at[1]),
    ("speed_way_80_at", |s| s.way_at[2]),
    ("speed_first_fifth", |s| s.first),
    ("speed_last_fifth", |s| s.last),
    ("speed_slow", |s| s.slow),
    ("speed_peaks", |s| s.peaks),
    ("speed_log_spread", |s| s.log.spread),
    ("speed_log_step", |s| s.log.step),
    ("speed_log_step_spread", |s| s.log.step_spread),
    ("speed_log_lag_1", |s| s.log.lags[0]),
    ("speed_log_lag_2", |s| s.log.lags[1]),
    ("speed_log_lag_3", |s| s.log.lags[2]),
    ("speed_log_lag_6", |s| s.log.lags[3]),
    ("speed_log_step_lag", |s| s.log.step_lag),
];
