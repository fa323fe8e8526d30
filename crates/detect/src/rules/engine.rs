//! The engine that the agent string claims, against the engine that runs.

use super::declared::shortened;
use crate::facts::Facts;
use crate::wire::ErrorShape;

/// The engine of an agent string; `None` for agents that we do not know.
///
/// Everything on Apple's phones and tablets runs in their own engine, whatever it calls itself.
fn claimed(ua: &str) -> Option<ErrorShape> {
    let has = |name: &str| ua.contains(name);
    if ["iPhone", "iPad", "iPod", "CriOS/", "FxiOS/", "EdgiOS/"].into_iter().any(has) {
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

/// Errors or the length of `eval` are those of another engine than the one that the agent string claims.
pub(super) fn foreign_engine(facts: &Facts) -> Option<String> {
    let claimed = claimed(facts.ua())?;
    let engine = facts.env.engine.as_ref()?;
    let shape = engine.error_shape.filter(|shape| *shape != ErrorShape::Other && *shape != claimed);
    let length = if claimed == ErrorShape::V8 { 33 } else { 37 };
    let odd_length = engine.eval_length.filter(|found| *found != length);
    match (shape, odd_length) {
        (Some(shape), _) => Some(format!("{:?} has the errors of {shape:?}", shortened(facts.ua()))),
        (None, Some(found)) => Some(format!("the text of eval has {found} characters, not {length}")),
        (None, None) => None,
    }
}

/// Functions of the browser were replaced.
pub(super) fn replaced_natives(facts: &Facts) -> Option<String> {
    let failed = facts.envs().filter_map(|env| env.native.as_ref()).filter_map(|native| native.failed.as_ref());
    let names: Vec<&str> = failed.flat_map(|list| list.iter().map(|name| &**name)).collect();
    let first = names.first()?;
    Some(format!("{} native functions do not look native, {:?} among them", names.len(), shortened(first)))
}

/// `navigator.webdriver` was moved or removed.
pub(super) fn redefined_webdriver(facts: &Facts) -> Option<String> {
    let found = facts.env.webdriver.as_ref()?;
    let removed = found.in_prototype == Some(false) && facts.is_chromium();
    (found.own == Some(true) || removed).then(|| "navigator.webdriver is not where browsers have it".to_owned())
}

#[cfg(test)]
mod tests {
    use crate::testing::Draft;
    use serde_json::json;

    #[test]
    fn browsers_are_what_they_claim() {
        assert_eq!(Draft::person().fires("foreign_engine"), None);
        let agents = [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "spidermonkey", 37),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/156.0 Mobile Safari/604.1", "jsc", 37),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1.15", "jsc", 37),
            ("Something/1.0", "other", 12),
        ];
        for (ua, shape, length) in agents {
            let mut draft = Draft::person();
            draft.first["env"]["ua"] = ua.into();
            draft.first["env"]["engine"] = json!({"errorShape": shape, "evalLength": length});
            assert_eq!(draft.fires("foreign_engine"), None, "{ua}");
        }
    }

    #[test]
    fn another_engine_is_seen_and_a_missing_one_is_missing() {
        for (member, value) in [("errorShape", json!("spidermonkey")), ("evalLength", json!(37))] {
            let mut draft = Draft::person();
            draft.first["env"]["engine"][member] = value;
            assert!(draft.fires("foreign_engine").is_some(), "{member}");
        }
        let mut draft = Draft::person();
        draft.first["env"]["engine"] = json!({});
        assert_eq!(draft.fires("foreign_engine"), None);
    }

    #[test]
    fn replaced_functions_are_seen() {
        assert_eq!(Draft::person().fires("replaced_natives"), None);
        let mut draft = Draft::person();
        draft.first["env"]["native"]["failed"] = json!(["MouseEvent.screenX"]);
        assert!(draft.fires("replaced_natives").is_some());
    }

    #[test]
    fn a_moved_webdriver_is_seen() {
        assert_eq!(Draft::person().fires("redefined_webdriver"), None);
        for (member, value) in [("own", true), ("inPrototype", false)] {
            let mut draft = Draft::person();
            draft.first["env"]["webdriver"][member] = value.into();
            assert!(draft.fires("redefined_webdriver").is_some(), "{member}");
        }
    }
}
