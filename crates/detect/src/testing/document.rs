//! Documents of a window in Chromium on Linux.

use serde_json::{Value, json};
use voight_domain::check::TargetPosition;

pub(crate) const UA: &str = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
/// Agent string of Chromium on Windows.
pub(crate) const WINDOWS: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
/// Stage, in hundredths of a pixel: left, top, width, height.
const STAGE: [i64; 4] = [1600, 10_000, 40_000, 30_000];

pub(super) fn layout(role: &str, place: TargetPosition, t: i64) -> Value {
    let [left, top, width, height] = STAGE;
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "small numbers of a test"
    )]
    let at = |start: i64, room: i64, fraction: f64| start + (room as f64 * fraction).round() as i64;
    let corner = (
        at(left, width - 12_000, place.x),
        at(top, height - 5_200, place.y),
    );
    json!([
        {"role": "stage", "t": t, "x": left, "y": top, "w": width, "h": height},
        {"role": role, "t": t, "x": corner.0, "y": corner.1, "w": 12_000, "h": 5_200},
    ])
}

/// Returns the environment of Chromium on Linux.
pub(crate) fn env() -> Value {
    let brands = json!([["Not:A-Brand", "8"], ["Chromium", "156"]]);
    let copy = json!({"ua": UA, "platform": "Linux x86_64", "languages": ["en-US", "en"], "timeZone": "UTC",
        "hardwareConcurrency": 2, "webdriver": false});
    json!({
        "ua": UA, "platform": "Linux x86_64", "vendor": "Google Inc.", "timeZone": "UTC", "languages": ["en-US", "en"],
        "hints": {"brands": brands, "mobile": false, "platform": "Linux", "platformVersion": "", "architecture": "x86",
            "bitness": "64", "model": "", "fullVersions": [["Chromium", "156.0.8078.79"]], "wow64": false},
        "hardwareConcurrency": 2, "deviceMemory": 8, "maxTouchPoints": 0, "timeZoneOffset": 0,
        "screen": {"w": 1920, "h": 1080, "availW": 1920, "availH": 1080, "depth": 24},
        "outer": {"w": 1280, "h": 900}, "inner": {"w": 432, "h": 560}, "position": {"x": 300, "y": 55},
        "devicePixelRatio": 1, "viewport": {"w": 432, "h": 560, "scale": 1, "left": 0, "top": 0},
        "media": {"hover": true, "anyHover": true, "pointer": "fine", "anyPointer": "fine"},
        "webdriver": {"value": false, "own": false, "inPrototype": true},
        "native": {"checked": 41, "failed": []},
        "engine": {"errorShape": "v8", "nullError": "Cannot read properties of null (reading 'x')", "evalLength": 33,
            "features": ["chrome", "SharedWorker", "TouchEvent", "Notification", "NavigatorUAData", "structuredClone",
                "MediaSession", "onpointerrawupdate", "ScrollTimeline"]},
        "worker": copy, "frame": copy,
        "atLoad": probe(),
    })
}

pub(super) fn probe() -> Value {
    json!({"globals": [], "documentKeys": [], "debugger": {"prepare": 0, "name": 1}, "stacks": []})
}

pub(super) fn headers() -> Vec<(String, String)> {
    let pairs = [
        ("user-agent", UA),
        ("accept-language", "en-US,en;q=0.9"),
        ("origin", "https://check.example"),
        (
            "sec-ch-ua",
            "\"Not:A-Brand\";v=\"8\", \"Chromium\";v=\"156\"",
        ),
        ("sec-ch-ua-mobile", "?0"),
        ("sec-ch-ua-platform", "\"Linux\""),
        ("sec-fetch-site", "same-origin"),
        ("sec-fetch-mode", "cors"),
        ("sec-fetch-dest", "empty"),
    ];
    pairs
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}
