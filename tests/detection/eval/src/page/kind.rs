//! Classification of recorded families and tools for the rows of goals. Unlisted families are in no row.

/// Families in their documented use: automation, emulated documents, requests without a browser.
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

/// Families that are modified to resemble automation less.
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

/// Synthetic curves that a program draws by system input.
pub(super) const SYSTEM_CURVES: [&str; 7] = [
    "bezier_os",
    "linear_os",
    "tween_os",
    "os_bezier",
    "os_linear",
    "os_minjerk",
    "os_pyautogui",
];

/// Tools that replay people's movements.
pub(super) const FROM_PEOPLE: [&str; 1] = ["replay_exact"];

/// Substrings in the names of bot corpus families that are modified to resemble automation less.
const PATCHES: [&str; 10] = [
    "stealth",
    "patchright",
    "rebrowser",
    "ghost",
    "curves",
    "undetected",
    "_uc",
    "driver",
    "pydoll",
    "drission",
];

/// Returns `true` if an automation family of the bot corpus is modified to resemble automation less.
pub(super) fn is_patched(name: &str) -> bool {
    name == "cdp_raw" || PATCHES.iter().any(|mark| name.contains(mark))
}
