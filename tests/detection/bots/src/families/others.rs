//! Families without a running browser.

use crate::family::{Driver, Family, FamilyKind, Script};

const fn family(
    name: &'static str,
    kind: FamilyKind,
    about: &'static str,
    file: &'static str,
    variant: &'static str,
    requirements: &'static [&'static str],
) -> Family {
    Family { name, kind, about, driver: Driver::Script(Script { file, variant, headed: false, requirements }) }
}

/// Emulators, requests, recordings and forged evidence.
pub(super) const FAMILIES: &[Family] = &[
    family(
        "jsdom",
        FamilyKind::Emulator,
        "the window's own modules in jsdom, element.click()",
        "emulator.mjs",
        "jsdom",
        &["jsdom"],
    ),
    family(
        "jsdom_dressed",
        FamilyKind::Emulator,
        "the window's own modules in jsdom, with a browser's agent string and forged pointer events",
        "emulator.mjs",
        "jsdom_dressed",
        &["jsdom"],
    ),
    family(
        "happy_dom",
        FamilyKind::Emulator,
        "the window's own modules in happy-dom, element.click()",
        "emulator.mjs",
        "happy_dom",
        &["happy-dom"],
    ),
    family(
        "happy_dom_dressed",
        FamilyKind::Emulator,
        "the window's own modules in happy-dom, with a browser's agent string and forged pointer events",
        "emulator.mjs",
        "happy_dom_dressed",
        &["happy-dom"],
    ),
    family("http_node", FamilyKind::Http, "fetch of Node.js, a straight path to each target", "http.mjs", "", &[]),
    family(
        "http_bare",
        FamilyKind::Http,
        "fetch of Node.js, the minimum that the schema requires",
        "http.mjs",
        "bare",
        &[],
    ),
    family("http_clicks", FamilyKind::Http, "fetch of Node.js, clicks without a pointer", "http.mjs", "clicks", &[]),
    family(
        "http_headers",
        FamilyKind::Http,
        "a straight path, with a browser's headers copied",
        "http.mjs",
        "headers",
        &[],
    ),
    family("http_python", FamilyKind::Http, "urllib of Python, a straight path", "http_python.py", "", &[]),
    family("http_curl", FamilyKind::Http, "curl, a straight path", "http_curl.sh", "", &[]),
    family(
        "replay_posted",
        FamilyKind::Replay,
        "a browser's batches posted again for another address",
        "replay.mjs",
        "",
        &["playwright-core"],
    ),
    family(
        "replay_same_check",
        FamilyKind::Replay,
        "a browser's batches posted again to their own check",
        "replay.mjs",
        "same",
        &["playwright-core"],
    ),
    family(
        "replay_moved",
        FamilyKind::Replay,
        "a browser's batches, moved to the new targets",
        "replay.mjs",
        "moved",
        &["playwright-core"],
    ),
    family(
        "forger",
        FamilyKind::Forger,
        "evidence forged by a model of people, with a browser's headers",
        "forger.mjs",
        "",
        &[],
    ),
    family(
        "forger_pen",
        FamilyKind::Forger,
        "evidence forged by a model of people: a pen presses after a mouse moved",
        "forger.mjs",
        "pen",
        &[],
    ),
];
