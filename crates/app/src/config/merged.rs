//! The layers put together: what is in force, and which values do not fit.

use super::key::{is_within, with_index};
use super::layer::{Layer, Source};
use super::lines::Lines;
use super::load::Entry;
use super::message::Message;
use super::remark::Remark;
use super::store::{self, STORE_URL};
use super::{Config, Log};
use config::{ConfigError, Value};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// Tables that are one value: whoever sets anything in one gets none of its defaults.
const WHOLE: [&str; 1] = ["billing.price_book"];

/// Every key with the value that wins and its source.
pub(super) struct Merged<'a> {
    values: BTreeMap<String, (Value, Source)>,
    lines: &'a Lines,
}

impl<'a> Merged<'a> {
    pub(super) fn of(layers: &[Layer], lines: &'a Lines) -> Self {
        let mut merged = Self { values: BTreeMap::new(), lines };
        for layer in layers {
            for (key, value) in &layer.values {
                merged.set(key, value, &layer.source);
            }
        }
        merged
    }

    fn set(&mut self, key: &str, value: &Value, source: &Source) {
        let whole = WHOLE.into_iter().find(|whole| *source != Source::Default && is_within(key, whole));
        if let Some(whole) = whole {
            self.values.retain(|other, (_, source)| *source != Source::Default || !is_within(other, whole));
        }
        self.values.insert(key.to_owned(), (value.clone(), source.clone()));
    }

    /// Every section but those with keys that are `astray`: what else is wrong there may follow from that.
    pub(super) fn config(&self, astray: &[String], wrong: &mut Vec<Message>) -> Config {
        Config {
            server: self.section("server", astray, wrong),
            store: self.section("store", astray, wrong),
            limits: self.section("limits", astray, wrong),
            allowance: self.section("allowance", astray, wrong),
            billing: self.section("billing", astray, wrong),
            checks: self.section("checks", astray, wrong),
            evidence: self.section("evidence", astray, wrong),
            operator: self.section("operator", astray, wrong),
            log: self.section::<Log>("log", astray, wrong),
        }
    }

    /// What a section says, with the places of the keys that it is about.
    pub(super) fn placed(&self, remarks: Vec<Remark>) -> Vec<Message> {
        let placed = |Remark { key, sentence }| {
            let (source, key) = self.place(&key);
            Message::at(source, key, self.lines, sentence)
        };
        remarks.into_iter().map(placed).collect()
    }

    /// Who sets `key`, or else the nearest table or element that it should be in, and that.
    fn place<'k>(&self, key: &'k str) -> (&Source, &'k str) {
        match self.values.iter().find(|(other, _)| is_within(other, key)) {
            Some((_, (_, source))) => (source, key),
            None => key.rfind(['.', '[']).map_or((&Source::Default, key), |end| self.place(&key[..end])),
        }
    }

    fn section<T: DeserializeOwned + Default>(&self, name: &str, astray: &[String], wrong: &mut Vec<Message>) -> T {
        if astray.iter().any(|key| is_within(key, name)) {
            return T::default();
        }
        self.read_section(name).unwrap_or_else(|error| {
            wrong.extend(self.culprits::<T>(name, &error));
            T::default()
        })
    }

    fn read_section<T: DeserializeOwned>(&self, name: &str) -> Result<T, ConfigError> {
        let mut builder = config::Config::builder();
        for (key, (value, _)) in self.values.iter().filter(|(key, _)| is_within(key, name)) {
            builder = builder.set_override(key, value.clone())?;
        }
        builder.build()?.get(name)
    }

    /// Each value of a section that does not fit even when everything else is as the program has it.
    fn culprits<T: DeserializeOwned>(&self, name: &str, error: &ConfigError) -> Vec<Message> {
        let set = self.values.iter().filter(|(key, (_, source))| *source != Source::Default && is_within(key, name));
        let alone = set.filter_map(|(key, (value, source))| {
            let error = alone(key, value).and_then(|config| config.get::<T>(name)).err()?;
            let place = source.place(key);
            let sentence = format!("{place} cannot be {:?}: {}", shown(value), reason(&error));
            Some(Message::at(source, key, self.lines, sentence))
        });
        let found: Vec<_> = alone.collect();
        if found.is_empty() { vec![Message::plain(error.to_string())] } else { found }
    }

    pub(super) fn entries(self) -> Vec<Entry> {
        let entry = |(key, (value, source)): (String, (Value, Source))| {
            let value = shown(&value);
            let value = if key == STORE_URL { store::shown_url(value) } else { value };
            Entry { key, value, source }
        };
        self.values.into_iter().map(entry).collect()
    }
}

/// The defaults with one value that is not from the program; if it is of an element, in the place of the first.
fn alone(key: &str, value: &Value) -> Result<config::Config, ConfigError> {
    let key = with_index(key, "0");
    let mut builder = config::Config::builder();
    for (other, value) in Layer::defaults()?.values {
        if !is_within(&other, &key) {
            builder = builder.set_override(other, value)?;
        }
    }
    builder.set_override(key, value.clone())?.build()
}

/// A value as text; lists with commas, as they are written in the environment.
pub(super) fn shown(value: &Value) -> String {
    match value.clone().into_array() {
        Ok(items) => items.iter().map(shown).collect::<Vec<_>>().join(","),
        Err(_) => value.clone().into_string().unwrap_or_default(),
    }
}

/// What the parser said, without the place, which is told better elsewhere.
fn reason(error: &ConfigError) -> String {
    match error {
        ConfigError::At { error, .. } => reason(error),
        ConfigError::Type { expected, .. } => format!("{expected} was expected"),
        other => other.to_string(),
    }
}
