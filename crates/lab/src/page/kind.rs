//! What recorded families and tools are, for the rows of goals. One that is not listed here is in no row.

/// As their manuals say: automation, emulators of documents, requests without a browser.
pub(super) const VANILLA: [&str; 15] = [
    "jsdom",
    "http_replay",
    "pup_firefox_bidi_headless",
    "pup_headed",
    "pup_headed_steps",
    "pup_headless",
    "pw_evalclick",
    "pw_headed",
    "pw_headed_steps",
    "pw_headless",
    "pw_headless_fill",
    "pw_mobile_tap",
    "selenium_actions",
    "selenium_headed",
    "selenium_headless",
];

/// Made to look less like automation.
pub(super) const PATCHED: [&str; 11] = [
    "ghost_playwright",
    "ghost_puppeteer",
    "nodriver",
    "patchright_headed",
    "pup_stealth_headed",
    "pup_stealth_headless",
    "pw_headed_minjerk",
    "pydoll",
    "rebrowser_pw_headed",
    "sb_uc",
    "selenium_stealth",
];

/// Curves that a program draws by input of the system.
pub(super) const SYSTEM_CURVES: [&str; 7] =
    ["bezier_os", "linear_os", "tween_os", "os_bezier", "os_linear", "os_minjerk", "os_pyautogui"];

/// Tools that present what people did.
pub(super) const FROM_PEOPLE: [&str; 1] = ["replay_exact"];

/// Marks in the names of the zoo's families that are made to look less like automation.
const PATCHES: [&str; 10] =
    ["stealth", "patchright", "rebrowser", "ghost", "curves", "undetected", "_uc", "driver", "pydoll", "drission"];

/// Whether an automation family of the zoo is made to look less like automation.
pub(super) fn is_patched(name: &str) -> bool {
    name == "cdp_raw" || PATCHES.iter().any(|mark| name.contains(mark))
}
