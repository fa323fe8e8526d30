//! More movements from those that were recorded, people's and bots' alike: cut as a frame cuts them, and delivered anew,
//! so that the model learns how a hand moves and not by which mouse and browser it was recorded.

use fastrand::Rng;
use voight_detect::Point;

/// What is left of a movement that began outside of the frame, as shares of its events.
const CUTS: [f64; 3] = [0.7, 0.5, 0.35];
/// A frame of a screen at 60 Hz, in ms.
const FRAME: f64 = 1000.0 / 60.0;
/// How often a mouse is asked where it is, in ms.
const POLLS: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// The movements to train with instead of one.
pub(super) fn variants(points: &[Point], random: &mut Rng) -> Vec<Vec<Point>> {
    let frames = delivered(points, FRAME, random);
    let polled = polled(points, random);
    let cuts = CUTS.iter().map(|share| end(points, *share).to_vec());
    let anew = [
        end(&frames, CUTS[random.usize(..CUTS.len())]).to_vec(),
        end(&polled, CUTS[random.usize(..CUTS.len())]).to_vec(),
    ];
    std::iter::once(points.to_vec()).chain(cuts).chain(anew).chain([frames, polled]).collect()
}

/// The last share of the events.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place")]
fn end(points: &[Point], share: f64) -> &[Point] {
    &points[points.len() - (points.len() as f64 * share).ceil() as usize..]
}

/// As an ideal mouse delivers it: where the pointer is, once in each `interval`.
fn delivered(points: &[Point], interval: f64, random: &mut Rng) -> Vec<Point> {
    let [first, .., last] = points else { return points.to_vec() };
    let mut segment = 0;
    let start = first.t + random.f64() * interval;
    let times = (0..5000_u32).map(|tick| start + f64::from(tick) * interval).take_while(|t| *t <= last.t);
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

/// As a mouse delivers it that is asked at its own pace: each frame shows what the last answer was.
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

/// Where the pointer was at `t`, in whole pixels. Before an event that was long in coming it rested.
fn between(from: &Point, to: &Point, t: f64) -> Point {
    let start = from.t.max(to.t - 2.0 * FRAME);
    let part = ((t - start) / (to.t - start).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    Point { t, x: (from.x + (to.x - from.x) * part).round(), y: (from.y + (to.y - from.y) * part).round() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Vec<Point> {
        (0..40).map(|at| f64::from(at) * 16.0).map(|t| Point { t, x: t, y: 10.0 }).collect()
    }

    #[test]
    fn a_movement_anew_ends_where_it_ended_and_keeps_its_way() {
        let line = line();
        for variant in variants(&line, &mut Rng::with_seed(1)) {
            let last = variant.last().unwrap();
            assert!((last.x - 624.0).abs() <= 1.0, "{last:?}");
            assert!(variant.iter().all(|point| (point.y - 10.0).abs() < 1e-9 && (point.x - point.t).abs() < 20.0));
            assert!(variant.windows(2).all(|pair| pair[0].t <= pair[1].t));
        }
    }

    #[test]
    fn cuts_keep_the_end() {
        let lengths: Vec<usize> = variants(&line(), &mut Rng::with_seed(1)).iter().map(Vec::len).take(4).collect();
        assert_eq!(lengths, [40, 28, 20, 14]);
    }
}
