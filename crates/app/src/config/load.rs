//! Puts the layers together, and finds everything that is wrong with them.

use super::layer::{Flag, Layer, Source};
use super::locate::line_of;
use super::misfit::misfit;
use super::nearest::nearest;
use super::{Config, Log};
use crate::exit::Failure;
use config::{ConfigError, Value};
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};

/// What a configuration is made of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Inputs {
    /// The file, if one was named.
    pub(crate) file: Option<PathBuf>,
    /// The environment.
    pub(crate) environment: HashMap<String, String>,
    /// Keys that flags set.
    pub(crate) flags: Vec<Flag>,
}

/// One effective value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The key, dotted.
    pub(crate) key: String,
    /// The value, as text.
    pub(crate) value: String,
    /// Its source.
    pub(crate) source: Source,
}

/// A sound configuration.
#[derive(Debug, Clone)]
pub(crate) struct Loaded {
    /// The values.
    pub(crate) config: Config,
    /// Every key with its source, sorted.
    pub(crate) entries: Vec<Entry>,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The file, if a file is at fault.
    pub(crate) file: Option<PathBuf>,
    /// The line in it, from 1, if it could be found.
    pub(crate) line: Option<usize>,
    /// What is wrong and what to do.
    pub(crate) sentence: String,
}

/// Everything that is wrong with a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problems(pub(crate) Vec<Problem>);

/// Loads the configuration, or says everything that is wrong with it.
pub(crate) fn load(inputs: Inputs) -> Result<Loaded, Problems> {
    let text = inputs.file.as_deref().map(read).transpose()?;
    load_text(inputs, text.as_deref())
}

/// Loads the configuration when the file that `inputs` names says `text`.
pub(crate) fn load_text(inputs: Inputs, text: Option<&str>) -> Result<Loaded, Problems> {
    let layers = layers(inputs, text).map_err(|problem| Problems(vec![problem]))?;
    let mut wrong = unknown_keys(&layers, text);
    wrong.extend(misfits(&layers, text));
    if wrong.is_empty() {
        let merged = Merged::of(&layers, text);
        let config = merged.config(&mut wrong);
        if wrong.is_empty() {
            wrong.extend(config.contradictions().into_iter().map(Problem::plain));
        }
        if wrong.is_empty() {
            return Ok(Loaded { config, entries: merged.entries() });
        }
    }
    Err(Problems(wrong))
}

fn read(path: &Path) -> Result<String, Problems> {
    std::fs::read_to_string(path).map_err(|error| {
        let sentence = format!("the configuration file {} cannot be read: {error}", path.display());
        Problems(vec![Problem::plain(sentence)])
    })
}

fn layers(inputs: Inputs, text: Option<&str>) -> Result<Vec<Layer>, Problem> {
    let mut layers = vec![Layer::defaults().map_err(|error| Problem::plain(error.to_string()))?];
    if let (Some(path), Some(text)) = (inputs.file, text) {
        let layer = Layer::file(&path, text).map_err(|error| Problem {
            sentence: format!("the file is not TOML: {}", error.to_string().trim_end()),
            line: None,
            file: Some(path),
        })?;
        layers.push(layer);
    }
    layers.push(Layer::environment(inputs.environment).map_err(|error| Problem::plain(error.to_string()))?);
    layers.push(Layer::flags(inputs.flags));
    Ok(layers)
}

fn unknown_keys(layers: &[Layer], text: Option<&str>) -> Vec<Problem> {
    let Some((defaults, others)) = layers.split_first() else { return Vec::new() };
    let mut wrong = Vec::new();
    for layer in others {
        for key in layer.values.keys().filter(|key| !defaults.values.contains_key(*key)) {
            let known = defaults.values.keys().map(String::as_str);
            let hint = match nearest(key, known) {
                Some(known) if layer.source == Source::Environment => {
                    format!("did you mean {} ({known})?", layer.source.place(known))
                }
                Some(known) => format!("did you mean {known}?"),
                None => "`voight config show` lists the known keys".to_owned(),
            };
            let sentence = format!("there is no configuration key {}; {hint}", layer.source.place(key));
            wrong.push(Problem::at(&layer.source, key, text, sentence));
        }
    }
    wrong
}

/// Values that would be made to fit in silence: rounded, or a number taken for true.
fn misfits(layers: &[Layer], text: Option<&str>) -> Vec<Problem> {
    let Some((defaults, others)) = layers.split_first() else { return Vec::new() };
    let values = others.iter().flat_map(|layer| layer.values.iter().map(|(key, value)| (&layer.source, key, value)));
    values
        .filter_map(|(source, key, value)| {
            let reason = misfit(&value.kind, &defaults.values.get(key)?.kind)?;
            let sentence = format!("{} cannot be {}: {reason}", source.place(key), shown(value));
            Some(Problem::at(source, key, text, sentence))
        })
        .collect()
}

/// Every key with the value that wins and its source.
struct Merged<'a> {
    values: BTreeMap<String, (Value, Source)>,
    text: Option<&'a str>,
}

impl<'a> Merged<'a> {
    fn of(layers: &[Layer], text: Option<&'a str>) -> Self {
        let mut values = BTreeMap::new();
        for layer in layers {
            for (key, value) in &layer.values {
                values.insert(key.clone(), (value.clone(), layer.source.clone()));
            }
        }
        Self { values, text }
    }

    fn config(&self, wrong: &mut Vec<Problem>) -> Config {
        Config {
            server: self.section("server", wrong),
            store: self.section("store", wrong),
            limits: self.section("limits", wrong),
            allowance: self.section("allowance", wrong),
            checks: self.section("checks", wrong),
            evidence: self.section("evidence", wrong),
            log: self.section::<Log>("log", wrong),
        }
    }

    fn section<T: DeserializeOwned + Default>(&self, name: &str, wrong: &mut Vec<Problem>) -> T {
        match self.read_section(name) {
            Ok(section) => section,
            Err(error) => {
                wrong.extend(self.culprits::<T>(name, &error));
                T::default()
            }
        }
    }

    fn read_section<T: DeserializeOwned>(&self, name: &str) -> Result<T, ConfigError> {
        self.build(|_| true)?.get(name)
    }

    /// The configuration with only those values that are from the program or that `keep` names.
    fn build(&self, keep: impl Fn(&str) -> bool) -> Result<config::Config, ConfigError> {
        let defaults = Layer::defaults()?;
        let mut builder = config::Config::builder();
        for (key, (value, _)) in &self.values {
            let value = if keep(key) { Some(value) } else { defaults.values.get(key) };
            if let Some(value) = value {
                builder = builder.set_override(key, value.clone())?;
            }
        }
        builder.build()
    }

    /// Each value of a section that does not fit even when everything else is as the program has it.
    fn culprits<T: DeserializeOwned>(&self, name: &str, error: &ConfigError) -> Vec<Problem> {
        let set = self
            .values
            .iter()
            .filter(|(key, (_, source))| *source != Source::Default && key.split('.').next() == Some(name));
        let alone = set.filter_map(|(key, (value, source))| {
            let error = self.build(|other| other == key).and_then(|config| config.get::<T>(name)).err()?;
            let place = source.place(key);
            let sentence = format!("{place} cannot be {:?}: {}", shown(value), reason(&error));
            Some(Problem::at(source, key, self.text, sentence))
        });
        let found: Vec<_> = alone.collect();
        if found.is_empty() { vec![Problem::plain(error.to_string())] } else { found }
    }

    fn entries(self) -> Vec<Entry> {
        let entry = |(key, (value, source)): (String, (Value, Source))| Entry { value: shown(&value), key, source };
        self.values.into_iter().map(entry).collect()
    }
}

/// A value as text; lists with commas, as they are written in the environment.
fn shown(value: &Value) -> String {
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

impl Problem {
    fn plain(sentence: impl Into<String>) -> Self {
        Self { file: None, line: None, sentence: sentence.into() }
    }

    fn at(source: &Source, key: &str, text: Option<&str>, sentence: String) -> Self {
        match source {
            Source::File(path) => {
                Self { file: Some(path.clone()), line: text.and_then(|text| line_of(text, key)), sentence }
            }
            _ => Self::plain(sentence),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}: {}", file.display(), self.sentence),
            (Some(file), None) => write!(f, "{}: {}", file.display(), self.sentence),
            _ => f.write_str(&self.sentence),
        }
    }
}

impl From<Problems> for Failure {
    fn from(Problems(problems): Problems) -> Self {
        let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
        Self::configuration(lines.join("\n"))
    }
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
