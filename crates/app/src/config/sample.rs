//! Sample of a configuration file: every key with its default, commented out.

use super::key::member;
use super::schema::{ConfigKey, defaults, description, is_table, schema};
use serde_json::Value;
use std::fmt::Write;

/// Longest line of a comment, in characters.
const WIDTH: usize = 116;

const HEAD: &str = "\
# Configuration of Voight. Each key is commented out and has its default value.
#
# An environment variable (VOIGHT__SERVER__LISTEN for server.listen) overrides this file, and a command-line flag
# overrides both. `voight config check --config FILE` finds mistakes, `voight config show --config FILE` prints the
# effective values.
";

/// Returns a configuration file that has every key with its default in a comment. Lines of text start with `# `, keys with `#`.
pub(crate) fn sample() -> String {
    let mut text = HEAD.to_owned();
    table(&mut text, "", schema(), defaults());
    text
}

fn table(text: &mut String, name: &str, schema: &Value, defaults: &Value) {
    let properties = || schema["properties"].as_object().into_iter().flatten();
    for (key, schema) in properties().filter(|(_, schema)| !is_table(schema)) {
        text.push('\n');
        describe(text, schema);
        set(text, key, &defaults[key]);
    }
    // In TOML the keys of a table precede its tables.
    for (key, schema) in properties().filter(|(_, schema)| is_table(schema)) {
        let name = member(name, key);
        text.push('\n');
        comment(text, &description(schema));
        if let Some(elements) = defaults[key].as_array() {
            elements
                .iter()
                .enumerate()
                .for_each(|(index, values)| element(text, &name, index, &schema["items"], values));
        } else {
            let _ = writeln!(text, "[{name}]");
            table(text, &name, schema, &defaults[key]);
        }
    }
}

fn element(text: &mut String, name: &str, index: usize, schema: &Value, values: &Value) {
    let _ = writeln!(text, "#[[{name}]]");
    for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
        // The first element describes the keys of all.
        if index == 0 {
            describe(text, schema);
        }
        if let Some(value) = values.get(key) {
            set(text, key, value);
        }
    }
}

/// Adds the commented line of a key. JSON texts of texts, numbers and lists of them are TOML.
fn set(text: &mut String, key: &str, value: &Value) {
    let _ = writeln!(text, "#{key} = {value}");
}

fn describe(text: &mut String, schema: &Value) {
    let key = ConfigKey::new(schema);
    comment(text, &key.effect());
    let unit = key
        .unit()
        .map(|unit| format!(" Unit: {unit}."))
        .unwrap_or_default();
    comment(text, &format!("Type: {}.{unit}", key.accepted()));
    for (word, meaning) in key.choices() {
        comment(text, &format!("`{word}`: {meaning}"));
    }
}

/// Adds a paragraph, wrapped.
fn comment(text: &mut String, paragraph: &str) {
    let mut line = String::from("#");
    for word in paragraph.split(' ') {
        if line.len() > 1 && line.chars().count() + 1 + word.chars().count() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = String::from("#");
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::layer::Source;
    use super::super::schema::keys;
    use super::super::{Config, ConfigSources, Loaded, load_text};
    use super::*;
    use crate::config::key::with_index;
    use std::collections::BTreeSet;

    fn loaded(text: &str) -> Loaded {
        let inputs = ConfigSources {
            file: Some("voight.toml".into()),
            ..ConfigSources::default()
        };
        load_text(inputs, Some(text)).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"))
    }

    /// Returns the sample with every key in force.
    pub(in crate::config) fn uncommented() -> String {
        let line = |line: &str| match line.strip_prefix('#') {
            Some(key) if key.starts_with(|c: char| c != ' ') => format!("{key}\n"),
            _ => format!("{line}\n"),
        };
        sample().lines().map(line).collect()
    }

    #[test]
    fn the_sample_changes_nothing() {
        let Loaded {
            config, entries, ..
        } = loaded(&sample());
        assert_eq!(config, Config::default());
        assert!(entries.iter().all(|entry| entry.source == Source::Default));
    }

    #[test]
    fn the_sample_without_its_comment_signs_sets_every_key_to_its_default() {
        let Loaded {
            config, entries, ..
        } = loaded(&uncommented());
        assert_eq!(config, Config::default());
        assert!(
            entries
                .iter()
                .all(|entry| matches!(entry.source, Source::File(_))),
            "{entries:?}"
        );
        let sample_keys: BTreeSet<_> = entries
            .iter()
            .map(|entry| with_index(&entry.key, ""))
            .collect();
        assert_eq!(sample_keys, keys().keys().cloned().collect());
    }

    #[test]
    fn comments_are_wrapped() {
        let text = sample();
        let is_long = |line: &&str| line.starts_with("# ") && line.chars().count() > WIDTH;
        assert_eq!(text.lines().find(is_long), None);
    }
}
