//! A screen with windows on it, that a program can look at as a person would.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// How long something may take to appear.
const PATIENCE: Duration = Duration::from_mins(1);
/// Between two looks: what has not moved meanwhile has arrived.
const LOOK: Duration = Duration::from_millis(120);

/// The screen's size in pixels.
pub const SIZE: (i32, i32) = (1280, 900);

/// An X server without hardware, and a window manager, without which windows have no focus. Both end with it.
pub struct Screen {
    server: Child,
    manager: Child,
    display: String,
    folder: TempDir,
}

/// A rectangle on the screen, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Its left edge.
    pub x: i32,
    /// Its upper edge.
    pub y: i32,
    /// From left to right.
    pub width: i32,
    /// From top to bottom.
    pub height: i32,
}

impl Screen {
    /// Starts a screen on a display that is free.
    pub fn open() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (width, height) = SIZE;
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                &format!("{width}x{height}x24"),
                "-nolisten",
                "tcp",
                "-noreset",
                "-fbdir",
            ])
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        let output = server.stdout.take().expect("its standard output is a pipe");
        BufReader::new(output).read_line(&mut number).expect("Xvfb says which display it took");
        let display = format!(":{}", number.trim());
        let manager = Command::new("openbox")
            .arg("--sm-disable")
            .env("DISPLAY", &display)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("openbox starts");
        Self { server, manager, display, folder }
    }

    /// The value of `DISPLAY` for what should be shown here.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// Waits for the largest patch of one colour that has come to rest, and that `wanted` is about.
    pub fn find(&self, what: &str, colour: [u8; 3], wanted: impl Fn(Area) -> bool) -> Area {
        let looks = PATIENCE.as_millis() / LOOK.as_millis();
        for _ in 0..looks {
            if let Some(area) = self.glance(colour, &wanted) {
                return area;
            }
        }
        panic!("{what} did not appear on the screen within a minute");
    }

    /// The same, if it is there now.
    pub fn glance(&self, colour: [u8; 3], wanted: impl Fn(Area) -> bool) -> Option<Area> {
        let seen = || self.look().largest(colour).filter(|area| wanted(*area));
        let before = seen();
        std::thread::sleep(LOOK);
        seen().filter(|area| before == Some(*area))
    }

    fn look(&self) -> Picture {
        Picture::parse(&std::fs::read(self.picture()).expect("the screen's frame buffer"))
    }

    /// The X server keeps its frame buffer in this file, as an X window dump.
    fn picture(&self) -> PathBuf {
        self.folder.path().join("Xvfb_screen0")
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        for child in [&mut self.manager, &mut self.server] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// What is on the screen.
struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Reads an X window dump (version 7) of 32 bits a pixel, as Xvfb writes it on machines that count bytes from the low end.
    fn parse(dump: &[u8]) -> Self {
        let field = |at: usize| {
            let bytes = dump[at * 4..at * 4 + 4].try_into().expect("four bytes");
            usize::try_from(u32::from_be_bytes(bytes)).expect("a size")
        };
        let (header, version, width, height) = (field(0), field(1), field(4), field(5));
        let (bits, line, colours) = (field(11), field(12), field(19));
        assert_eq!((version, bits), (7, 32), "an X window dump of 32 bits a pixel");
        // Twelve bytes for each entry of the colour map stand between the header and the pixels.
        let rows = dump[header + colours * 12..].chunks_exact(line).take(height);
        let pixels = rows.flat_map(|row| row[..width * 4].chunks_exact(4).map(|p| [p[2], p[1], p[0]])).collect();
        Self { width, height, pixels }
    }

    /// The largest connected patch of about this colour, by its number of pixels.
    fn largest(&self, colour: [u8; 3]) -> Option<Area> {
        let mut open: Vec<bool> = self.pixels.iter().map(|pixel| close(*pixel, colour)).collect();
        let mut best: Option<(usize, Area)> = None;
        for at in 0..open.len() {
            if open[at] {
                let found = self.patch(&mut open, at);
                if best.is_none_or(|(size, _)| found.0 > size) {
                    best = Some(found);
                }
            }
        }
        best.map(|(_, area)| area)
    }

    /// The patch around a pixel, which is taken out of `open`.
    fn patch(&self, open: &mut [bool], start: usize) -> (usize, Area) {
        let (mut size, mut waiting) = (0, vec![start]);
        let (mut left, mut top, mut right, mut bottom) = (self.width, self.height, 0, 0);
        open[start] = false;
        while let Some(at) = waiting.pop() {
            let (x, y) = (at % self.width, at / self.width);
            size += 1;
            (left, right, top, bottom) = (left.min(x), right.max(x), top.min(y), bottom.max(y));
            let beside = [
                (x > 0).then(|| at - 1),
                (x + 1 < self.width).then(|| at + 1),
                (y > 0).then(|| at - self.width),
                (y + 1 < self.height).then(|| at + self.width),
            ];
            for next in beside.into_iter().flatten() {
                if std::mem::take(&mut open[next]) {
                    waiting.push(next);
                }
            }
        }
        let pixels = |length: usize| i32::try_from(length).expect("a screen is not that large");
        let area =
            Area { x: pixels(left), y: pixels(top), width: pixels(right + 1 - left), height: pixels(bottom + 1 - top) };
        (size, area)
    }
}

fn close(a: [u8; 3], b: [u8; 3]) -> bool {
    a.into_iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 4)
}
