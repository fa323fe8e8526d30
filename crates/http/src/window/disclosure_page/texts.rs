//! Texts of the page, by language.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Texts of the page in one language. A language file contains exactly these fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Texts {
    /// Text direction: `ltr` or `rtl`.
    pub(super) direction: String,
    pub(super) title: String,
    pub(super) why: String,
    pub(super) why_text: String,
    pub(super) result: String,
    pub(super) looked: String,
    pub(super) check: String,
    pub(super) check_text: String,
    pub(super) browser: String,
    pub(super) browser_text: String,
    pub(super) pointer: String,
    pub(super) pointer_text: String,
    pub(super) keys: String,
    pub(super) keys_text: String,
    pub(super) activity: String,
    pub(super) activity_text: String,
    pub(super) page: String,
    pub(super) page_text: String,
    pub(super) machine: String,
    pub(super) machine_text: String,
    pub(super) network: String,
    pub(super) network_text: String,
    pub(super) never: String,
    pub(super) never_keys: String,
    pub(super) never_page: String,
    pub(super) never_files: String,
    pub(super) never_wallet: String,
    pub(super) fair: String,
    pub(super) kept: String,
    /// Text before a number of days.
    pub(super) kept_days: String,
    pub(super) kept_test: String,
    pub(super) kept_more: String,
    pub(super) kept_browser: String,
    pub(super) responsible: String,
    /// Text before the name of the operator.
    pub(super) operator: String,
    /// Text before the contact of the operator.
    pub(super) contact: String,
    /// Text that is shown if neither operator nor contact is configured.
    pub(super) ask: String,
    pub(super) list: String,
}

macro_rules! files {
    ($($tag:literal)*) => {
        [$(($tag, include_str!(concat!("../../../locales/what-is-checked/", $tag, ".json"))),)*]
    };
}

const FILES: [(&str, &str); 13] = files! {
    "ar" "de" "en" "es" "fr" "id" "ja" "ko" "pt-BR" "ru" "tr" "vi" "zh-CN"
};

static TEXTS: LazyLock<BTreeMap<&str, Texts>> = LazyLock::new(|| {
    let tagged_texts = FILES
        .into_iter()
        .map(|(tag, text)| Some((tag, serde_json::from_str(text).ok()?)));
    tagged_texts.flatten().collect()
});

/// Returns the texts in the language of a tag that `voight_browser::nearest` returned. `None` is a bug.
pub(super) fn texts(tag: &str) -> Option<&'static Texts> {
    TEXTS.get(tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, Value};

    fn named(tag: &str) -> Map<String, Value> {
        serde_json::to_value(texts(tag).unwrap())
            .unwrap()
            .as_object()
            .unwrap()
            .clone()
    }

    #[test]
    fn every_language_of_the_window_has_all_texts() {
        for (tag, _) in FILES {
            assert_eq!(
                voight_browser::nearest([tag]),
                tag,
                "the window has no texts in {tag}"
            );
            assert!(
                texts(tag).is_some(),
                "{tag}.json has a missing, an unknown or a repeated key"
            );
        }
        let prefix = "window/v1/locales/";
        let window = voight_browser::assets()
            .filter_map(|asset| asset.path.strip_prefix(prefix)?.strip_suffix(".js"));
        assert_eq!(window.collect::<Vec<_>>(), FILES.map(|(tag, _)| tag));
    }

    #[test]
    fn no_text_is_empty_or_still_english() {
        let english = named("en");
        for (tag, _) in FILES.into_iter().filter(|(tag, _)| *tag != "en") {
            for (name, text) in named(tag)
                .into_iter()
                .filter(|(name, _)| name != "direction")
            {
                assert!(
                    !text.as_str().unwrap().trim().is_empty() && text != english[&name],
                    "{tag}: {name}"
                );
            }
        }
        assert_eq!(
            texts("ar").map(|texts| texts.direction.as_str()),
            Some("rtl")
        );
    }
}
