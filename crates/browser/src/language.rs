//! Which of the languages that there are texts in a visitor reads.

use crate::asset::assets;

const FOLDER: &str = "window/v1/locales/";
/// What is answered to whoever reads none of the languages.
const OTHERWISE: &str = "en";
/// Chinese in other characters than those of our texts.
const UNREAD: [&str; 4] = ["hant", "tw", "hk", "mo"];

/// The tags of all languages, sorted: `ar`, `de`, …
fn languages() -> impl Iterator<Item = &'static str> {
    assets().filter_map(|asset| asset.path.strip_prefix(FOLDER)?.strip_suffix(".js"))
}

/// The first of the asked language tags that there are texts in, in the spelling of their file; English if there is none.
/// A region has the texts of its language (`de-AT` those of `de`, `pt` those of `pt-BR`). `languages.js` decides the same
/// in the page.
pub fn nearest<'a>(asked: impl IntoIterator<Item = &'a str>) -> &'static str {
    asked.into_iter().find_map(texts_for).unwrap_or(OTHERWISE)
}

fn texts_for(tag: &str) -> Option<&'static str> {
    let mut parts = tag.split('-');
    let primary = parts.next()?;
    let chinese = primary.eq_ignore_ascii_case("zh");
    if chinese && parts.any(|part| UNREAD.iter().any(|unread| part.eq_ignore_ascii_case(unread))) {
        return None;
    }
    languages().find(|language| language.split('-').next().is_some_and(|own| own.eq_ignore_ascii_case(primary)))
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
    fn the_page_knows_the_same_languages() {
        let source = include_str!("../assets/sdk/languages.js");
        let known: Vec<_> =
            source.split("import('../locales/").skip(1).map(|rest| rest.split(".json").next().unwrap()).collect();
        assert_eq!(known, languages().collect::<Vec<_>>());
        let unread = source.split("UNREAD = /^zh-(.*-)?(").nth(1).and_then(|rest| rest.split(')').next()).unwrap();
        assert_eq!(unread.split('|').collect::<Vec<_>>(), UNREAD);
    }
}
