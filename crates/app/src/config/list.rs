//! Lists: an array in a file, text with commas in the environment.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serializer};
use std::fmt::Display;
use std::str::FromStr;

#[derive(Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Array(Vec<String>),
}

/// Writes a list as text, so that an empty one is a value too.
pub(super) fn serialize<S: Serializer, T: ToString>(list: &[T], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&list.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
}

/// Reads a list of values that parse from text.
pub(super) fn deserialize<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display> + DeserializeOwned,
{
    let items = match Form::deserialize(from).map_err(|_| D::Error::custom("a list of texts was expected"))? {
        Form::Text(text) => {
            text.split(',').map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
        }
        Form::Array(items) => items,
    };
    let parse = |item: String| item.parse().map_err(|error| D::Error::custom(format_args!("{item:?}: {error}")));
    items.into_iter().map(parse).collect()
}
