//! Configuration layer: the keys that one source sets.

use super::key::{element, member};
use super::schema::defaults;
use config::{ConfigError, Environment, File, FileFormat, Source as _, Value, ValueKind};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};

/// Source of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// Default of the program.
    Default,
    /// Configuration file.
    File(PathBuf),
    /// Environment variable.
    Environment,
    /// Command-line flag.
    Flags,
}

impl Source {
    /// Returns the key as it is written in this source.
    pub(super) fn key_name(&self, key: &str) -> String {
        match self {
            Self::Environment => format!("VOIGHT__{}", key.to_ascii_uppercase().replace('.', "__")),
            Self::Flags => format!("{key} (a flag)"),
            // The message starts with the name of the file already.
            Self::File(_) => key.to_owned(),
            Self::Default => format!("{key} (a default)"),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Environment => f.write_str("environment"),
            Self::Flags => f.write_str("flag"),
        }
    }
}

/// Configuration key that a command-line flag sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flag {
    /// Dotted key.
    pub(crate) key: &'static str,
    /// Value as text.
    pub(crate) value: String,
}

/// Dotted keys that one source sets.
#[derive(Debug, Clone)]
pub(super) struct ConfigLayer {
    pub(super) source: Source,
    pub(super) values: BTreeMap<String, Value>,
    /// Tables without keys, which set nothing.
    pub(super) empty_tables: Vec<String>,
}

impl ConfigLayer {
    /// Returns the defaults, which contain every known key.
    pub(super) fn defaults() -> Self {
        // A JSON object always is a table of such values.
        let defaults = serde_json::from_value(defaults().clone()).unwrap_or_default();
        Self::from_nested(Source::Default, defaults)
    }

    /// Parses the text of a TOML file.
    pub(super) fn file(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let values = File::from_str(text, FileFormat::Toml).collect()?;
        Ok(Self::from_nested(Source::File(path.to_owned()), values))
    }

    /// Reads variables named `VOIGHT__SECTION__KEY`.
    pub(super) fn environment(variables: HashMap<String, String>) -> Result<Self, ConfigError> {
        let source = Environment::with_prefix("VOIGHT")
            .prefix_separator("__")
            .separator("__")
            .source(Some(variables));
        Ok(Self::from_nested(Source::Environment, source.collect()?))
    }

    /// Returns the layer of the command-line flags.
    pub(super) fn flags(flags: Vec<Flag>) -> Self {
        let values = flags
            .into_iter()
            .map(|Flag { key, value }| (key.to_owned(), Value::from(value)));
        Self {
            source: Source::Flags,
            values: values.collect(),
            empty_tables: Vec::new(),
        }
    }

    fn from_nested(source: Source, nested: HashMap<String, Value>) -> Self {
        let mut values = BTreeMap::new();
        let mut empty_tables = Vec::new();
        for (key, value) in nested {
            // The name of a variable is a complete key already.
            let key = if source == Source::Environment {
                key
            } else {
                member("", &key)
            };
            flatten(key, value, &mut values, &mut empty_tables);
        }
        Self {
            source,
            values,
            empty_tables,
        }
    }
}

fn flatten(key: String, value: Value, into: &mut BTreeMap<String, Value>, empty: &mut Vec<String>) {
    match value.kind {
        ValueKind::Table(members) if members.is_empty() => empty.push(key),
        ValueKind::Table(members) => {
            for (name, value) in members {
                flatten(member(&key, &name), value, into, empty);
            }
        }
        ValueKind::Array(items) if items.iter().any(is_table) => {
            for (index, item) in items.into_iter().enumerate() {
                let key = element(&key, index);
                // An empty element counts as an element.
                if is_empty(&item) {
                    into.insert(key, item);
                } else {
                    flatten(key, item, into, empty);
                }
            }
        }
        _ => {
            into.insert(key, value);
        }
    }
}

fn is_table(value: &Value) -> bool {
    matches!(value.kind, ValueKind::Table(_))
}

fn is_empty(value: &Value) -> bool {
    matches!(&value.kind, ValueKind::Table(members) if members.is_empty())
}
