//! Contradictions of one browser between contexts.

use super::declared::shortened;
use crate::evidence_schema::{BoundedList, BoundedText, Copied, Env, PointerAccuracy};
use crate::facts::CheckFacts;

/// Matches if a worker or nested frame reports another environment than the page.
///
/// Compared are agent, platform, time zone, languages and number of processors.
pub(super) fn other_in_copy(facts: &CheckFacts) -> Option<String> {
    facts.copies().find_map(|copy| differing(&facts.env, copy))
}

fn differing(env: &Env, copy: &Copied) -> Option<String> {
    let languages = |list: &Option<BoundedList<BoundedText<512>, 16>>| {
        let list = list.as_ref().filter(|list| !list.is_empty())?;
        Some(
            list.iter()
                .map(|text| &**text)
                .collect::<Vec<_>>()
                .join(","),
        )
    };
    let processors = |count: Option<f64>| count.map(|count| count.to_string());
    let text = |text: &Option<BoundedText<512>>| text.as_ref().map(ToString::to_string);
    let property_pairs = [
        ("agent", text(&env.ua), text(&copy.ua)),
        ("platform", text(&env.platform), text(&copy.platform)),
        (
            "list of languages",
            languages(&env.languages),
            languages(&copy.languages),
        ),
        ("time zone", text(&env.time_zone), text(&copy.time_zone)),
        (
            "number of processors",
            processors(env.hardware_concurrency),
            processors(copy.hardware_concurrency),
        ),
    ];
    let mut differing = property_pairs
        .into_iter()
        .filter_map(|(name, page, copy)| Some((name, page?, copy?)));
    let (name, page, copy) = differing.find(|(_, page, copy)| page != copy)?;
    Some(format!(
        "the {name} is {:?} in the page and {:?} in a worker or frame",
        shortened(&page),
        shortened(&copy)
    ))
}

/// Matches if the agent string has another version of Chromium than the client hints.
pub(super) fn other_version(facts: &CheckFacts) -> Option<String> {
    let agent_version = chromium_version(facts.ua())?;
    let brands = facts.env.hints.as_ref()?.brands.as_ref()?;
    let hint_version = brands
        .iter()
        .find(|brand| &*brand.name == "Chromium")
        .map(|brand| brand.version.to_string())?;
    (hint_version != agent_version.to_string()).then(|| {
        format!(
            "the agent string says Chromium {agent_version}, the client hints {:?}",
            shortened(&hint_version)
        )
    })
}

/// Returns the major version of Chromium that an agent string names.
pub(super) fn chromium_version(ua: &str) -> Option<u32> {
    let (_, rest) = ua.split_once("Chrome/")?;
    rest.split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

/// Matches if a mouse pressed, but the browser reports no pointing device.
pub(super) fn no_pointing_device(facts: &CheckFacts) -> Option<String> {
    let has_no_pointer = facts.env.media.as_ref()?.any_pointer? == PointerAccuracy::None;
    (has_no_pointer && facts.mouse_presses().next().is_some())
        .then(|| "a mouse pressed where no pointing device is".to_owned())
}

#[cfg(test)]
mod tests {
    use crate::testing::{CheckBuilder, WINDOWS, env};
    use serde_json::json;

    #[test]
    fn consistent_browser_triggers_no_rule() {
        for rule in ["other_in_copy", "other_version", "no_pointing_device"] {
            assert_eq!(CheckBuilder::person().fires(rule), None, "{rule}");
            let mut missing = CheckBuilder::person();
            missing.first["env"] = json!({});
            assert_eq!(missing.fires(rule), None, "{rule} without evidence");
        }
    }

    #[test]
    fn one_worn_agent_is_one_group() {
        let mut draft = CheckBuilder::person();
        draft.first["env"]["ua"] = WINDOWS.into();
        let assessment = draft.assess();
        assert_eq!((assessment.groups, assessment.bot.as_milli()), (1, 2000));
    }

    #[test]
    fn differing_worker_or_frame_is_reported() {
        for (member, value) in [
            ("ua", json!(WINDOWS)),
            ("platform", json!("Win32")),
            ("languages", json!(["en-US"])),
            ("timeZone", json!("Asia/Tokyo")),
            ("hardwareConcurrency", json!(16)),
        ] {
            for copy in ["worker", "frame"] {
                let mut draft = CheckBuilder::person();
                draft.first["env"][copy][member] = value.clone();
                assert!(draft.fires("other_in_copy").is_some(), "{member} in {copy}");
            }
        }
    }

    #[test]
    fn missing_worker_languages_are_innocent() {
        let mut draft = CheckBuilder::person();
        draft.first["env"]["worker"]["languages"] = json!([]);
        assert_eq!(draft.fires("other_in_copy"), None);
    }

    #[test]
    fn another_version_in_the_hints_is_seen() {
        let mut draft = CheckBuilder::person();
        draft.first["env"]["hints"]["brands"] = json!([["Chromium", "149"]]);
        assert!(draft.fires("other_version").is_some());
    }

    #[test]
    fn a_mouse_without_a_device_is_seen() {
        let mut draft = CheckBuilder::person();
        draft.first["env"]["media"]["anyPointer"] = "none".into();
        assert!(draft.fires("no_pointing_device").is_some());
        let mut keyboard = CheckBuilder::keyboard();
        keyboard.first["env"] = env();
        keyboard.first["env"]["media"]["anyPointer"] = "none".into();
        assert_eq!(keyboard.fires("no_pointing_device"), None);
    }
}
