//! Plain browsers under system-level input: programs that imitate people, and synthetic people.

use crate::drive::os_input::InputMethod;
use crate::family::{Driver, Family, FamilyKind};

const fn family(
    name: &'static str,
    kind: FamilyKind,
    about: &'static str,
    input: InputMethod,
) -> Family {
    Family {
        name,
        kind,
        about,
        driver: Driver::SystemInput(input),
    }
}

/// Programs first, then populations.
pub(super) const FAMILIES: &[Family] = &[
    family(
        "os_linear",
        FamilyKind::OsInput,
        "a straight line at one speed",
        InputMethod::Linear,
    ),
    family(
        "os_bezier",
        FamilyKind::OsInput,
        "a Bezier curve at one speed",
        InputMethod::Bezier,
    ),
    family(
        "os_min_jerk",
        FamilyKind::OsInput,
        "a curve with minimum jerk, and noise",
        InputMethod::MinJerk,
    ),
    family(
        "os_pyautogui",
        FamilyKind::OsInput,
        "PyAutoGUI's own movement, eased out",
        InputMethod::PyAutoGui,
    ),
    family(
        "os_recorded",
        FamilyKind::OsInput,
        "one person's recorded movements with a jitter of 2 px, for every wallet",
        InputMethod::Recorded,
    ),
    family(
        "os_mirrored",
        FamilyKind::OsInput,
        "one person's recorded movements as they are, for every wallet",
        InputMethod::Mirrored,
    ),
    family(
        "people_mouse",
        FamilyKind::Population,
        "another recorded person's movements for each wallet",
        InputMethod::People,
    ),
    family(
        "people_small_window",
        FamilyKind::Population,
        "another recorded person's movements, in a window of 900 by 700",
        InputMethod::SmallWindow,
    ),
    family(
        "people_zoomed",
        FamilyKind::Population,
        "another recorded person's movements, on a screen of density 1.25",
        InputMethod::Zoomed,
    ),
    family(
        "keyboard_enter",
        FamilyKind::Population,
        "Tab and Enter",
        InputMethod::Enter,
    ),
    family(
        "keyboard_space",
        FamilyKind::Population,
        "Tab and Space",
        InputMethod::Space,
    ),
    family(
        "switch_like",
        FamilyKind::Population,
        "one key with long holds and pauses",
        InputMethod::Switch,
    ),
    family(
        "pointer_jump",
        FamilyKind::Population,
        "a pointing aid that jumps to the target and clicks, no path",
        InputMethod::Jump,
    ),
    family(
        "assistive",
        FamilyKind::Population,
        "the default action through the accessibility bus, no input",
        InputMethod::Assistive,
    ),
];
