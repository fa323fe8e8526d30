//! JSON of a policy, parsed strictly.

use super::{PolicyError, RuleChange};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::fmt;

/// Policy as its author wrote it.
#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the members `version` and `rules`"
)]
pub(super) struct PolicyFile {
    /// Version that verdicts name.
    pub(super) version: u32,
    /// Changes by rule name, in the order of the file.
    #[serde(deserialize_with = "by_name")]
    pub(super) rules: Vec<(String, RuleChange)>,
}

impl PolicyFile {
    /// Parses a policy from `bytes`, which must hold nothing else.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, PolicyError> {
        serde_json::from_slice(bytes).map_err(|error| PolicyError::format(&error))
    }
}

fn by_name<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<(String, RuleChange)>, D::Error> {
    input.deserialize_map(ByName)
}

struct ByName;

impl<'de> Visitor<'de> for ByName {
    type Value = Vec<(String, RuleChange)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object whose members are named like rules")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut input: A) -> Result<Self::Value, A::Error> {
        let mut changes: Vec<(String, RuleChange)> = Vec::new();
        while let Some(name) = input.next_key::<String>()? {
            if changes.iter().any(|(present, _)| *present == name) {
                return Err(A::Error::custom(format!(
                    "rule `{name}` comes twice; leave one out"
                )));
            }
            let change = input
                .next_value()
                .map_err(|error| A::Error::custom(format!("rule `{name}`: {error}")))?;
            changes.push((name, change));
        }
        Ok(changes)
    }
}
