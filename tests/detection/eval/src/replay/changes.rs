//! Transformations of a movement.

use fastrand::Rng;
use std::f64::consts::PI;
use voight_detect::Point;

/// Rotates by a random angle and scales by 0.8 to 1.6, on whole pixels.
pub(super) fn turned(points: &[Point], rng: &mut Rng) -> Vec<Point> {
    let (sin, cos) = (2.0 * PI * rng.f64()).sin_cos();
    let scale = 0.8 + 0.8 * rng.f64();
    let rotate = |point: &Point| Point {
        x: (scale * (cos * point.x - sin * point.y)).round(),
        y: (scale * (sin * point.x + cos * point.y)).round(),
        ..*point
    };
    points.iter().map(rotate).collect()
}

/// Reflects a movement.
pub(super) fn mirrored(points: &[Point]) -> Vec<Point> {
    points
        .iter()
        .map(|point| Point {
            y: -point.y,
            ..*point
        })
        .collect()
}

/// Adds normal noise of `pixels` to each coordinate of each event.
pub(super) fn jittered(points: &[Point], pixels: f64, rng: &mut Rng) -> Vec<Point> {
    let mut noise = || {
        let radius = (-2.0 * rng.f64().max(f64::MIN_POSITIVE).ln()).sqrt();
        pixels * radius * (2.0 * PI * rng.f64()).cos()
    };
    points
        .iter()
        .map(|point| Point {
            x: point.x + noise(),
            y: point.y + noise(),
            ..*point
        })
        .collect()
}

/// Changes the rhythm: the total time by a factor of 0.7 to 1.3, and locally by up to `by`.
pub(super) fn warped(points: &[Point], by: f64, rng: &mut Rng) -> Vec<Point> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    let duration = (last.t - first.t).max(1.0);
    let [once, twice] = [(); 2].map(|()| by * (2.0 * rng.f64() - 1.0));
    let slower = duration * (0.7 + 0.6 * rng.f64());
    let warp = |point: &Point| {
        let u = (point.t - first.t) / duration;
        let warped_time =
            u + once * (PI * u).sin() / PI + twice * (2.0 * PI * u).sin() / (2.0 * PI);
        Point {
            t: slower * warped_time,
            ..*point
        }
    };
    points.iter().map(warp).collect()
}

/// Returns the mean of this movement and another at each share of the time.
///
/// The other movement is rotated and scaled to the ends of this one.
pub(super) fn blended(points: &[Point], other: &[Point]) -> Vec<Point> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    let duration = (last.t - first.t).max(1.0);
    let half = |point: &Point| match placed(other, (point.t - first.t) / duration, first, last) {
        Some((x, y)) => Point {
            t: point.t,
            x: f64::midpoint(point.x, x),
            y: f64::midpoint(point.y, y),
        },
        None => *point,
    };
    points.iter().map(half).collect()
}

/// Returns the position of a movement from `first` to `last` at a share of its time.
///
/// `None` if the movement ended where it began.
fn placed(points: &[Point], share: f64, first: &Point, last: &Point) -> Option<(f64, f64)> {
    let begin = points.first()?;
    let end = points.last()?;
    let moment = begin.t + share * (end.t - begin.t);
    let next_index = points
        .iter()
        .position(|point| point.t >= moment)
        .unwrap_or(points.len() - 1)
        .max(1);
    let previous = points.get(next_index - 1)?;
    let next = points.get(next_index)?;
    let part = if next.t > previous.t {
        ((moment - previous.t) / (next.t - previous.t)).clamp(0.0, 1.0)
    } else {
        1.0
    };
    let x = previous.x + part * (next.x - previous.x) - begin.x;
    let y = previous.y + part * (next.y - previous.y) - begin.y;
    let dx = end.x - begin.x;
    let dy = end.y - begin.y;
    let squared_length = dx * dx + dy * dy;
    let along = (x * dx + y * dy) / squared_length;
    let offset = (y * dx - x * dy) / squared_length;
    let wide = last.x - first.x;
    let high = last.y - first.y;
    let position = (
        first.x + along * wide - offset * high,
        first.y + along * high + offset * wide,
    );
    (squared_length > 0.0).then_some(position)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns a movement that differs from those of other numbers.
    pub(crate) fn sample_movement(number: u32) -> Vec<Point> {
        let mut rng = Rng::with_seed(number.into());
        let [bend, wave, brake] = [(); 3].map(|()| rng.f64() - 0.5);
        let position = |at: u32| {
            let u = f64::from(at) / 40.0;
            let s = u + 0.5 * brake * (2.0 * PI * u).sin() / PI;
            let offset = bend * (PI * s).sin() + 0.4 * wave * (2.0 * PI * s).sin();
            Point {
                t: 16.0 * f64::from(at),
                x: (300.0 * s).round(),
                y: (200.0 * offset).round(),
            }
        };
        (0..=40).map(position).collect()
    }

    #[test]
    fn blend_keeps_ends_between_movements() {
        let first = sample_movement(1);
        let second = sample_movement(2);
        let blend = blended(&first, &second);
        for (position, of_one) in [(0, first[0]), (40, first[40])] {
            assert!((blend[position].x - of_one.x).hypot(blend[position].y - of_one.y) < 1.0);
        }
        assert!(
            blend
                .iter()
                .zip(&first)
                .any(|(blend, first)| (blend.y - first.y).abs() > 3.0)
        );
        assert_eq!(blended(&first, &first), first);
    }

    #[test]
    fn warp_keeps_path_and_time_order() {
        let movement = sample_movement(1);
        let warped_movement = warped(&movement, 0.15, &mut Rng::with_seed(1));
        assert!(warped_movement.windows(2).all(|pair| pair[0].t < pair[1].t));
        assert!(
            movement
                .iter()
                .zip(&warped_movement)
                .all(|(movement, warped_movement)| (movement.x, movement.y)
                    == (warped_movement.x, warped_movement.y))
        );
    }
}
