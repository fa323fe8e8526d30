//! Merged layers: the effective values, and the keys with invalid values.

use super::diagnostic::Diagnostic;
use super::key::{is_within, with_index};
use super::layer::{ConfigLayer, Source};
use super::line_index::LineIndex;
use super::located::LocatedDiagnostic;
use super::reason::{error_cause, reason};
use super::store::{self, STORE_URL};
use super::{Config, Log};
use config::{ConfigError, Map, Value};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// Tables that are replaced as a whole: setting one key discards the defaults of the others.
const ATOMIC_TABLES: [&str; 1] = ["billing.price_book"];

/// Effective value with its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfigEntry {
    /// Dotted key.
    pub(crate) key: String,
    /// Value as text.
    pub(crate) value: String,
    /// Source of the value.
    pub(crate) source: Source,
}

/// Every key with its effective value and source.
pub(super) struct Merged<'a> {
    values: BTreeMap<String, (Value, Source)>,
    lines: &'a LineIndex,
}

impl<'a> Merged<'a> {
    pub(super) fn merge(layers: &[ConfigLayer], lines: &'a LineIndex) -> Self {
        let mut config = Self {
            values: BTreeMap::new(),
            lines,
        };
        for layer in layers {
            for (key, value) in &layer.values {
                config.set(key, value, &layer.source);
            }
        }
        config
    }

    fn set(&mut self, key: &str, value: &Value, source: &Source) {
        let atomic_table = ATOMIC_TABLES
            .into_iter()
            .find(|atomic_table| *source != Source::Default && is_within(key, atomic_table));
        if let Some(atomic_table) = atomic_table {
            self.values.retain(|other, (_, source)| {
                *source != Source::Default || !is_within(other, atomic_table)
            });
        }
        self.values
            .insert(key.to_owned(), (value.clone(), source.clone()));
    }

    /// Deserialises every section without the keys in `invalid_keys`. Keys with invalid values are left out as well, and are
    /// appended to `invalid_keys`.
    pub(super) fn config(
        &self,
        invalid_keys: &mut Vec<String>,
        errors: &mut Vec<LocatedDiagnostic>,
    ) -> Config {
        Config {
            server: self.section("server", invalid_keys, errors),
            store: self.section("store", invalid_keys, errors),
            limits: self.section("limits", invalid_keys, errors),
            allowance: self.section("allowance", invalid_keys, errors),
            billing: self.section("billing", invalid_keys, errors),
            checks: self.section("checks", invalid_keys, errors),
            evidence: self.section("evidence", invalid_keys, errors),
            operator: self.section("operator", invalid_keys, errors),
            console: self.section("console", invalid_keys, errors),
            outbound: self.section("outbound", invalid_keys, errors),
            log: self.section::<Log>("log", invalid_keys, errors),
        }
    }

    /// Keeps the diagnostics that do not follow from `invalid_keys`. In a section with invalid keys these are the ones about a
    /// key that is set and valid.
    pub(super) fn independent(
        &self,
        remarks: Vec<Diagnostic>,
        invalid_keys: &[String],
    ) -> Vec<Diagnostic> {
        let follows = |key: &str| {
            let section = key.split(['.', '[']).next().unwrap_or(key);
            let bad: Vec<_> = invalid_keys
                .iter()
                .filter(|bad| is_within(bad, section))
                .collect();
            let is_set = || {
                self.values
                    .iter()
                    .any(|(other, (_, source))| *source != Source::Default && is_within(other, key))
            };
            !bad.is_empty()
                && (bad
                    .iter()
                    .any(|bad| is_within(bad, key) || is_within(key, bad))
                    || !is_set())
        };
        remarks
            .into_iter()
            .filter(|remark| !follows(&remark.key))
            .collect()
    }

    /// Adds to each diagnostic the position of its key.
    pub(super) fn locate(&self, remarks: Vec<Diagnostic>) -> Vec<LocatedDiagnostic> {
        let locate = |Diagnostic {
                          key,
                          message: sentence,
                      }| {
            let (source, key) = self.source_of(&key);
            LocatedDiagnostic::at_key(source, key, self.lines, sentence)
        };
        remarks.into_iter().map(locate).collect()
    }

    /// Returns the source of `key`, or of its nearest table or element that is set, with that key.
    fn source_of<'k>(&self, key: &'k str) -> (&Source, &'k str) {
        match self.values.iter().find(|(other, _)| is_within(other, key)) {
            Some((_, (_, source))) => (source, key),
            None => key
                .rfind(['.', '['])
                .map_or((&Source::Default, key), |end| self.source_of(&key[..end])),
        }
    }

    fn section<T: DeserializeOwned + Default>(
        &self,
        name: &str,
        invalid_keys: &mut Vec<String>,
        errors: &mut Vec<LocatedDiagnostic>,
    ) -> T {
        let error = match self.read_section(name, invalid_keys) {
            Ok(section) => return section,
            Err(error) => error,
        };
        let (keys, culprits): (Vec<_>, Vec<_>) = self
            .invalid_values::<T>(name, invalid_keys)
            .into_iter()
            .unzip();
        if keys.is_empty() && !invalid_keys.iter().any(|key| is_within(key, name)) {
            errors.push(LocatedDiagnostic::plain(error_cause(&error)));
        }
        errors.extend(culprits);
        invalid_keys.extend(keys);
        self.read_section(name, invalid_keys).unwrap_or_else(|_| {
            // Further errors of the section may follow from the keys that are left out.
            invalid_keys.push(name.to_owned());
            T::default()
        })
    }

    /// Deserialises a section without `invalid_keys`.
    fn read_section<T: DeserializeOwned>(
        &self,
        name: &str,
        invalid_keys: &[String],
    ) -> Result<T, ConfigError> {
        let mut builder = config::Config::builder();
        for (key, (value, _)) in self.values.iter().filter(|(key, _)| is_within(key, name)) {
            if !invalid_keys.contains(key) {
                builder = builder.set_override(key, value.clone())?;
            } else if let Some(element) = self.emptied_element(key, invalid_keys) {
                builder =
                    builder.set_override(element, Value::from(Map::<String, Value>::new()))?;
            }
        }
        builder.build()?.get(name)
    }

    /// Returns the element of a list that has no other valid key than `key`. It still counts as an element.
    fn emptied_element<'k>(&self, key: &'k str, invalid_keys: &[String]) -> Option<&'k str> {
        let element = &key[..=key.rfind("].")?];
        let has_others = self
            .values
            .keys()
            .any(|set_key| is_within(set_key, element) && !invalid_keys.contains(set_key));
        (!has_others).then_some(element)
    }

    /// Returns the keys of a section with invalid values, each with its diagnostic.
    ///
    /// A value is invalid if it is rejected even when all other keys have their defaults.
    fn invalid_values<T: DeserializeOwned>(
        &self,
        name: &str,
        invalid_keys: &[String],
    ) -> Vec<(String, LocatedDiagnostic)> {
        let configured_values = self
            .values
            .iter()
            .filter(|(key, (_, source))| *source != Source::Default && is_within(key, name));
        let alone = configured_values
            .filter(|(key, _)| !invalid_keys.contains(key))
            .filter_map(|(key, (value, source))| {
                let error = alone(key, value)
                    .and_then(|config| config.get::<T>(name))
                    .err()?;
                let key_name = source.key_name(key);
                let sentence = format!(
                    "{key_name} cannot be {:?}: {}",
                    describe_value(value),
                    reason(key, &error)
                );
                Some((
                    key.clone(),
                    LocatedDiagnostic::at_key(source, key, self.lines, sentence),
                ))
            });
        alone.collect()
    }

    pub(super) fn entries(self) -> Vec<ConfigEntry> {
        let entry = |(key, (value, source)): (String, (Value, Source))| {
            let value = describe_value(&value);
            let value = if key == STORE_URL {
                store::shown_url(value)
            } else {
                value
            };
            ConfigEntry { key, value, source }
        };
        self.values.into_iter().map(entry).collect()
    }
}

/// Returns a configuration of one value; a value in a list element is set in the first element.
fn alone(key: &str, value: &Value) -> Result<config::Config, ConfigError> {
    config::Config::builder()
        .set_override(with_index(key, "0"), value.clone())?
        .build()
}

/// Formats a value as text; lists with commas, as in the environment.
pub(super) fn describe_value(value: &Value) -> String {
    match value.clone().into_array() {
        Ok(items) => items
            .iter()
            .map(describe_value)
            .collect::<Vec<_>>()
            .join(","),
        Err(_) => value.clone().into_string().unwrap_or_default(),
    }
}
