//! Environment of a plain browser, as recorded: Chromium on Linux, without a driver.

use serde_json::{Value, json};

const UA: &str = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

/// Returns the document's environment, with a probe at load.
pub(crate) fn environment() -> Value {
    let brands = json!([["Not:A-Brand", "8"], ["Chromium", "156"]]);
    let copy = json!({"ua": UA, "platform": "Linux x86_64", "languages": ["en-US", "en"], "timeZone": "UTC",
        "hardwareConcurrency": 2});
    json!({
        "ua": UA, "platform": "Linux x86_64", "vendor": "Google Inc.", "timeZone": "UTC", "languages": ["en-US", "en"],
        "hints": {"brands": brands, "mobile": false, "platform": "Linux", "platformVersion": "", "architecture": "x86",
            "bitness": "64", "model": "", "fullVersions": [["Chromium", "156.0.8078.79"]], "wow64": false},
        "hardwareConcurrency": 2, "deviceMemory": 16, "maxTouchPoints": 0, "timeZoneOffset": 0,
        "screen": {"w": 1920, "h": 1080, "availW": 1920, "availH": 1080, "depth": 24},
        "outer": {"w": 1280, "h": 900}, "inner": {"w": 480, "h": 380}, "position": {"x": 238, "y": 22},
        "devicePixelRatio": 1, "viewport": {"w": 465, "h": 380, "scale": 1, "left": 0, "top": 0},
        "media": {"hover": true, "anyHover": true, "pointer": "fine", "anyPointer": "fine"},
        "webdriver": {"value": false, "own": false, "inPrototype": true},
        "engine": {"errorShape": "v8", "evalLength": 33},
        "worker": copy, "frame": copy,
        "atLoad": probe(),
    })
}

/// Returns a probe that finds no driver.
pub(crate) fn probe() -> Value {
    json!({"globals": [], "documentKeys": [], "debugger": {"prepare": 0, "name": 1}, "stacks": []})
}

/// Returns the headers of its calls.
pub(crate) fn headers() -> Vec<(String, String)> {
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
