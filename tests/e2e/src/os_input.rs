//! Pointer and keyboard input at the level of the operating system, without any automation protocol.

use crate::screen::{Area, Screen};
use std::process::Command;

/// Input driver that presses visible areas.
pub trait InputDriver {
    /// Presses this area.
    fn press(&mut self, area: Area);
}

/// Keyboard-only input: Tab to the page's button, then one key for all presses.
pub struct Typist<'a> {
    screen: &'a Screen,
    tabs: usize,
    key: &'static str,
    hold: u64,
    rest: u64,
}

impl<'a> Typist<'a> {
    /// Creates a typist with a human pace, whose page's button is `tabs` Tabs away.
    pub fn new(screen: &'a Screen, tabs: usize, key: &'static str) -> Self {
        Self {
            screen,
            tabs,
            key,
            hold: 93,
            rest: 310,
        }
    }

    /// Sets the duration of each key press and of the pause after it, in milliseconds.
    #[must_use]
    pub fn at_pace(self, hold: u64, rest: u64) -> Self {
        Self { hold, rest, ..self }
    }

    fn strike(&self, key: &str) {
        let mut steps = vec!["keydown".to_owned(), key.to_owned()];
        steps.extend(pause(self.hold));
        steps.extend(["keyup".to_owned(), key.to_owned()]);
        steps.extend(pause(self.rest));
        act(self.screen, &steps);
    }
}

impl InputDriver for Typist<'_> {
    fn press(&mut self, _: Area) {
        for _ in 0..std::mem::take(&mut self.tabs) {
            self.strike("Tab");
        }
        self.strike(self.key);
    }
}

/// Returns the point that a hand presses: people press somewhere on a button, not in its centre.
pub fn aim(area: Area) -> (i32, i32) {
    (
        area.x + area.width * 3 / 5 + 3,
        area.y + area.height * 2 / 5 + 2,
    )
}

/// Returns the step that moves the pointer.
pub fn move_to(x: i32, y: i32) -> [String; 3] {
    ["mousemove".to_owned(), x.to_string(), y.to_string()]
}

/// Returns the steps of a click that is held for `hold` milliseconds.
pub fn click(hold: u64) -> Vec<String> {
    let [down, up] = ["mousedown", "mouseup"].map(|event| [event.to_owned(), "1".to_owned()]);
    [down.as_slice(), &pause(hold), &up].concat()
}

/// Returns the step that waits for `milliseconds`.
pub fn pause(milliseconds: u64) -> [String; 2] {
    [
        "sleep".to_owned(),
        format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000),
    ]
}

/// Runs steps of `xdotool` on a screen, with one call.
pub fn act(screen: &Screen, steps: &[String]) {
    let status = Command::new("xdotool")
        .env("DISPLAY", screen.display())
        .args(steps)
        .status();
    assert!(
        status.expect("xdotool starts").success(),
        "xdotool {steps:?} failed"
    );
}
