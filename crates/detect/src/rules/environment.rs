//! One browser that says different things in different places.

use super::declared::shortened;
use crate::facts::{Facts, System};
use crate::wire::{Copied, Env, Pointing, Text};

/// A worker or nested frame knows another agent, platform, language or time zone than the page.
pub(super) fn other_in_copy(facts: &Facts) -> Option<String> {
    facts.copies().find_map(|copy| differing(&facts.env, copy))
}

fn differing(env: &Env, copy: &Copied) -> Option<String> {
    let other = |name: &str, page: Option<&str>, copy: Option<&str>| {
        let (page, copy) = page.zip(copy)?;
        let texts = (shortened(page), shortened(copy));
        (page != copy)
            .then(|| format!("the {name} is {:?} in the page and {:?} in a worker or frame", texts.0, texts.1))
    };
    let page_language = env.languages.as_deref().and_then(first_text);
    let copy_language = copy.languages.as_deref().and_then(first_text);
    other("agent", env.ua.as_deref(), copy.ua.as_deref())
        .or_else(|| other("platform", env.platform.as_deref(), copy.platform.as_deref()))
        .or_else(|| other("language", page_language, copy_language))
        .or_else(|| other("time zone", env.time_zone.as_deref(), copy.time_zone.as_deref()))
}

fn first_text(list: &[Text<512>]) -> Option<&str> {
    list.first().map(|text| &**text)
}

/// A worker draws with other graphics than a nested frame.
pub(super) fn other_graphics(facts: &Facts) -> Option<String> {
    let drawn =
        |copy: &Option<Copied>| copy.as_ref().and_then(|copy| copy.webgl_renderer.as_deref()).map(str::to_owned);
    let (worker, frame) = (drawn(&facts.env.worker)?, drawn(&facts.env.frame)?);
    (worker != frame)
        .then(|| format!("a worker draws with {:?}, a frame with {:?}", shortened(&worker), shortened(&frame)))
}

/// The agent string contradicts the client hints or the platform.
pub(super) fn other_system(facts: &Facts) -> Option<String> {
    let claimed = System::of_agent(facts.ua())?;
    let hint = facts.env.hints.as_ref().and_then(|hints| hints.platform.as_deref());
    if let Some(hint) = hint.and_then(System::of_hint).filter(|hint| *hint != claimed) {
        return Some(format!("the agent string says {claimed:?}, the client hints {hint:?}"));
    }
    let platform = System::of_platform(facts.env.platform.as_deref()?)?;
    (!claimed.may_have_platform(platform))
        .then(|| format!("the agent string says {claimed:?}, the platform {platform:?}"))
}

/// The agent string has another version of Chromium than the client hints.
pub(super) fn other_version(facts: &Facts) -> Option<String> {
    let claimed = chromium_version(facts.ua())?;
    let brands = facts.env.hints.as_ref()?.brands.as_ref()?;
    let hinted = brands.iter().find(|brand| &*brand.name == "Chromium").map(|brand| brand.version.to_string())?;
    (hinted != claimed.to_string())
        .then(|| format!("the agent string says Chromium {claimed}, the client hints {:?}", shortened(&hinted)))
}

/// The major version of Chromium that an agent string names.
pub(super) fn chromium_version(ua: &str) -> Option<u32> {
    let (_, rest) = ua.split_once("Chrome/")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// A header says something else than the page.
pub(super) fn other_in_header(facts: &Facts) -> Option<String> {
    let hint = facts.env.hints.as_ref().and_then(|hints| hints.platform.as_deref());
    facts.calls.iter().find_map(|call| {
        let agent = call.get("user-agent").zip(facts.env.ua.as_deref());
        if let Some((sent, page)) = agent.filter(|(sent, page)| !starts_same(sent, page)) {
            return Some(format!(
                "the agent is {:?} in the page and {:?} in the header",
                shortened(page),
                shortened(sent)
            ));
        }
        let (sent, page) = call.get("sec-ch-ua-platform").zip(hint)?;
        let sent = sent.trim_matches('"');
        (sent != page).then(|| {
            format!("the platform hint is {:?} in the page and {:?} in the header", shortened(page), shortened(sent))
        })
    })
}

/// The page's agent string is cut at 512 characters.
fn starts_same(sent: &str, page: &str) -> bool {
    sent == page || (page.chars().count() == 512 && sent.starts_with(page))
}

/// A mouse pressed, but the browser knows of no pointing device.
pub(super) fn no_pointing_device(facts: &Facts) -> Option<String> {
    let none = facts.env.media.as_ref()?.any_pointer? == Pointing::None;
    (none && facts.mouse_presses().next().is_some()).then(|| "a mouse pressed where no pointing device is".to_owned())
}

#[cfg(test)]
mod tests {
    use crate::testing::{Draft, env};
    use serde_json::json;

    const RULES: [&str; 6] =
        ["other_in_copy", "other_graphics", "other_system", "other_version", "other_in_header", "no_pointing_device"];
    const WINDOWS: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

    #[test]
    fn one_browser_that_says_one_thing_trips_none() {
        for rule in RULES {
            assert_eq!(Draft::person().fires(rule), None, "{rule}");
            let mut missing = Draft::person();
            missing.first["env"] = json!({});
            missing.headers.clear();
            assert_eq!(missing.fires(rule), None, "{rule} without evidence");
        }
    }

    #[test]
    fn another_agent_in_a_worker_hint_platform_or_header_is_seen() {
        let mut draft = Draft::person();
        draft.first["env"]["ua"] = WINDOWS.into();
        for rule in ["other_in_copy", "other_system", "other_in_header"] {
            assert!(draft.fires(rule).is_some(), "{rule}");
        }
        draft.first["env"].as_object_mut().unwrap().remove("hints");
        assert!(draft.fires("other_system").is_some(), "by the platform alone");
        draft.headers[0].1 = WINDOWS.into();
        draft.headers[5].1 = "\"Windows\"".into();
        assert_eq!(draft.fires("other_in_header"), None);
    }

    #[test]
    fn one_worn_agent_is_one_group() {
        let mut draft = Draft::person();
        draft.first["env"]["ua"] = WINDOWS.into();
        let found = draft.assess();
        assert_eq!((found.groups, found.bot.as_milli()), (1, 2000));
    }

    #[test]
    fn other_languages_zones_graphics_and_versions_are_seen() {
        for (member, value) in [("languages", json!(["de"])), ("timeZone", json!("Asia/Tokyo"))] {
            let mut draft = Draft::person();
            draft.first["env"]["worker"][member] = value;
            assert!(draft.fires("other_in_copy").is_some(), "{member}");
        }
        let mut draft = Draft::person();
        draft.first["env"]["worker"]["webglRenderer"] = "SwiftShader".into();
        assert_eq!(draft.fires("other_graphics"), None, "a frame without graphics is missing");
        draft.first["env"]["frame"]["webglRenderer"] = "Intel Iris OpenGL Engine".into();
        assert!(draft.fires("other_graphics").is_some());
        draft.first["env"]["hints"]["brands"] = json!([["Chromium", "149"]]);
        assert!(draft.fires("other_version").is_some());
    }

    #[test]
    fn a_mouse_without_a_device_is_seen() {
        let mut draft = Draft::person();
        draft.first["env"]["media"]["anyPointer"] = "none".into();
        assert!(draft.fires("no_pointing_device").is_some());
        let mut keyboard = Draft::keyboard();
        keyboard.first["env"] = env();
        keyboard.first["env"]["media"]["anyPointer"] = "none".into();
        assert_eq!(keyboard.fires("no_pointing_device"), None);
    }
}
