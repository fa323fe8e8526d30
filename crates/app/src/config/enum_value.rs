//! Enum values in the configuration. An error lists the allowed values.

use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Deserializer};

/// Deserialises an enum value.
pub(super) fn deserialize<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    from: D,
) -> Result<T, D::Error> {
    T::deserialize(String::deserialize(from)?.into_deserializer())
}

/// Deserialises an optional enum value.
pub(super) fn optional<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    from: D,
) -> Result<Option<T>, D::Error> {
    deserialize(from).map(Some)
}
