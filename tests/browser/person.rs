//! A hand on the mouse or the keyboard: input at the level of the operating system, along a recorded path of a person.

use crate::screen::{Area, SIZE, Screen};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use voight_tests::paths;

/// The file of recordings, in the corpus.
const RECORDINGS: &str = "human_pointer.jsonl.gz";
/// Whose hand it is: one person of the recordings, with hundreds of movements.
const WHOSE: &str = "user101";

/// A person before a screen.
pub(crate) struct Person<'a> {
    screen: &'a Screen,
    movements: Vec<Movement>,
    at: (i32, i32),
}

/// One recorded movement that ended in a click.
#[derive(Debug, Clone)]
struct Movement {
    /// Milliseconds since the row before, and the offset from the first row in pixels.
    rows: Vec<(u64, f64, f64)>,
    /// Milliseconds between the last row and the press.
    rest: u64,
    /// Milliseconds for which the button was held.
    hold: u64,
}

impl<'a> Person<'a> {
    /// Somebody whose hand was recorded.
    pub(crate) fn recorded(screen: &'a Screen, corpus: &Path) -> Self {
        let person = Self { screen, movements: read(&corpus.join(RECORDINGS)), at: (SIZE.0 / 3, SIZE.1 * 4 / 5) };
        person.tool(&["mousemove".into(), person.at.0.to_string(), person.at.1.to_string()]);
        person
    }

    /// Moves to the area as the person once moved, and clicks as the person once clicked.
    pub(crate) fn click(&mut self, area: Area) {
        // People press somewhere on a button, not in its centre.
        let aim = (area.x + area.width * 3 / 5 + 3, area.y + area.height * 2 / 5 + 2);
        let (index, path) = self.path(aim);
        let movement = self.movements.remove(index);
        let mut steps = Vec::new();
        for ((wait, ..), (x, y)) in movement.rows.iter().zip(&path) {
            steps.extend(pause(*wait));
            steps.extend(["mousemove".to_owned(), x.to_string(), y.to_string()]);
        }
        steps.extend(pause(movement.rest));
        steps.extend(["mousedown", "1"].map(str::to_owned));
        steps.extend(pause(movement.hold));
        steps.extend(["mouseup", "1"].map(str::to_owned));
        self.tool(&steps);
        self.at = aim;
    }

    /// Presses a key as long as people do.
    pub(crate) fn key(&self, name: &str) {
        let mut steps = vec!["keydown".to_owned(), name.to_owned()];
        steps.extend(pause(93));
        steps.extend(["keyup".to_owned(), name.to_owned()]);
        self.tool(&steps);
        std::thread::sleep(std::time::Duration::from_millis(310));
    }

    /// The movement whose length was nearest, turned and stretched so that it ends at `aim` and stays on the screen.
    fn path(&self, aim: (i32, i32)) -> (usize, Vec<(i32, i32)>) {
        let fitted = self.movements.iter().enumerate().filter_map(|(index, movement)| {
            let (stretch, path) = movement.fitted(self.at, aim);
            let seen = |(x, y): &(i32, i32)| (0..SIZE.0).contains(x) && (0..SIZE.1).contains(y);
            path.iter().all(seen).then_some((stretch.ln().abs(), index, path))
        });
        let nearest = fitted.min_by(|(a, ..), (b, ..)| a.total_cmp(b));
        let (_, index, path) = nearest.unwrap_or_else(|| panic!("no movement leads from {:?} to {aim:?}", self.at));
        (index, path)
    }

    fn tool(&self, steps: &[String]) {
        let status = Command::new("xdotool").env("DISPLAY", self.screen.display()).args(steps).status();
        assert!(status.expect("xdotool starts").success(), "xdotool {steps:?} failed");
    }
}

fn pause(milliseconds: u64) -> [String; 2] {
    ["sleep".to_owned(), format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)]
}

impl Movement {
    /// Movements that a person made in one go.
    fn of(record: &Value) -> Option<Self> {
        let whole = |value: &Value| value.as_u64();
        let (press, hold) = (whole(&record["press"])?, whole(&record["hold"])?);
        let mut rows = Vec::new();
        let (mut x, mut y) = (0.0, 0.0);
        for row in record["d"].as_array()? {
            let (dx, dy) = (row[1].as_f64()?, row[2].as_f64()?);
            // The first row is where it began, the others are differences.
            if !rows.is_empty() {
                (x, y) = (x + dx, y + dy);
            }
            rows.push((whole(&row[0])?, x, y));
        }
        let moving: u64 = rows.iter().map(|(wait, ..)| wait).sum();
        let in_one_go = rows.iter().all(|(wait, ..)| *wait < 120) && press < 2500 && rows.len() >= 15;
        (in_one_go && (40..250).contains(&hold)).then(|| Self { rows, rest: press.saturating_sub(moving), hold })
    }

    /// The path from `from` to `aim`, in whole pixels, and by how much it was stretched.
    fn fitted(&self, from: (i32, i32), aim: (i32, i32)) -> (f64, Vec<(i32, i32)>) {
        let (ex, ey) = self.rows.last().map_or((0.0, 0.0), |(_, x, y)| (*x, *y));
        let (wx, wy) = (f64::from(aim.0 - from.0), f64::from(aim.1 - from.1));
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

#[expect(clippy::cast_possible_truncation, reason = "a distance on a screen fits")]
fn rounded(pixels: f64) -> i32 {
    pixels.round() as i32
}

fn read(file: &Path) -> Vec<Movement> {
    let packed = std::fs::File::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let lines = BufReader::new(GzDecoder::new(packed)).lines().map(|line| line.expect("a line of text"));
    // Ten thousand records, of which few are wanted: those are found without parsing all.
    let theirs = lines.filter(|line| line.contains(&format!(r#""user":"{WHOSE}""#)));
    theirs.filter_map(|line| Movement::of(&serde_json::from_str(&line).expect("a record"))).collect()
}

/// The recordings, if they are here.
pub(crate) fn corpus() -> Option<std::path::PathBuf> {
    paths::corpus().filter(|folder| folder.join(RECORDINGS).is_file())
}
