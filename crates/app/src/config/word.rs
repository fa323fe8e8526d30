//! Words: one of a few. The parser of files says of another word only that it is none of them; this says which there are.

use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Deserializer};

/// Reads a word.
pub(super) fn deserialize<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<T, D::Error> {
    T::deserialize(String::deserialize(from)?.into_deserializer())
}

/// Reads a word that may be left out.
pub(super) fn optional<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    deserialize(from).map(Some)
}
