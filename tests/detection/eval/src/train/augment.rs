//! Augmentation of recorded movements, of people and bots alike.
//!
//! Movements are cut as a frame cuts them, and resampled, so that the model learns the movement and not the mouse and
//! browser of the recording.

use fastrand::Rng;
use voight_detect::Point;

/// Share of the events that remain of a movement that began outside of the frame.
const CUTS: [f64; 3] = [0.7, 0.5, 0.35];
/// Duration of a frame of a screen at 60 Hz, in ms.
const FRAME: f64 = 1000.0 / 60.0;
/// Polling intervals of mice, in ms.
const POLLS: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// Returns the movements that replace one in the training set.
pub(super) fn variants(points: &[Point], random: &mut Rng) -> Vec<Vec<Point>> {
    let frames = delivered(points, FRAME, random);
    let polled_points = polled(points, random);
    let cuts = CUTS.iter().map(|share| end(points, *share).to_vec());
    let resampled_paths = [
        end(&frames, CUTS[random.usize(..CUTS.len())]).to_vec(),
        end(&polled_points, CUTS[random.usize(..CUTS.len())]).to_vec(),
    ];
    std::iter::once(points.to_vec())
        .chain(cuts)
        .chain(resampled_paths)
        .chain([frames, polled_points])
        .collect()
}

/// Returns the last share of the events.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place"
)]
fn end(points: &[Point], share: f64) -> &[Point] {
    &points[points.len() - (points.len() as f64 * share).ceil() as usize..]
}

/// Resamples the movement as an ideal mouse does: one position per `interval`.
fn delivered(points: &[Point], interval: f64, random: &mut Rng) -> Vec<Point> {
    let [first, .., last] = points else {
        return points.to_vec();
    };
    let mut segment = 0;
    let start = first.t + random.f64() * interval;
    let times = (0..5000_u32)
        .map(|tick| start + f64::from(tick) * interval)
        .take_while(|t| *t <= last.t);
    let mut out: Vec<Point> = times
        .map(|t| {
            while points[segment + 1].t < t {
                segment += 1;
            }
            between(&points[segment], &points[segment + 1], t)
        })
        .collect();
    out.push(*last);
    out
}

/// Resamples the movement as a polled mouse does: each frame shows the last polled position.
fn polled(points: &[Point], random: &mut Rng) -> Vec<Point> {
    let polls = delivered(points, POLLS[random.usize(..POLLS.len())], random);
    let (mut out, mut frame): (Vec<Point>, f64) = (Vec::new(), polls[0].t);
    for pair in polls.windows(2) {
        if pair[1].t > frame {
            out.push(pair[0]);
            frame += FRAME + (random.f64() - 0.5) * 2.0;
        }
    }
    out.extend(polls.last());
    out
}

/// Returns the position at `t`, in whole pixels. Before a late event the pointer did not move.
fn between(from: &Point, to: &Point, t: f64) -> Point {
    let start = from.t.max(to.t - 2.0 * FRAME);
    let part = ((t - start) / (to.t - start).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    Point {
        t,
        x: (from.x + (to.x - from.x) * part).round(),
        y: (from.y + (to.y - from.y) * part).round(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Vec<Point> {
        (0..40)
            .map(|at| f64::from(at) * 16.0)
            .map(|t| Point { t, x: t, y: 10.0 })
            .collect()
    }

    #[test]
    fn resampling_keeps_end_and_path() {
        let line = line();
        for variant in variants(&line, &mut Rng::with_seed(1)) {
            let last = variant.last().unwrap();
            assert!((last.x - 624.0).abs() <= 1.0, "{last:?}");
            assert!(
                variant
                    .iter()
                    .all(|point| (point.y - 10.0).abs() < 1e-9 && (point.x - point.t).abs() < 20.0)
            );
            assert!(variant.windows(2).all(|pair| pair[0].t <= pair[1].t));
        }
    }

    #[test]
    fn a_cut_preserves_the_end() {
        let lengths: Vec<usize> = variants(&line(), &mut Rng::with_seed(1))
            .iter()
            .map(Vec::len)
            .take(4)
            .collect();
        assert_eq!(lengths, [40, 28, 20, 14]);
    }
}
