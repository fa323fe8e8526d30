//! Comparison of the engine that the agent string claims with the engine that runs.

use super::declared::shortened;
use crate::evidence_schema::{Engine, ErrorShape};
use crate::facts::CheckFacts;

/// Error messages of engines for reading a property of null.
const NULL_ERRORS: [(&str, ErrorShape); 4] = [
    ("Cannot read properties of null", ErrorShape::V8),
    ("can't access property", ErrorShape::SpiderMonkey),
    ("null has no properties", ErrorShape::SpiderMonkey),
    ("null is not an object", ErrorShape::Jsc),
];
/// Features that only one engine has, in all releases that the window supports.
const FEATURES: [(&str, ErrorShape); 5] = [
    ("mozInnerScreenX", ErrorShape::SpiderMonkey),
    ("CSSMozDocumentRule", ErrorShape::SpiderMonkey),
    ("NavigatorUAData", ErrorShape::V8),
    ("ApplePaySession", ErrorShape::Jsc),
    ("safari", ErrorShape::Jsc),
];

/// Minimum number of features of a browser. The poorest known browsers have about eight, an emulated document
/// without a browser has two.
const MIN_FEATURES: usize = 4;

/// Returns the engine that an agent string claims; `None` for unknown agents.
///
/// All browsers on Apple's phones and tablets run in Apple's engine, whatever their name.
fn claimed(ua: &str) -> Option<ErrorShape> {
    let has = |name: &str| ua.contains(name);
    if ["iPhone", "iPad", "iPod", "CriOS/", "FxiOS/", "EdgiOS/"]
        .into_iter()
        .any(has)
    {
        return Some(ErrorShape::Jsc);
    }
    if has("Firefox/") && has("Gecko/") {
        return Some(ErrorShape::SpiderMonkey);
    }
    if has("Chrome/") {
        return Some(ErrorShape::V8);
    }
    (has("Version/") && has("Safari/") && !has("Android")).then_some(ErrorShape::Jsc)
}

/// Matches if errors, the length of `eval` or features belong to another engine than the claimed one.
pub(super) fn foreign_engine(facts: &CheckFacts) -> Option<String> {
    let claimed_engine = claimed(facts.ua())?;
    let (mark, engine) = engine_marks(facts.env.engine.as_ref()?)
        .into_iter()
        .find(|(_, may)| !may.contains(&claimed_engine))?;
    Some(format!(
        "{:?} has {mark} of {engine:?}",
        shortened(facts.ua())
    ))
}

/// Returns the marks of the engine, each with the engines that may have it.
fn engine_marks(engine: &Engine) -> Vec<(String, Vec<ErrorShape>)> {
    let shape = engine
        .error_shape
        .filter(|shape| *shape != ErrorShape::Other);
    let shape = shape.map(|shape| ("the stack".to_owned(), vec![shape]));
    let message = engine
        .null_error
        .as_deref()
        .and_then(|text| NULL_ERRORS.iter().find(|(part, _)| text.contains(part)));
    let message = message.map(|(_, engine)| ("the messages".to_owned(), vec![*engine]));
    let length = engine
        .eval_length
        .map(|length| (format!("an eval of {length} characters"), of_eval(length)));
    let names = engine.features.iter().flat_map(|list| list.iter());
    let features = names.filter_map(|name| FEATURES.iter().find(|(known, _)| **known == **name));
    let features = features.map(|(name, engine)| (format!("{name:?}"), vec![*engine]));
    shape
        .into_iter()
        .chain(message)
        .chain(length)
        .chain(features)
        .collect()
}

fn of_eval(length: i64) -> Vec<ErrorShape> {
    match length {
        33 => vec![ErrorShape::V8],
        37 => vec![ErrorShape::SpiderMonkey, ErrorShape::Jsc],
        _ => Vec::new(),
    }
}

/// Matches if the window has fewer than [`MIN_FEATURES`] of the features that browsers have.
pub(super) fn bare_window(facts: &CheckFacts) -> Option<String> {
    let feature_count = facts.env.engine.as_ref()?.features.as_ref()?.len();
    (feature_count < MIN_FEATURES)
        .then(|| format!("the window has {feature_count} of the features that were looked for"))
}

/// Matches if functions of the browser were replaced.
pub(super) fn replaced_natives(facts: &CheckFacts) -> Option<String> {
    let failed_natives = facts
        .envs()
        .filter_map(|env| env.native.as_ref())
        .filter_map(|native| native.failed.as_ref());
    let names: Vec<&str> = failed_natives
        .flat_map(|list| list.iter().map(|name| &**name))
        .collect();
    let first = names.first()?;
    Some(format!(
        "{} native functions do not look native, {:?} among them",
        names.len(),
        shortened(first)
    ))
}

/// Matches if `navigator.webdriver` was moved or removed.
pub(super) fn redefined_webdriver(facts: &CheckFacts) -> Option<String> {
    let webdriver = facts.env.webdriver.as_ref()?;
    let is_removed = webdriver.in_prototype == Some(false) && facts.is_chromium();
    (webdriver.own == Some(true) || is_removed)
        .then(|| "navigator.webdriver is not where browsers have it".to_owned())
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;
    use serde_json::json;

    #[test]
    fn engine_matches_the_user_agent() {
        assert_eq!(CheckBuilder::person().fires("foreign_engine"), None);
        let agents = [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0",
                "spidermonkey",
                37,
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/156.0 Mobile Safari/604.1",
                "jsc",
                37,
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1.15",
                "jsc",
                37,
            ),
            ("Something/1.0", "other", 12),
        ];
        for (ua, shape, length) in agents {
            let mut draft = CheckBuilder::person();
            draft.first["env"]["ua"] = ua.into();
            draft.first["env"]["engine"] = json!({"errorShape": shape, "evalLength": length});
            assert_eq!(draft.fires("foreign_engine"), None, "{ua}");
        }
    }

    #[test]
    fn foreign_engine_is_reported() {
        for (member, value) in [
            ("errorShape", json!("spidermonkey")),
            ("evalLength", json!(37)),
            ("evalLength", json!(36)),
            (
                "nullError",
                json!("null is not an object (evaluating 'null.x')"),
            ),
            ("features", json!(["TouchEvent", "CSSMozDocumentRule"])),
        ] {
            let mut draft = CheckBuilder::person();
            draft.first["env"]["engine"][member] = value;
            assert!(draft.fires("foreign_engine").is_some(), "{member}");
        }
        let mut draft = CheckBuilder::person();
        draft.first["env"]["engine"] = json!({});
        assert_eq!(draft.fires("foreign_engine"), None);
    }

    #[test]
    fn a_window_without_features_is_seen() {
        assert_eq!(CheckBuilder::person().fires("bare_window"), None);
        let mut draft = CheckBuilder::person();
        draft.first["env"]["engine"]["features"] = json!(["TouchEvent", "structuredClone"]);
        assert!(draft.fires("bare_window").is_some());
        draft.first["env"]["engine"] = json!({"errorShape": "v8"});
        assert_eq!(draft.fires("bare_window"), None);
    }

    #[test]
    fn replaced_functions_are_seen() {
        assert_eq!(CheckBuilder::person().fires("replaced_natives"), None);
        let mut draft = CheckBuilder::person();
        draft.first["env"]["native"]["failed"] = json!(["MouseEvent.screenX"]);
        assert!(draft.fires("replaced_natives").is_some());
    }

    #[test]
    fn a_moved_webdriver_is_seen() {
        assert_eq!(CheckBuilder::person().fires("redefined_webdriver"), None);
        for (member, value) in [("own", true), ("inPrototype", false)] {
            let mut draft = CheckBuilder::person();
            draft.first["env"]["webdriver"][member] = value.into();
            assert!(draft.fires("redefined_webdriver").is_some(), "{member}");
        }
    }
}
