//! Plain browsers under input of the operating system: programs that want to pass for people, and stand-ins of people.

use crate::drive::hands::Input;
use crate::family::{Driver, Family, Kind};

const fn family(name: &'static str, kind: Kind, about: &'static str, input: Input) -> Family {
    Family { name, kind, about, driver: Driver::Hand(input) }
}

/// Programs first, then cohorts.
pub(super) const FAMILIES: &[Family] = &[
    family("os_linear", Kind::OsInput, "a straight line at one speed", Input::Linear),
    family("os_bezier", Kind::OsInput, "a Bezier curve at one speed", Input::Bezier),
    family("os_min_jerk", Kind::OsInput, "a curve with the speed of least jerk, and noise", Input::MinJerk),
    family("os_pyautogui", Kind::OsInput, "PyAutoGUI's own movement, eased out", Input::PyAutoGui),
    family(
        "os_recorded",
        Kind::OsInput,
        "one person's recorded movements with a jitter of 2 px, for every wallet",
        Input::Recorded,
    ),
    family(
        "os_mirrored",
        Kind::OsInput,
        "one person's recorded movements as they are, for every wallet",
        Input::Mirrored,
    ),
    family("people_mouse", Kind::Cohort, "another recorded person's movements for each wallet", Input::People),
    family("people_small_window", Kind::Cohort, "the same in a window of 900 by 700", Input::SmallWindow),
    family("people_zoomed", Kind::Cohort, "the same on a screen of density 1.25", Input::Zoomed),
    family("keyboard_enter", Kind::Cohort, "Tab and Enter", Input::Enter),
    family("keyboard_space", Kind::Cohort, "Tab and Space", Input::Space),
    family("switch_like", Kind::Cohort, "one key, held long, with long rests", Input::Switch),
    family("pointer_jump", Kind::Cohort, "a pointing aid that jumps to the target and clicks, no path", Input::Jump),
    family(
        "assistive",
        Kind::Cohort,
        "the default action through the accessibility bus, no input at all",
        Input::Assistive,
    ),
];
