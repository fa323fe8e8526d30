//! Texts of a limited length.

use super::fault::SchemaError;
use super::node::{FromJson, JsonValue};
use std::fmt;
use std::ops::Deref;

/// Text of at most `MAX` characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BoundedText<const MAX: usize>(String);

impl<const MAX: usize> Deref for BoundedText<MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const MAX: usize> fmt::Display for BoundedText<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<const MAX: usize> FromJson for BoundedText<MAX> {
    fn from_node(node: JsonValue) -> Result<Self, SchemaError> {
        match node {
            JsonValue::Text(text) if text.chars().nth(MAX).is_none() => Ok(Self(text)),
            JsonValue::Text(_) => Err(SchemaError::new(format!(
                "must be at most {MAX} characters long"
            ))),
            other => Err(other.type_error("a text")),
        }
    }
}

/// Parses an enum value.
pub(super) fn enum_value<T: Copy>(node: &JsonValue, words: &[(&str, T)]) -> Result<T, SchemaError> {
    let value = match node {
        JsonValue::Text(text) => words
            .iter()
            .find(|(word, _)| word == text)
            .map(|(_, value)| *value),
        _ => None,
    };
    let names = || {
        words
            .iter()
            .map(|(word, _)| *word)
            .collect::<Vec<_>>()
            .join(", ")
    };
    value.ok_or_else(|| SchemaError::new(format!("must be one of {}", names())))
}
