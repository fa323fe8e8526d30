//! Texts of window and component. Every language has all texts with the placeholders of the English text, and every text is
//! used.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Texts by name: a string, or a string for each plural category of the language.
type Texts = BTreeMap<String, Value>;

/// Returns the files below a directory of the sources, each with its content.
fn sources(directory: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut below = vec![
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("assets")
            .join(directory),
    ];
    while let Some(directory) = below.pop() {
        for path in fs::read_dir(directory)
            .expect("a directory")
            .map(|entry| entry.expect("an entry").path())
        {
            if path.is_dir() {
                below.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("text");
                found.push((path, text));
            }
        }
    }
    found
}

fn all() -> BTreeMap<String, Texts> {
    let parse = |(path, text): (PathBuf, String)| {
        let tag = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        (tag, serde_json::from_str(&text).expect("an object"))
    };
    sources("locales").into_iter().map(parse).collect()
}

fn english() -> Texts {
    all().remove("en").expect("English")
}

/// Returns the forms of a text by plural category; a text without a number has the category `other`.
fn forms(text: &Value) -> Map<String, Value> {
    let single = || Map::from_iter([("other".to_owned(), text.clone())]);
    text.as_object().cloned().unwrap_or_else(single)
}

/// Returns the names of the placeholders in braces.
fn places(text: &Value) -> BTreeSet<&str> {
    let text = text.as_str().expect("a text");
    text.split('{')
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('}')?.0))
        .collect()
}

#[test]
fn there_are_thirteen_languages() {
    let tags: Vec<_> = all().into_keys().collect();
    assert_eq!(
        tags,
        [
            "ar", "de", "en", "es", "fr", "id", "ja", "ko", "pt-BR", "ru", "tr", "vi", "zh-CN"
        ]
    );
}

#[test]
fn every_language_has_the_texts_of_english() {
    let names: Vec<_> = english().into_keys().collect();
    for (tag, texts) in all() {
        assert_eq!(texts.into_keys().collect::<Vec<_>>(), names, "{tag}");
    }
}

#[test]
fn every_text_has_the_places_of_the_english_one() {
    for (tag, texts) in all() {
        for (name, english) in english() {
            let own = forms(&texts[&name]);
            let english = forms(&english);
            assert_eq!(
                places(&own["other"]),
                places(&english["other"]),
                "{tag} {name}"
            );
            // Arabic writes "two seconds" without a digit.
            for form in own.values() {
                assert!(
                    places(form).is_subset(&places(&english["other"])),
                    "{tag} {name}"
                );
            }
        }
    }
}

#[test]
fn a_text_has_plural_forms_where_it_shows_a_number() {
    for (tag, texts) in all() {
        for (name, text) in texts {
            let counts = places(&forms(&text)["other"]).contains("count");
            assert_eq!(text.is_object(), counts, "{tag} {name}");
        }
    }
}

#[test]
fn no_text_is_empty_or_only_english() {
    for (tag, texts) in all() {
        for (name, text) in &texts {
            assert!(
                forms(text)
                    .values()
                    .all(|form| !form.as_str().expect("a text").trim().is_empty()),
                "{tag} {name}"
            );
        }
        let english = english();
        let same: Vec<_> = texts
            .iter()
            .filter(|(name, text)| *name != "direction" && english[*name] == **text)
            .collect();
        assert!(tag == "en" || same.is_empty(), "{tag}: {same:?}");
    }
}

/// Verifies that each text is named by a quoted word: in the code that shows it, or as a code of the service's errors.
#[test]
fn every_text_is_shown_somewhere() {
    let code: String = ["sdk", "window"]
        .into_iter()
        .flat_map(sources)
        .map(|(_, text)| text)
        .collect();
    for name in english().into_keys() {
        let by_role = name
            .strip_suffix("Button")
            .map_or(name.as_str(), |role| role);
        let by_number = by_role.strip_suffix("_for").unwrap_or(by_role);
        assert!(
            code.contains(&format!("'{by_number}'")),
            "nothing shows {name}"
        );
    }
}

/// Verifies that no text of the window calls a visitor a bot, in any language.
#[test]
fn texts_never_mention_findings() {
    for (tag, texts) in all() {
        for text in texts
            .values()
            .flat_map(forms)
            .map(|(_, form)| form.to_string().to_lowercase())
        {
            let mut words = text.split(|c: char| !c.is_alphabetic());
            let named = words
                .any(|word| ["bot", "bots", "robot", "robots", "бот", "робот"].contains(&word));
            assert!(
                !named
                    && !["机器人", "ボット", "봇"]
                        .iter()
                        .any(|word| text.contains(word)),
                "{tag}: {text}"
            );
        }
    }
}
