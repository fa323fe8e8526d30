//! JSON schema of the configuration, derived from the types of the settings, and the keys that it describes.
//!
//! The extension `x-unit` of a key is the unit of its number, `x-flag` the command-line flag that sets it.

use super::Config;
use super::diagnostic::Diagnostic;
use super::key::member;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Keys by name. Members of a list of tables have `[]` after the name of the list.
pub(super) type Keys = BTreeMap<String, ConfigKey>;

/// Configuration key, as the schema describes it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ConfigKey(Value);

/// Type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueType {
    /// `true` or `false`.
    Boolean,
    /// Whole number of 0 or more.
    Integer,
    /// Text.
    String,
    /// List of texts.
    List,
}

/// Returns the JSON schema of a configuration file.
pub(crate) fn schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
        let settings =
            SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
        let mut schema = settings
            .into_generator()
            .into_root_schema_for::<Config>()
            .to_value();
        complete(&mut schema, Some(defaults()));
        schema
    });
    &SCHEMA
}

/// Returns the default configuration, serialised.
pub(super) fn defaults() -> &'static Value {
    static DEFAULTS: LazyLock<Value> = LazyLock::new(|| to_value(&Config::default()));
    &DEFAULTS
}

/// Returns every key of the schema.
pub(super) fn keys() -> &'static Keys {
    static KEYS: LazyLock<Keys> = LazyLock::new(|| {
        let mut keys = Keys::new();
        collect("", schema(), &mut keys);
        keys
    });
    &KEYS
}

/// Returns the command-line flag of each key that has one.
#[cfg(test)]
pub(crate) fn flags() -> BTreeMap<&'static str, &'static str> {
    keys()
        .iter()
        .filter_map(|(name, key)| Some((name.as_str(), key.flag()?)))
        .collect()
}

/// Returns a diagnostic for every number outside the range of its key.
pub(super) fn out_of_range(config: &Config) -> Vec<Diagnostic> {
    let values = to_value(config);
    let check = |(name, key): (&String, &ConfigKey)| {
        let value = values
            .pointer(&format!("/{}", name.replace('.', "/")))?
            .as_u64()?;
        let expected_value = key.expected().filter(|_| !key.admits(value))?;
        Some(Diagnostic::new(
            name,
            format!("{name} cannot be {value}: {expected_value}"),
        ))
    };
    keys().iter().filter_map(check).collect()
}

fn to_value(config: &Config) -> Value {
    // Numbers, texts and lists of them can always be serialised.
    serde_json::to_value(config).unwrap_or_default()
}

/// Adds the default of every key and the largest 32-bit number, and makes all keys optional.
fn complete(schema: &mut Value, default: Option<&Value>) {
    let Some(schema) = schema.as_object_mut() else {
        return;
    };
    schema.remove("required");
    schema.remove("default");
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for (name, property) in properties {
            complete(property, default.and_then(|table| table.get(name)));
        }
        return;
    }
    if schema
        .get("format")
        .is_some_and(|format| format == "uint32")
    {
        schema.entry("maximum").or_insert(u32::MAX.into());
    }
    if let Some(items) = schema.get_mut("items") {
        complete(items, None);
    }
    schema.extend(default.map(|default| ("default".to_owned(), default.clone())));
}

fn collect(name: &str, schema: &Value, keys: &mut Keys) {
    if let Some(properties) = schema["properties"].as_object() {
        for (property, schema) in properties {
            collect(&member(name, property), schema, keys);
        }
    } else if schema["items"]["properties"].is_object() {
        collect(&format!("{name}[]"), &schema["items"], keys);
    } else {
        keys.insert(name.to_owned(), ConfigKey::new(schema));
    }
}

impl ConfigKey {
    /// Creates the key that this schema describes.
    pub(super) fn new(schema: &Value) -> Self {
        Self(schema.clone())
    }

    /// Returns the effect of the key, in one line.
    pub(super) fn effect(&self) -> String {
        description(&self.0)
    }

    /// Returns the unit of a number.
    pub(super) fn unit(&self) -> Option<&str> {
        self.0["x-unit"].as_str()
    }

    /// Returns the command-line flag that sets the key.
    #[cfg(test)]
    pub(super) fn flag(&self) -> Option<&str> {
        self.0["x-flag"].as_str()
    }

    /// Returns the default as a TOML value. A key of a list element has none.
    #[cfg(test)]
    pub(super) fn default(&self) -> Option<String> {
        // A JSON text of such values is TOML, too.
        self.0.get("default").map(Value::to_string)
    }

    /// Returns the values that the key accepts, in words.
    pub(super) fn accepted(&self) -> String {
        match (self.value_type(), self.range()) {
            (ValueType::Boolean, _) => "`true` or `false`".to_owned(),
            (ValueType::Integer, (minimum, Some(maximum))) => {
                format!("integer from {minimum} to {maximum}")
            }
            (ValueType::Integer, (minimum, None)) => format!("integer of {minimum} or more"),
            (ValueType::List, _) => self.accepted_list(),
            (ValueType::String, _) => self.words().unwrap_or_else(|| self.accepted_text()),
        }
    }

    fn accepted_list(&self) -> String {
        let element = match self.0["items"]["type"].as_str() {
            Some("integer") => "integers",
            _ => "strings",
        };
        format!("array of {element}")
    }

    fn accepted_text(&self) -> String {
        match (self.0["minLength"].as_u64(), self.0["maxLength"].as_u64()) {
            (Some(shortest), Some(longest)) if shortest == longest => {
                format!("string of {longest} characters")
            }
            (Some(shortest), Some(longest)) => {
                format!("string of {shortest} to {longest} characters")
            }
            (Some(shortest), None) => format!("string, at least {shortest} character"),
            (None, Some(longest)) => format!("string of at most {longest} characters"),
            (None, None) => "string".to_owned(),
        }
    }

    /// Returns the values of an enum, joined.
    fn words(&self) -> Option<String> {
        let words: Vec<_> = self
            .choices()
            .into_iter()
            .map(|(word, _)| format!("`{word}`"))
            .collect();
        (!words.is_empty()).then(|| words.join(" or "))
    }

    /// Returns the type of the value.
    pub(super) fn value_type(&self) -> ValueType {
        match self.0["type"].as_str() {
            Some("boolean") => ValueType::Boolean,
            Some("integer") => ValueType::Integer,
            Some("array") => ValueType::List,
            _ => ValueType::String,
        }
    }

    /// Returns the range of a number, without a maximum for the largest one of 64 bits.
    fn range(&self) -> (u64, Option<u64>) {
        (
            self.0["minimum"].as_u64().unwrap_or_default(),
            self.0["maximum"].as_u64(),
        )
    }

    fn admits(&self, number: u64) -> bool {
        let (minimum, maximum) = self.range();
        number >= minimum && maximum.is_none_or(|maximum| number <= maximum)
    }

    /// Returns the values of an enum, each with its meaning.
    pub(super) fn choices(&self) -> Vec<(&str, String)> {
        let choices = self.0["oneOf"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        choices
            .iter()
            .filter_map(|choice| Some((choice["const"].as_str()?, description(choice))))
            .collect()
    }

    /// Returns the values that the key accepts, as the end of an error message. `None` for free text and lists.
    pub(super) fn expected(&self) -> Option<String> {
        match (self.value_type(), self.range()) {
            (ValueType::Boolean, _) => Some("true or false was expected".to_owned()),
            (ValueType::Integer, (minimum, Some(maximum))) => Some(format!(
                "a whole number from {minimum} to {maximum} was expected"
            )),
            (ValueType::Integer, (minimum, None)) => {
                Some(format!("a whole number of {minimum} or more was expected"))
            }
            _ => self.words().map(|words| format!("{words} was expected")),
        }
    }
}

/// Returns `true` for the schema of a table or of a list of tables.
pub(super) fn is_table(schema: &Value) -> bool {
    schema["properties"].is_object() || schema["items"]["properties"].is_object()
}

/// Returns the description of a schema in one line.
pub(super) fn description(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::key::with_index;
    use crate::config::layer::ConfigLayer;
    use crate::config::sample::tests::uncommented;
    use crate::config::{ConfigSources, load_text};
    use std::collections::BTreeSet;

    #[test]
    fn the_keys_of_the_schema_are_those_of_the_settings() {
        let default_keys: BTreeSet<_> = ConfigLayer::defaults()
            .values
            .keys()
            .map(|key| with_index(key, ""))
            .collect();
        assert_eq!(default_keys, keys().keys().cloned().collect());
    }

    #[test]
    fn every_key_has_an_effect_and_every_number_a_unit() {
        for (name, key) in keys() {
            assert!(key.effect().ends_with('.'), "{name} has no description");
            let is_number = key.value_type() == ValueType::Integer;
            assert!(
                !is_number || key.unit().is_some() || name.ends_with("version"),
                "{name} has no unit"
            );
        }
    }

    /// Returns the problems of a configuration file according to the schema, each with the path of its value.
    fn problems(toml: &str) -> Vec<String> {
        let file = config::File::from_str(toml, config::FileFormat::Toml);
        let document: Value = config::Config::builder()
            .add_source(file)
            .build()
            .unwrap()
            .try_deserialize()
            .unwrap();
        let validator = jsonschema::validator_for(schema()).unwrap();
        validator
            .iter_errors(&document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect()
    }

    fn is_loaded(toml: &str) -> bool {
        let inputs = ConfigSources {
            file: Some("voight.toml".into()),
            ..ConfigSources::default()
        };
        load_text(inputs, Some(toml)).is_ok()
    }

    #[test]
    fn schema_accepts_every_loadable_configuration() {
        let guide = include_str!("../../../../docs/guides/set-prices.md");
        let book = guide
            .split("```toml\n")
            .nth(1)
            .and_then(|block| block.split("```").next())
            .unwrap();
        for toml in [
            "",
            "[server]\nlisten = \"0.0.0.0:80\"\ntrusted_proxies = [\"10.0.0.0/8\"]\nforwarding_header = \"forwarded\"\n",
            "[limits]\nenabled = false\nlookup_burst = 4294967295\n[log]\njson = true\n",
            book,
            &uncommented(),
        ] {
            assert_eq!(problems(toml), Vec::<String>::new(), "{toml}");
            assert!(is_loaded(toml), "{toml}");
        }
    }

    #[test]
    fn schema_rejects_every_rejected_configuration() {
        for (toml, place) in [
            ("[sever]\n", ""),
            ("[server]\nlisen = \"127.0.0.1:1\"\n", "/server"),
            ("[server]\nworkers = -1\n", "/server/workers"),
            (
                "[server]\nmax_unreachable_percent = 100\n",
                "/server/max_unreachable_percent",
            ),
            (
                "[server]\nforwarding_header = \"via\"\n",
                "/server/forwarding_header",
            ),
            (
                "[limits]\nlookup_burst = 4294967296\n",
                "/limits/lookup_burst",
            ),
            (
                "[limits]\nlookups_per_second = 0\n",
                "/limits/lookups_per_second",
            ),
            ("[log]\njson = 1\n", "/log/json"),
            ("[billing]\ncurrency = \"dollars\"\n", "/billing/currency"),
            (
                "[billing.price_book]\ntiers = [{ unit_prise = \"1\" }]\n",
                "/billing/price_book/tiers/0",
            ),
        ] {
            let found_problems = problems(toml);
            assert!(
                found_problems.len() == 1 && found_problems[0].starts_with(&format!("{place}: ")),
                "{toml}: {found_problems:?}"
            );
            assert!(!is_loaded(toml), "{toml}");
        }
    }
}
