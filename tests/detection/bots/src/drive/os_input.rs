//! System-level input into a plain Chromium.

use super::bus::Bus;
use super::curves::{SpeedProfile, SyntheticPointer};
use crate::installed;
use crate::page::{PageResult, PageVisit};
use std::process::Command;
use voight_tests::chromium::Chromium;
use voight_tests::os_input::{InputDriver, Typist, act, aim, click, move_to, pause};
use voight_tests::person::{self, Person};
use voight_tests::screen::{Area, SIZE, Screen};
use voight_tests::visitor::{self, Page};

/// Input methods, described in the list of families.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the list of families describes each method")]
pub enum InputMethod {
    Linear,
    Bezier,
    MinJerk,
    PyAutoGui,
    Recorded,
    Mirrored,
    People,
    SmallWindow,
    Zoomed,
    Enter,
    Space,
    Switch,
    Jump,
    Assistive,
}

impl InputMethod {
    /// Returns `true` if the method replays movements of recorded people.
    pub(super) const fn needs_recordings(self) -> bool {
        matches!(
            self,
            Self::Recorded | Self::Mirrored | Self::People | Self::SmallWindow | Self::Zoomed
        )
    }

    /// Returns the requirement that this machine does not meet, if any.
    pub(super) fn missing(self) -> Option<String> {
        let module = match self {
            Self::PyAutoGui => "pyautogui",
            Self::Assistive => "jeepney",
            _ => return None,
        };
        installed::missing("input.py", &[module]).map(|name| format!("{name} is not installed"))
    }

    fn flags(self) -> Vec<String> {
        let (width, height) = if self == Self::SmallWindow {
            (900, 700)
        } else {
            SIZE
        };
        let size = format!("--window-size={width},{height}");
        match self {
            Self::Zoomed => vec![size, "--force-device-scale-factor=1.25".to_owned()],
            Self::Assistive => vec![size, "--force-renderer-accessibility".to_owned()],
            _ => vec![size],
        }
    }
}

/// Runs a session with this input, in its own browser.
pub(super) fn run_input(
    input: InputMethod,
    page: &PageVisit<'_>,
    screen: &Screen,
    number: usize,
) -> PageResult {
    let bus = (input == InputMethod::Assistive).then(Bus::start);
    let _browser = Chromium::open_with(screen, &page.address(), |command| {
        command.args(input.flags());
        if let Some(bus) = &bus {
            bus.configure(command);
        }
    });
    let mut input_driver = input_device(input, page, screen, number, bus.as_ref());
    visitor::go_through(page, screen, input_driver.as_mut())
}

fn input_device<'a>(
    input: InputMethod,
    page: &PageVisit<'_>,
    screen: &'a Screen,
    number: usize,
    bus: Option<&'a Bus>,
) -> Box<dyn InputDriver + 'a> {
    let typist = |key| Typist::new(screen, page.tabs(), key);
    match input {
        InputMethod::Linear => Box::new(SyntheticPointer::new(screen, SpeedProfile::Even, 0.0)),
        InputMethod::Bezier => Box::new(SyntheticPointer::new(screen, SpeedProfile::Even, 0.3)),
        InputMethod::MinJerk => {
            Box::new(SyntheticPointer::new(screen, SpeedProfile::LeastJerk, 0.15))
        }
        InputMethod::PyAutoGui => Box::new(Python {
            screen,
            file: "os_pyautogui.py",
            bus,
        }),
        InputMethod::Assistive => Box::new(Python {
            screen,
            file: "os_assistive.py",
            bus,
        }),
        InputMethod::Recorded => recorded(screen, 0, 2),
        InputMethod::Mirrored => recorded(screen, 0, 0),
        InputMethod::People | InputMethod::SmallWindow | InputMethod::Zoomed => {
            recorded(screen, number, 0)
        }
        InputMethod::Enter => Box::new(typist("Return")),
        InputMethod::Space => Box::new(typist("space")),
        InputMethod::Switch => Box::new(typist("Return").at_pace(420, 1600)),
        InputMethod::Jump => Box::new(PointingAid { screen }),
    }
}

/// Returns the input of one of the recorded people.
fn recorded(screen: &Screen, number: usize, tremor: i32) -> Box<dyn InputDriver + '_> {
    let corpus = person::corpus().unwrap_or_default();
    let people = person::people(&corpus);
    let name = people
        .get(number % people.len().max(1))
        .cloned()
        .unwrap_or_default();
    Box::new(Person::named(screen, &corpus, &name).with_tremor(tremor))
}

/// Pointing aid: the pointer jumps to the target, rests, and clicks.
struct PointingAid<'a> {
    screen: &'a Screen,
}

impl InputDriver for PointingAid<'_> {
    fn press(&mut self, area: Area) {
        let (x, y) = aim(area);
        act(
            self.screen,
            &[move_to(x, y).as_slice(), &pause(700), &click(110)].concat(),
        );
    }
}

/// Program that presses at given coordinates.
struct Python<'a> {
    screen: &'a Screen,
    file: &'static str,
    bus: Option<&'a Bus>,
}

impl InputDriver for Python<'_> {
    fn press(&mut self, area: Area) {
        let (x, y) = aim(area);
        let mut command = Command::new(installed::python());
        command
            .arg(installed::families_dir().join(self.file))
            .args([x.to_string(), y.to_string()]);
        if let Some(bus) = self.bus {
            bus.configure(&mut command);
        }
        let output = command
            .env("DISPLAY", self.screen.display())
            .output()
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(
            output.status.success(),
            "{}: {}",
            self.file,
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
