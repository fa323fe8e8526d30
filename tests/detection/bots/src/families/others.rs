//! Families without a running browser.

use super::automation::headless;
use crate::family::{Driver, Family, FamilyKind, Script};

const fn family(
    name: &'static str,
    kind: FamilyKind,
    about: &'static str,
    script: Script,
) -> Family {
    Family {
        name,
        kind,
        about,
        driver: Driver::Script(script),
    }
}

/// Emulators, requests, recordings and forged evidence.
pub(super) const FAMILIES: &[Family] = &[
    family(
        "jsdom",
        FamilyKind::Emulator,
        "the window's own modules in jsdom, element.click()",
        headless("emulator.mjs", "jsdom", &["jsdom"]),
    ),
    family(
        "jsdom_dressed",
        FamilyKind::Emulator,
        "the window's own modules in jsdom, with a browser's agent string and forged pointer events",
        headless("emulator.mjs", "jsdom_dressed", &["jsdom"]),
    ),
    family(
        "happy_dom",
        FamilyKind::Emulator,
        "the window's own modules in happy-dom, element.click()",
        headless("emulator.mjs", "happy_dom", &["happy-dom"]),
    ),
    family(
        "happy_dom_dressed",
        FamilyKind::Emulator,
        "the window's own modules in happy-dom, with a browser's agent string and forged pointer events",
        headless("emulator.mjs", "happy_dom_dressed", &["happy-dom"]),
    ),
    family(
        "http_node",
        FamilyKind::Http,
        "fetch of Node.js, a straight path to each target",
        headless("http.mjs", "", &[]),
    ),
    family(
        "http_bare",
        FamilyKind::Http,
        "fetch of Node.js, the minimum that the schema requires",
        headless("http.mjs", "bare", &[]),
    ),
    family(
        "http_clicks",
        FamilyKind::Http,
        "fetch of Node.js, clicks without a pointer",
        headless("http.mjs", "clicks", &[]),
    ),
    family(
        "http_headers",
        FamilyKind::Http,
        "a straight path, with a browser's headers copied",
        headless("http.mjs", "headers", &[]),
    ),
    family(
        "http_python",
        FamilyKind::Http,
        "urllib of Python, a straight path",
        headless("http_python.py", "", &[]),
    ),
    family(
        "http_curl",
        FamilyKind::Http,
        "curl, a straight path",
        headless("http_curl.sh", "", &[]),
    ),
    family(
        "replay_posted",
        FamilyKind::Replay,
        "a browser's batches posted again for another address",
        headless("replay.mjs", "", &["playwright-core"]),
    ),
    family(
        "replay_same_check",
        FamilyKind::Replay,
        "a browser's batches posted again to their own check",
        headless("replay.mjs", "same", &["playwright-core"]),
    ),
    family(
        "replay_moved",
        FamilyKind::Replay,
        "a browser's batches, moved to the new targets",
        headless("replay.mjs", "moved", &["playwright-core"]),
    ),
    family(
        "forger",
        FamilyKind::Forger,
        "evidence forged by a model of people, with a browser's headers",
        headless("forger.mjs", "", &[]),
    ),
    family(
        "forger_pen",
        FamilyKind::Forger,
        "evidence forged by a model of people: a pen presses after a mouse moved",
        headless("forger.mjs", "pen", &[]),
    ),
];
