//! Rows of the rule table. Weights of soft rules are set by hand, within their cap, until they are measured on people.

use super::builders::{hard, model_weight, shadow, soft};
use super::{
    CauseGroup, Rule, access, coordinates, debugger, declared, engine, environment, graphics,
    header, mouse,
};
use super::{
    keyboard, kinematics, move_delivery, other_pointer, screen, synthetic, system, timing,
    transport,
};

/// Returns every active rule, in the order of the cause groups.
pub fn rules() -> &'static [Rule] {
    &RULES
}

const CAUSE_TESTER: &str = "a developer who tests the page with a driver";
const CAUSE_DEVTOOLS: &str = "a visitor with developer tools open";
const CAUSE_PRIVACY_EXTENSION: &str =
    "an extension that changes the agent string, or hides its owner from trackers";
/// Values that developer tools can change as well.
const EMULATED: &str = "an extension that changes the agent string or hides its owner, developer tools that emulate a device";
const CAUSE_POINTING_AID: &str =
    "a pointing aid that jumps or snaps, a pad that taps, a remote desktop";
const CAUSE_PROXY: &str = "a proxy or guard that rewrites headers";

static RULES: [Rule; 40] = [
    hard(
        [
            "webdriver",
            "The browser says that it is driven.",
            "env.webdriver, env.worker, env.frame",
        ],
        CAUSE_TESTER,
        declared::webdriver,
    ),
    hard(
        [
            "headless_agent",
            "The browser calls itself headless.",
            "env.ua, env.hints, headers",
        ],
        CAUSE_TESTER,
        declared::headless_agent,
    ),
    hard(
        [
            "automation_globals",
            "A driver left its names in the window.",
            "env.atLoad, env.atSubmit",
        ],
        CAUSE_TESTER,
        declared::automation_globals,
    ),
    soft(
        [
            "driver_stack",
            "A driver's script touched the document.",
            "stacks in env.atLoad, env.atSubmit",
        ],
        CauseGroup::DeclaredAutomation,
        CAUSE_TESTER,
        2000,
        declared::driver_stack,
    ),
    soft(
        [
            "tool_agent",
            "A program other than a browser made the calls.",
            "headers",
        ],
        CauseGroup::DeclaredAutomation,
        "a guard that names itself in place of the browser",
        2000,
        declared::tool_agent,
    ),
    shadow(
        [
            "suspect_globals",
            "The window has names like a driver's.",
            "globals in env.atLoad, env.atSubmit",
        ],
        CauseGroup::DeclaredAutomation,
        "a library or wallet with a name like a driver's",
        declared::suspect_globals,
    ),
    soft(
        [
            "debugger_attached",
            "Something reads the console.",
            "debugger in env.atLoad, env.atSubmit; V8",
        ],
        CauseGroup::DeveloperTools,
        CAUSE_DEVTOOLS,
        2000,
        debugger::debugger_attached,
    ),
    soft(
        [
            "nameless_caller",
            "A script without an address touched the document.",
            "stacks in env.atLoad, env.atSubmit",
        ],
        CauseGroup::DeveloperTools,
        CAUSE_DEVTOOLS,
        1000,
        access::nameless_caller,
    ),
    soft(
        [
            "event_time_grid",
            "Events do not keep the display server's grid of times.",
            "4 events of mouse or keys, the window's place; X server, Chromium",
        ],
        CauseGroup::EventTimeGrid,
        "a display server with another clock",
        2000,
        timing::event_time_grid,
    ),
    shadow(
        [
            "dated_ahead",
            "An event is dated after it was handled.",
            "trusted pointer events",
        ],
        CauseGroup::EventTimeGrid,
        "a clock that is set while the page is used",
        timing::dated_ahead,
    ),
    shadow(
        [
            "foreign_grid",
            "Events keep the grid of an X server where none is.",
            "20 events of mouse or keys; Windows or macOS, Chromium",
        ],
        CauseGroup::EventTimeGrid,
        "a system that dates its events by whole milliseconds, which has not been measured",
        system::foreign_grid,
    ),
    soft(
        [
            "never_coalesced",
            "Every move came alone.",
            "20 mouse moves, coalesced and raw counts",
        ],
        CauseGroup::Coalescing,
        "a screen as fast as the mouse, a 60 Hz pad",
        1000,
        move_delivery::never_coalesced,
    )
    .with_other_groups(&[CauseGroup::TeleportOrZeroHold]),
    shadow(
        [
            "late_dispatch",
            "Moves waited for frames before they were handled.",
            "20 mouse moves",
        ],
        CauseGroup::Coalescing,
        "a busy machine",
        move_delivery::late_dispatch,
    ),
    soft(
        [
            "zero_pressure",
            "A mouse went down without pressure.",
            "a mouse press; Chromium",
        ],
        CauseGroup::Pressure,
        "a device whose driver reports no pressure",
        2000,
        mouse::zero_pressure,
    ),
    soft(
        [
            "fractional_coordinates",
            "A mouse was between device pixels.",
            "5 mouse positions, density, the window's place; X server or Windows",
        ],
        CauseGroup::FractionalCoordinates,
        "a page that is scaled while it is used",
        2000,
        coordinates::fractional_coordinates,
    ),
    soft(
        [
            "teleport",
            "The pointer leapt to its press.",
            "a mouse press and another position",
        ],
        CauseGroup::TeleportOrZeroHold,
        CAUSE_POINTING_AID,
        2000,
        mouse::teleport,
    ),
    soft(
        ["zero_hold", "A press was not held.", "a mouse press"],
        CauseGroup::TeleportOrZeroHold,
        CAUSE_POINTING_AID,
        1500,
        mouse::zero_hold,
    ),
    soft(
        [
            "exact_centre",
            "Every press was on the centre of its target.",
            "mouse presses, layout",
        ],
        CauseGroup::TeleportOrZeroHold,
        CAUSE_POINTING_AID,
        1000,
        mouse::exact_centre,
    ),
    soft(
        [
            "other_pointer_moved",
            "Another pointer moved than the one that pressed.",
            "a press of a mouse or pen, moves of another type",
        ],
        CauseGroup::TeleportOrZeroHold,
        "a pen that is not felt above its screen, taken up after a mouse; a driver that tells a pen's moves as a mouse's",
        2000,
        other_pointer::other_pointer_moved,
    ),
    soft(
        [
            "other_in_copy",
            "A worker or frame contradicts the page.",
            "env.worker or env.frame",
        ],
        CauseGroup::EnvironmentMismatch,
        EMULATED,
        2000,
        environment::other_in_copy,
    )
    .with_other_groups(&[CauseGroup::DeveloperTools]),
    soft(
        [
            "other_graphics",
            "Page, frame and worker draw with other graphics.",
            "two of env, env.frame, env.worker",
        ],
        CauseGroup::EnvironmentMismatch,
        CAUSE_PRIVACY_EXTENSION,
        2000,
        graphics::other_graphics,
    ),
    soft(
        [
            "other_system",
            "Agent string, hints, platform and graphics contradict each other.",
            "env.ua; env.hints, env.platform or graphics",
        ],
        CauseGroup::EnvironmentMismatch,
        EMULATED,
        2000,
        system::other_system,
    )
    .with_other_groups(&[CauseGroup::DeveloperTools]),
    soft(
        [
            "other_version",
            "Agent string and hints name different versions.",
            "env.ua, env.hints",
        ],
        CauseGroup::EnvironmentMismatch,
        EMULATED,
        1500,
        environment::other_version,
    )
    .with_other_groups(&[CauseGroup::DeveloperTools]),
    soft(
        [
            "other_in_header",
            "A header contradicts the page.",
            "env.ua, headers",
        ],
        CauseGroup::EnvironmentMismatch,
        "an extension, proxy or guard that changes the agent string or hides its owner",
        2000,
        header::other_in_header,
    )
    .with_other_groups(&[CauseGroup::Transport]),
    soft(
        [
            "foreign_engine",
            "The engine is not the one that is claimed.",
            "env.ua, env.engine",
        ],
        CauseGroup::EnvironmentMismatch,
        CAUSE_PRIVACY_EXTENSION,
        2000,
        engine::foreign_engine,
    ),
    soft(
        [
            "bare_window",
            "The window lacks what browsers have.",
            "features in env.engine",
        ],
        CauseGroup::EnvironmentMismatch,
        "a browser that was stripped of its features",
        1500,
        engine::bare_window,
    ),
    soft(
        [
            "replaced_natives",
            "Functions of the browser were replaced.",
            "env.native",
        ],
        CauseGroup::EnvironmentMismatch,
        CAUSE_PRIVACY_EXTENSION,
        1500,
        engine::replaced_natives,
    ),
    soft(
        [
            "redefined_webdriver",
            "navigator.webdriver was moved or removed.",
            "env.webdriver",
        ],
        CauseGroup::EnvironmentMismatch,
        CAUSE_PRIVACY_EXTENSION,
        2000,
        engine::redefined_webdriver,
    ),
    soft(
        [
            "no_pointing_device",
            "A mouse pressed where none is.",
            "env.media, a mouse press",
        ],
        CauseGroup::EnvironmentMismatch,
        "a remote desktop whose devices the browser does not know",
        1500,
        environment::no_pointing_device,
    )
    .with_other_groups(&[CauseGroup::TeleportOrZeroHold]),
    soft(
        [
            "no_touch_screen",
            "A finger pressed where no touch screen is.",
            "env.maxTouchPoints, a touch press",
        ],
        CauseGroup::EnvironmentMismatch,
        EMULATED,
        1500,
        screen::no_touch_screen,
    )
    .with_other_groups(&[CauseGroup::DeveloperTools]),
    soft(
        [
            "no_screen",
            "The screen or window has no size.",
            "env.screen; env.outer in Chromium",
        ],
        CauseGroup::EnvironmentMismatch,
        CAUSE_PRIVACY_EXTENSION,
        1500,
        screen::no_screen,
    ),
    soft(
        [
            "outsized_window",
            "The window is larger than its screen.",
            "env.screen, env.outer",
        ],
        CauseGroup::EnvironmentMismatch,
        "a window stretched over several screens, developer tools that emulate a device",
        1000,
        screen::outsized_window,
    )
    .with_other_groups(&[CauseGroup::DeveloperTools]),
    soft(
        [
            "keyboard_rhythm",
            "Keys came too evenly, too fast, or unheld.",
            "6 keys of one batch",
        ],
        CauseGroup::KeyboardRhythm,
        "software that types for the visitor",
        1500,
        keyboard::keyboard_rhythm,
    ),
    shadow(
        [
            "no_rollover",
            "Many quick keys never overlapped.",
            "14 keys of one batch",
        ],
        CauseGroup::KeyboardRhythm,
        "a visitor who types with one finger",
        keyboard::no_rollover,
    ),
    soft(
        ["untrusted_press", "A script pressed.", "a press"],
        CauseGroup::SyntheticEvents,
        "an extension that clicks for the visitor",
        2000,
        synthetic::untrusted_press,
    ),
    soft(
        [
            "miscounted",
            "The window counted fewer events than it sent.",
            "counts, pointer or keys",
        ],
        CauseGroup::SyntheticEvents,
        "an extension that swallows events",
        2000,
        synthetic::miscounted,
    ),
    model_weight(
        [
            "behaviour_model",
            "The pointer moves as machines do.",
            "two presses of a mouse, each with its way; no remote desktop",
        ],
        CauseGroup::Kinematics,
        "a hand that moves unlike those that were recorded",
        kinematics::behaviour_model,
    ),
    soft(
        [
            "foreign_fetch",
            "The call was not the window's own.",
            "Fetch-Metadata headers",
        ],
        CauseGroup::Transport,
        CAUSE_PROXY,
        2000,
        transport::foreign_fetch,
    ),
    soft(
        [
            "missing_headers",
            "Headers are missing that this browser sends.",
            "env.ua, headers",
        ],
        CauseGroup::Transport,
        CAUSE_PROXY,
        2000,
        transport::missing_headers,
    ),
    soft(
        [
            "missing_hints",
            "The call has no client hints, but the page has.",
            "env.ua, env.hints, headers",
        ],
        CauseGroup::Transport,
        "a proxy, guard or extension that changes the agent string and takes the hints away",
        2000,
        transport::missing_hints,
    )
    .with_other_groups(&[CauseGroup::EnvironmentMismatch]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use voight_domain::verdict::Nats;

    #[test]
    fn the_hard_list_is_closed() {
        let hard: Vec<_> = RULES
            .iter()
            .filter(|rule| rule.hard)
            .map(|rule| rule.name)
            .collect();
        assert_eq!(hard, ["webdriver", "headless_agent", "automation_globals"]);
        assert!(
            RULES
                .iter()
                .all(|rule| !rule.hard || rule.group == CauseGroup::DeclaredAutomation)
        );
    }

    #[test]
    fn soft_rules_keep_their_cap() {
        assert!(
            RULES
                .iter()
                .all(|rule| rule.weight <= rule.cap() && rule.weight > Nats::ZERO)
        );
        let names: HashSet<_> = RULES.iter().map(|rule| rule.name).collect();
        assert_eq!(names.len(), RULES.len());
        assert!(RULES.iter().all(|rule| !rule.meaning.is_empty()
            && !rule.required_evidence.is_empty()
            && !rule.benign_explanation.is_empty()));
    }
}
