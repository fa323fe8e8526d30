//! Mouse input along recorded paths of a person.

use crate::os_input::{InputDriver, act, aim, click, move_to, pause};
use crate::paths;
use crate::screen::{Area, SIZE, Screen};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// File of recordings in the corpus.
const RECORDINGS: &str = "human_pointer.jsonl.gz";
/// Default person of the recordings, with hundreds of movements.
const WHOSE: &str = "user101";
/// Minimum number of movements that reach any position of a screen.
const ENOUGH: usize = 60;

/// Person at a screen.
pub struct Person<'a> {
    screen: &'a Screen,
    movements: Vec<Movement>,
    at: (i32, i32),
    tremor: i32,
}

/// Recorded movement that ended in a click.
#[derive(Debug, Clone)]
struct Movement {
    /// Milliseconds since the previous row, and the offset from the first row in pixels.
    rows: Vec<(u64, f64, f64)>,
    /// Milliseconds between the last row and the press.
    rest: u64,
    /// Milliseconds for which the button was held.
    hold: u64,
}

impl<'a> Person<'a> {
    /// Creates the input of the default recorded person.
    pub fn recorded(screen: &'a Screen, corpus: &Path) -> Self {
        Self::named(screen, corpus, WHOSE)
    }

    /// Creates the input of one of the recorded [`people`].
    pub fn named(screen: &'a Screen, corpus: &Path, user: &str) -> Self {
        let mine = format!(r#""user":"{user}""#);
        let movements = lines(corpus)
            .filter(|line| line.contains(&mine))
            .filter_map(|line| movement(&line))
            .collect();
        let person = Self {
            screen,
            movements,
            at: (SIZE.0 / 3, SIZE.1 * 4 / 5),
            tremor: 0,
        };
        act(screen, &move_to(person.at.0, person.at.1));
        person
    }

    /// Adds a random offset of up to `tremor` pixels to each point.
    #[must_use]
    pub fn with_tremor(self, tremor: i32) -> Self {
        Self { tremor, ..self }
    }

    fn to_viewport(&self, at: (i32, i32)) -> [String; 3] {
        let tremor = || fastrand::i32(-self.tremor..=self.tremor);
        move_to(at.0 + tremor(), at.1 + tremor())
    }

    /// Returns the movement of the nearest length, rotated and stretched to end at `aim` within the screen.
    fn path(&self, aim: (i32, i32)) -> (usize, Vec<(i32, i32)>) {
        let fitted_paths = self
            .movements
            .iter()
            .enumerate()
            .filter_map(|(index, movement)| {
                let (stretch, path) = movement.fitted(self.at, aim);
                let is_on_screen =
                    |(x, y): &(i32, i32)| (0..SIZE.0).contains(x) && (0..SIZE.1).contains(y);
                path.iter()
                    .all(is_on_screen)
                    .then_some((stretch.ln().abs(), index, path))
            });
        let nearest = fitted_paths.min_by(|(a, ..), (b, ..)| a.total_cmp(b));
        let (_, index, path) =
            nearest.unwrap_or_else(|| panic!("no movement leads from {:?} to {aim:?}", self.at));
        (index, path)
    }
}

impl InputDriver for Person<'_> {
    /// Moves to the area and clicks, with the timing of a recorded movement.
    fn press(&mut self, area: Area) {
        let aim = aim(area);
        let (index, path) = self.path(aim);
        let movement = self.movements.remove(index);
        let mut steps = Vec::new();
        for ((wait, ..), at) in movement.rows.iter().zip(&path) {
            steps.extend(pause(*wait));
            steps.extend(self.to_viewport(*at));
        }
        steps.extend(pause(movement.rest));
        steps.extend(click(movement.hold));
        act(self.screen, &steps);
        self.at = aim;
    }
}

impl Movement {
    /// Parses a movement that a person made in one go.
    fn from_json(record: &Value) -> Option<Self> {
        let integer = |value: &Value| value.as_u64();
        let press = integer(&record["press"])?;
        let hold = integer(&record["hold"])?;
        let mut rows = Vec::new();
        let mut x = 0.0;
        let mut y = 0.0;
        for row in record["d"].as_array()? {
            let dx = row[1].as_f64()?;
            let dy = row[2].as_f64()?;
            // The first row is the origin; the others are differences.
            if !rows.is_empty() {
                (x, y) = (x + dx, y + dy);
            }
            rows.push((integer(&row[0])?, x, y));
        }
        let moving: u64 = rows.iter().map(|(wait, ..)| wait).sum();
        let in_one_go =
            rows.iter().all(|(wait, ..)| *wait < 120) && press < 2500 && rows.len() >= 15;
        (in_one_go && (40..250).contains(&hold)).then(|| Self {
            rows,
            rest: press.saturating_sub(moving),
            hold,
        })
    }

    /// Returns the path from `from` to `aim` in whole pixels, and the factor of its stretching.
    fn fitted(&self, from: (i32, i32), aim: (i32, i32)) -> (f64, Vec<(i32, i32)>) {
        let (ex, ey) = self.rows.last().map_or((0.0, 0.0), |(_, x, y)| (*x, *y));
        let wx = f64::from(aim.0 - from.0);
        let wy = f64::from(aim.1 - from.1);
        let stretch = wx.hypot(wy) / f64::hypot(ex, ey);
        let turn = wy.atan2(wx) - f64::atan2(ey, ex);
        let (sin, cos) = turn.sin_cos();
        let place = |(_, x, y): &(u64, f64, f64)| {
            let (x, y) = (stretch * (x * cos - y * sin), stretch * (x * sin + y * cos));
            (from.0 + rounded(x), from.1 + rounded(y))
        };
        (stretch, self.rows.iter().map(place).collect())
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a distance on a screen fits"
)]
fn rounded(pixels: f64) -> i32 {
    pixels.round() as i32
}

/// Returns the lines of the recordings. Of ten thousand records few are needed, so callers filter before parsing.
fn lines(corpus: &Path) -> impl Iterator<Item = String> {
    let file = corpus.join(RECORDINGS);
    let compressed_file =
        std::fs::File::open(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    BufReader::new(GzDecoder::new(compressed_file))
        .lines()
        .map(|line| line.expect("a line of text"))
}

fn movement(line: &str) -> Option<Movement> {
    Movement::from_json(&serde_json::from_str(line).expect("a record"))
}

/// Returns the people with enough recorded movements, in the order of their names.
pub fn people(corpus: &Path) -> Vec<String> {
    let mut counts = BTreeMap::<String, usize>::new();
    for line in lines(corpus) {
        let user = line
            .split(r#""user":""#)
            .nth(1)
            .and_then(|text| text.split('"').next())
            .unwrap_or_default();
        if movement(&line).is_some() {
            *counts.entry(user.to_owned()).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .filter(|(_, count)| *count >= ENOUGH)
        .map(|(user, _)| user)
        .collect()
}

/// Returns the directory of the recordings, if they exist.
pub fn corpus() -> Option<std::path::PathBuf> {
    paths::corpus().filter(|folder| folder.join(RECORDINGS).is_file())
}
