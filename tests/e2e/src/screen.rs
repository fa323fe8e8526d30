//! Screen with windows, whose pixels a program can read as a person would.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Timeout for a change on the screen.
const CHANGE_TIMEOUT: Duration = Duration::from_mins(1);
/// Interval of two captures; an area that has not moved meanwhile is at rest.
const POLL_INTERVAL: Duration = Duration::from_millis(120);

/// Size of the screen in pixels.
pub const SIZE: (i32, i32) = (1280, 900);

/// X server without hardware, and a window manager, without which windows have no focus. Both are stopped when dropped.
pub struct Screen {
    server: Child,
    manager: Child,
    display: String,
    folder: TempDir,
}

/// Red, green and blue.
pub type Colour = [u8; 3];

/// Rectangle on the screen, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Left edge.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
}

impl Screen {
    /// Starts a screen on a free display.
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
        BufReader::new(output)
            .read_line(&mut number)
            .expect("Xvfb says which display it took");
        let display = format!(":{}", number.trim());
        let manager = Command::new("openbox")
            .arg("--sm-disable")
            .env("DISPLAY", &display)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("openbox starts");
        Self {
            server,
            manager,
            display,
            folder,
        }
    }

    /// Returns the value of `DISPLAY` for programs on this screen.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// Waits for the largest patch of some colours that is at rest and fulfils `wanted`.
    pub fn find(&self, what: &str, colours: &[Colour], wanted: impl Fn(Area) -> bool) -> Area {
        let looks = CHANGE_TIMEOUT.as_millis() / POLL_INTERVAL.as_millis();
        for _ in 0..looks {
            if let Some(area) = self.glance(colours, &wanted) {
                return area;
            }
        }
        panic!("{what} did not appear on the screen within a minute");
    }

    /// Returns the largest patch of some colours that fulfils `wanted`, if it is at rest now.
    pub fn glance(&self, colours: &[Colour], wanted: impl Fn(Area) -> bool) -> Option<Area> {
        let image_before = self.capture();
        std::thread::sleep(POLL_INTERVAL);
        let area = self
            .capture()
            .largest(colours)
            .filter(|area| wanted(*area))?;
        (image_before.largest(colours) == Some(area)).then_some(area)
    }

    fn capture(&self) -> Picture {
        Picture::new(std::fs::read(self.picture()).expect("the screen's frame buffer"))
    }

    /// Returns the file with the frame buffer of the X server, as an X window dump.
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

/// Contents of the screen: an X window dump (version 7) of 32 bits per pixel, as Xvfb writes it on little-endian machines.
struct Picture {
    width: usize,
    height: usize,
    /// Bytes per line, and offset of the first line.
    line: usize,
    first: usize,
    dump: Vec<u8>,
}

impl Picture {
    fn new(dump: Vec<u8>) -> Self {
        let field = |at: usize| {
            let bytes = dump[at * 4..at * 4 + 4].try_into().expect("four bytes");
            usize::try_from(u32::from_be_bytes(bytes)).expect("a size")
        };
        let header = field(0);
        let version = field(1);
        let width = field(4);
        let height = field(5);
        let bits = field(11);
        let line = field(12);
        let colours = field(19);
        assert_eq!(
            (version, bits),
            (7, 32),
            "an X window dump of 32 bits a pixel"
        );
        // The colour map, with twelve bytes per entry, is between the header and the pixels.
        Self {
            width,
            height,
            line,
            first: header + colours * 12,
            dump,
        }
    }

    /// Returns the largest connected patch of about these colours, by its number of pixels.
    fn largest(&self, colours: &[Colour]) -> Option<Area> {
        let mut open = Vec::with_capacity(self.width * self.height);
        for line in self.dump[self.first..]
            .chunks_exact(self.line)
            .take(self.height)
        {
            for pixel in line[..self.width * 4].chunks_exact(4) {
                open.push(is_one_of(colours, [pixel[2], pixel[1], pixel[0]]));
            }
        }
        let mut best: Option<(usize, Area)> = None;
        for at in 0..open.len() {
            if open[at] {
                let patch = self.patch(&mut open, at);
                if best.is_none_or(|(size, _)| patch.0 > size) {
                    best = Some(patch);
                }
            }
        }
        best.map(|(_, area)| area)
    }

    /// Returns the patch around a pixel, and removes it from `open`.
    fn patch(&self, open: &mut [bool], start: usize) -> (usize, Area) {
        let mut size = 0;
        let mut waiting = vec![start];
        let mut left_edge = self.width;
        let mut top = self.height;
        let mut right = 0;
        let mut bottom = 0;
        open[start] = false;
        while let Some(at) = waiting.pop() {
            let x = at % self.width;
            let y = at / self.width;
            size += 1;
            (left_edge, right, top, bottom) =
                (left_edge.min(x), right.max(x), top.min(y), bottom.max(y));
            let neighbours = [
                (x > 0).then(|| at - 1),
                (x + 1 < self.width).then(|| at + 1),
                (y > 0).then(|| at - self.width),
                (y + 1 < self.height).then(|| at + self.width),
            ];
            for next in neighbours.into_iter().flatten() {
                if std::mem::take(&mut open[next]) {
                    waiting.push(next);
                }
            }
        }
        let pixels = |length: usize| i32::try_from(length).expect("a screen is not that large");
        let area = Area {
            x: pixels(left_edge),
            y: pixels(top),
            width: pixels(right + 1 - left_edge),
            height: pixels(bottom + 1 - top),
        };
        (size, area)
    }
}

/// Returns `true` if the pixel has about one of these colours. A loop, because a debug build calls it for a million pixels.
fn is_one_of(colours: &[Colour], pixel: Colour) -> bool {
    for colour in colours {
        if close(pixel[0], colour[0]) && close(pixel[1], colour[1]) && close(pixel[2], colour[2]) {
            return true;
        }
    }
    false
}

fn close(a: u8, b: u8) -> bool {
    a.abs_diff(b) <= 4
}
