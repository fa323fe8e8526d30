//! Lists of a limited length.

use super::fault::SchemaError;
use super::node::{FromJson, JsonValue};
use std::ops::Deref;
use voight_domain::check::Member;

/// List of at most `MAX` values.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundedList<T, const MAX: usize>(Vec<T>);

impl<T, const MAX: usize> Default for BoundedList<T, MAX> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const MAX: usize> Deref for BoundedList<T, MAX> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: FromJson, const MAX: usize> FromJson for BoundedList<T, MAX> {
    const MEMBERS: &'static [Member] = T::MEMBERS;

    fn from_node(node: JsonValue) -> Result<Self, SchemaError> {
        elements(node, MAX)?
            .into_iter()
            .enumerate()
            .map(|(at, node)| one(node, at))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

fn one<T: FromJson>(node: JsonValue, at: usize) -> Result<T, SchemaError> {
    T::from_node(node).map_err(|fault| fault.at_index(at))
}

/// Returns the elements of a list of at most `max`.
pub(super) fn elements(node: JsonValue, max: usize) -> Result<Vec<JsonValue>, SchemaError> {
    match node {
        JsonValue::List(nodes) if nodes.len() <= max => Ok(nodes),
        JsonValue::List(nodes) => Err(SchemaError::new(format!(
            "must have at most {max} elements, not {}",
            nodes.len()
        ))),
        other => Err(other.type_error("a list")),
    }
}
