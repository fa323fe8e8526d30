//! Merges the configuration layers and collects all problems.

use super::Config;
use super::environment::variable_problems;
use super::key::{is_within, with_index};
use super::layer::{ConfigLayer, Flag, Source};
use super::line_index::{LineIndex, find_syntax_errors};
use super::located::{ConfigErrors, LocatedDiagnostic};
use super::merged::{ConfigEntry, Merged, describe_value};
use super::schema::keys;
use super::suggestion::closest_match;
use super::type_mismatch::{no_tables, type_mismatch};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Sources of a configuration.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConfigSources {
    /// Configuration file, if one was named.
    pub(crate) file: Option<PathBuf>,
    /// Environment variables.
    pub(crate) environment: HashMap<String, String>,
    /// Keys that flags set.
    pub(crate) flags: Vec<Flag>,
}

/// Valid configuration.
#[derive(Debug, Clone)]
pub(crate) struct Loaded {
    /// Values of all keys.
    pub(crate) config: Config,
    /// Every key with its source, sorted by key.
    pub(crate) entries: Vec<ConfigEntry>,
    /// Advisories: valid settings that an operator should know about.
    pub(crate) notes: Vec<LocatedDiagnostic>,
}

/// Loads the configuration, or returns all its problems.
pub(crate) fn load(inputs: ConfigSources) -> Result<Loaded, ConfigErrors> {
    let text = inputs.file.as_deref().map(read).transpose()?;
    load_text(inputs, text.as_deref())
}

/// Loads the configuration with `text` as the content of the file that `inputs` names.
pub(crate) fn load_text(inputs: ConfigSources, text: Option<&str>) -> Result<Loaded, ConfigErrors> {
    if let (Some(path), Some(text)) = (&inputs.file, text) {
        syntax_errors(path, text)?;
    }
    let variable_problems = variable_problems(&inputs.environment);
    let layers = layers(inputs, text).map_err(|problem| ConfigErrors(vec![problem]))?;
    let lines = text.map(LineIndex::parse).unwrap_or_default();
    let mut diagnostics = unknown_keys(&layers, &lines);
    diagnostics.extend(type_mismatches(&layers, &lines));
    diagnostics.extend(misplaced_tables(&layers, &lines));
    let (mut keys, mut wrong): (Vec<_>, Vec<_>) = diagnostics.into_iter().unzip();
    wrong.extend(variable_problems);
    let merged_layers = Merged::merge(&layers, &lines);
    let config = merged_layers.config(&mut keys, &mut wrong);
    wrong.extend(merged_layers.locate(merged_layers.independent(config.validate(), &keys)));
    if wrong.is_empty() {
        Ok(Loaded {
            notes: merged_layers.locate(config.advisories()),
            config,
            entries: merged_layers.entries(),
        })
    } else {
        Err(ConfigErrors::sorted(wrong))
    }
}

fn read(path: &Path) -> Result<String, ConfigErrors> {
    std::fs::read_to_string(path).map_err(|error| {
        let sentence = format!(
            "the configuration file {} cannot be read: {error}",
            path.display()
        );
        ConfigErrors(vec![LocatedDiagnostic::plain(sentence)])
    })
}

/// Fails with all syntax errors of a file.
fn syntax_errors(path: &Path, text: &str) -> Result<(), ConfigErrors> {
    let errors = find_syntax_errors(text);
    let message = |(line, what)| LocatedDiagnostic {
        message: format!("the file is not TOML: {what}"),
        line: Some(line),
        file: Some(path.to_owned()),
    };
    if errors.is_empty() {
        Ok(())
    } else {
        Err(ConfigErrors::sorted(
            errors.into_iter().map(message).collect(),
        ))
    }
}

fn layers(
    inputs: ConfigSources,
    text: Option<&str>,
) -> Result<Vec<ConfigLayer>, LocatedDiagnostic> {
    let mut layers = vec![ConfigLayer::defaults()];
    if let (Some(path), Some(text)) = (inputs.file, text) {
        let layer = ConfigLayer::file(&path, text).map_err(|error| LocatedDiagnostic {
            message: format!("the file is not TOML: {}", error.to_string().trim_end()),
            line: None,
            file: Some(path),
        })?;
        layers.push(layer);
    }
    layers.push(
        ConfigLayer::environment(inputs.environment)
            .map_err(|error| LocatedDiagnostic::plain(error.to_string()))?,
    );
    layers.push(ConfigLayer::flags(inputs.flags));
    Ok(layers)
}

/// Returns the layers that an operator sets.
fn set_layers(layers: &[ConfigLayer]) -> impl Iterator<Item = &ConfigLayer> {
    layers
        .iter()
        .filter(|layer| layer.source != Source::Default)
}

/// Returns the unknown keys, each with its diagnostic.
fn unknown_keys(layers: &[ConfigLayer], lines: &LineIndex) -> Vec<(String, LocatedDiagnostic)> {
    let known_keys = keys();
    let mut wrong = Vec::new();
    for ConfigLayer { source, values, .. } in set_layers(layers) {
        for given_key in values.keys() {
            let key = with_index(given_key, "");
            let hint = match known_keys.keys().find(|known_key| is_part(&key, known_key)) {
                Some(known_keys)
                    if known_keys.contains('[') && !matches!(source, Source::File(_)) =>
                {
                    "a list of tables is set in a file only".to_owned()
                }
                Some(_) => continue,
                None if known_keys
                    .keys()
                    .any(|known_key| is_within(known_key, &key)) =>
                {
                    format!("{key} is a table: write [{key}], and its keys below")
                }
                None => did_you_mean(&key, source, known_keys.keys().map(String::as_str)),
            };
            let sentence = format!(
                "there is no configuration key {}; {hint}",
                source.key_name(&key)
            );
            wrong.push((
                given_key.clone(),
                LocatedDiagnostic::at_key(source, given_key, lines, sentence),
            ));
        }
    }
    wrong
}

/// Returns `true` if `key` is `known_key`, the list of tables that contains it, or an element of that list.
fn is_part(key: &str, known_key: &str) -> bool {
    known_key.strip_prefix(key).is_some_and(|suffix| {
        suffix.is_empty()
            || suffix.starts_with('[')
            || (key.ends_with(']') && suffix.starts_with('.'))
    })
}

fn did_you_mean<'a>(key: &str, source: &Source, known: impl Iterator<Item = &'a str>) -> String {
    match closest_match(key, known) {
        Some(known) if *source == Source::Environment => {
            format!("did you mean {} ({known})?", source.key_name(known))
        }
        Some(known) => format!("did you mean {known}?"),
        None => "`voight config init` prints every key with its meaning".to_owned(),
    }
}

/// Returns tables without keys that are unknown or replace a value, each with its diagnostic.
fn misplaced_tables(layers: &[ConfigLayer], lines: &LineIndex) -> Vec<(String, LocatedDiagnostic)> {
    let known_keys = keys();
    let mut wrong = Vec::new();
    for ConfigLayer {
        source,
        empty_tables,
        ..
    } in set_layers(layers)
    {
        for given_key in empty_tables {
            let key = with_index(given_key, "");
            let sentence = if known_keys.contains_key(&key) {
                format!(
                    "{} cannot be a table: a value was expected",
                    source.key_name(&key)
                )
            } else if known_keys
                .keys()
                .any(|known_key| is_within(known_key, &key))
            {
                continue;
            } else {
                let tables: BTreeSet<_> = known_keys
                    .keys()
                    .filter_map(|key| key.split('.').next())
                    .collect();
                let hint = did_you_mean(
                    &key,
                    source,
                    tables
                        .into_iter()
                        .chain(known_keys.keys().map(String::as_str)),
                );
                format!(
                    "there is no configuration table {}; {hint}",
                    source.key_name(&key)
                )
            };
            wrong.push((
                given_key.clone(),
                LocatedDiagnostic::at_key(source, given_key, lines, sentence),
            ));
        }
    }
    wrong
}

/// Returns keys whose values would be coerced silently, each with its diagnostic.
///
/// Examples are a number that would be rounded, or read as a boolean.
fn type_mismatches(layers: &[ConfigLayer], lines: &LineIndex) -> Vec<(String, LocatedDiagnostic)> {
    let known_keys = keys();
    let values = set_layers(layers).flat_map(|layer| {
        layer
            .values
            .iter()
            .map(|(key, value)| (&layer.source, key, value))
    });
    values
        .filter_map(|(source, key, value)| {
            let without_index = with_index(key, "");
            let reason = match known_keys.get(&without_index) {
                Some(known_keys) => type_mismatch(&value.kind, known_keys)?,
                None if known_keys
                    .keys()
                    .any(|known_key| is_part(&without_index, known_key)) =>
                {
                    no_tables(&value.kind)?
                }
                None => return None,
            };
            let sentence = format!(
                "{} cannot be {}: {reason}",
                source.key_name(key),
                describe_value(value)
            );
            Some((
                key.clone(),
                LocatedDiagnostic::at_key(source, key, lines, sentence),
            ))
        })
        .collect()
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
