//! Synthetic movements.

use voight_tests::os_input::{InputDriver, act, aim, click, move_to, pause};
use voight_tests::screen::{Area, SIZE, Screen};

/// Interval of two steps, in milliseconds: a mouse of 125 Hz.
const STEP: u64 = 8;

/// Speed profile along the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpeedProfile {
    /// Constant speed.
    Even,
    /// Minimum jerk, with noise.
    LeastJerk,
}

/// Synthetic pointer that moves along curves.
pub(super) struct SyntheticPointer<'a> {
    screen: &'a Screen,
    pace: SpeedProfile,
    bend: f64,
    at: (f64, f64),
}

impl<'a> SyntheticPointer<'a> {
    /// Creates a pointer whose curves deviate from the straight line by up to `bend` of their length.
    pub(super) fn new(screen: &'a Screen, pace: SpeedProfile, bend: f64) -> Self {
        let at = (SIZE.0 / 3, SIZE.1 * 4 / 5);
        act(screen, &move_to(at.0, at.1));
        Self {
            screen,
            pace,
            bend,
            at: (f64::from(at.0), f64::from(at.1)),
        }
    }

    /// Returns the points of the path to `to`, one for each step.
    fn points_to(&self, to: (f64, f64)) -> Vec<(i32, i32)> {
        let dx = to.0 - self.at.0;
        let dy = to.1 - self.at.1;
        let length = dx.hypot(dy);
        let steps = rounded((length * 0.9 + 180.0) / 8.0).max(10);
        // Both control points are on one side of the line.
        let side = (fastrand::f64() * 2.0 - 1.0) * self.bend;
        let control = |along: f64| {
            (
                self.at.0 + dx * along - dy * side,
                self.at.1 + dy * along + dx * side,
            )
        };
        let points = [self.at, control(0.3), control(0.7), to];
        let noise = || {
            if self.pace == SpeedProfile::LeastJerk {
                fastrand::f64() * 1.6 - 0.8
            } else {
                0.0
            }
        };
        let position = |step: i32| {
            let (x, y) = bezier(
                points,
                self.pace.progress_at(f64::from(step) / f64::from(steps)),
            );
            if step == steps {
                (rounded(x), rounded(y))
            } else {
                (rounded(x + noise()), rounded(y + noise()))
            }
        };
        (1..=steps).map(position).collect()
    }
}

impl InputDriver for SyntheticPointer<'_> {
    fn press(&mut self, area: Area) {
        let (x, y) = aim(area);
        let to = (f64::from(x), f64::from(y));
        let mut steps = Vec::new();
        for (x, y) in self.points_to(to) {
            steps.extend(move_to(x, y));
            steps.extend(pause(STEP));
        }
        steps.extend(pause(fastrand::u64(60..180)));
        steps.extend(click(fastrand::u64(60..130)));
        act(self.screen, &steps);
        self.at = to;
    }
}

impl SpeedProfile {
    /// Returns the share of the path that is completed after this share of the time.
    fn progress_at(self, time: f64) -> f64 {
        match self {
            Self::Even => time,
            Self::LeastJerk => time.powi(3) * (10.0 - 15.0 * time + 6.0 * time * time),
        }
    }
}

/// Returns a point of a cubic Bézier curve.
fn bezier(points: [(f64, f64); 4], t: f64) -> (f64, f64) {
    let complement = 1.0 - t;
    let weights = [
        complement.powi(3),
        3.0 * complement * complement * t,
        3.0 * complement * t * t,
        t.powi(3),
    ];
    let sum = |axis: fn((f64, f64)) -> f64| {
        weights
            .iter()
            .zip(points)
            .map(|(w, point)| w * axis(point))
            .sum::<f64>()
    };
    (sum(|point| point.0), sum(|point| point.1))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a distance on a screen fits"
)]
fn rounded(pixels: f64) -> i32 {
    pixels.round() as i32
}

#[cfg(test)]
mod tests {
    use super::{SpeedProfile, bezier};

    #[test]
    fn curves_end_at_the_target_and_accelerate_slowly() {
        let points = [(0.0, 0.0), (10.0, 30.0), (20.0, 30.0), (40.0, 8.0)];
        assert_eq!(
            (bezier(points, 0.0), bezier(points, 1.0)),
            (points[0], points[3])
        );
        for pace in [SpeedProfile::Even, SpeedProfile::LeastJerk] {
            assert!(
                pace.progress_at(0.0).abs() < 1e-9 && (pace.progress_at(1.0) - 1.0).abs() < 1e-9
            );
        }
        assert!(
            SpeedProfile::LeastJerk.progress_at(0.1) < 0.02,
            "it starts slowly"
        );
    }
}
