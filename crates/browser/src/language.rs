//! Selects the language of the texts for a visitor.

use crate::asset::assets;

const FOLDER: &str = "window/v1/locales/";
/// Fallback for a visitor whose languages have no texts.
const OTHERWISE: &str = "en";
/// Subtags of Chinese in traditional characters, for which no texts exist.
const UNREAD: [&str; 4] = ["hant", "tw", "hk", "mo"];

/// Returns the tags of all languages, sorted: `ar`, `de`, …
fn languages() -> impl Iterator<Item = &'static str> {
    assets().filter_map(|asset| asset.path.strip_prefix(FOLDER)?.strip_suffix(".js"))
}

/// Returns the first of the requested language tags for which texts exist, or English if there is none. The tag is spelled as
/// in the file name. A regional tag matches the texts of its language (`de-AT` those of `de`, `pt` those of `pt-BR`).
/// `languages.js` implements the same rules in the page.
pub fn nearest<'a>(asked: impl IntoIterator<Item = &'a str>) -> &'static str {
    asked.into_iter().find_map(texts_for).unwrap_or(OTHERWISE)
}

fn texts_for(tag: &str) -> Option<&'static str> {
    let mut parts = tag.split('-');
    let primary = parts.next()?;
    let chinese = primary.eq_ignore_ascii_case("zh");
    if chinese
        && parts.any(|part| {
            UNREAD
                .iter()
                .any(|unread| part.eq_ignore_ascii_case(unread))
        })
    {
        return None;
    }
    languages().find(|language| {
        language
            .split('-')
            .next()
            .is_some_and(|own| own.eq_ignore_ascii_case(primary))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_has_the_texts_of_its_language() {
        for (asked, expected) in [
            ("de", "de"),
            ("de-AT", "de"),
            ("DE-at", "de"),
            ("pt", "pt-BR"),
            ("pt-PT", "pt-BR"),
            ("zh", "zh-CN"),
            ("zh-Hans-SG", "zh-CN"),
            ("zh-TW", "en"),
            ("zh-Hant", "en"),
            ("tlh", "en"),
            ("d", "en"),
            ("deu", "en"),
            ("", "en"),
            ("*", "en"),
            ("../de", "en"),
        ] {
            assert_eq!(nearest([asked]), expected, "{asked}");
        }
    }

    #[test]
    fn the_first_language_that_there_is_wins() {
        assert_eq!(nearest(["tlh", "zh-TW", "ja-JP", "fr"]), "ja");
        assert_eq!(nearest([]), "en");
    }

    #[test]
    fn page_and_service_have_the_same_languages() {
        let source = include_str!("../assets/sdk/languages.js");
        let known: Vec<_> = source
            .split("import('../locales/")
            .skip(1)
            .map(|rest| rest.split(".json").next().unwrap())
            .collect();
        assert_eq!(known, languages().collect::<Vec<_>>());
        let unread = source
            .split("TRADITIONAL_CHINESE = /^zh-(.*-)?(")
            .nth(1)
            .and_then(|rest| rest.split(')').next())
            .unwrap();
        assert_eq!(unread.split('|').collect::<Vec<_>>(), UNREAD);
    }
}
