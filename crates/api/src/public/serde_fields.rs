//! Deserialisers of members.

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Reads the value of a member that is present. `null` is a type error, not an absent member.
pub(super) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Reads a whole number. JSON has one type of number, so `2.0` equals `2` (JSON Schema, `integer`).
pub(super) fn whole_number<'de, T: TryFrom<u64>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_any(WholeNumberVisitor(PhantomData))
}

/// Reads the whole number of a member that is present.
pub(super) fn present_whole_number<'de, T: TryFrom<u64>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    whole_number(deserializer).map(Some)
}

/// Largest number up to which a double, and so a number of JSON, has every whole number.
pub const MAX_EXACT_NUMBER: u64 = (1 << 53) - 1;

struct WholeNumberVisitor<T>(PhantomData<T>);

impl<T: TryFrom<u64>> Visitor<'_> for WholeNumberVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number within its range")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        T::try_from(value).map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<T, E> {
        #[expect(clippy::cast_precision_loss, reason = "exact by its definition")]
        let max_number = MAX_EXACT_NUMBER as f64;
        let is_whole_number = (0.0..=max_number).contains(&value) && value.fract() == 0.0;
        if !is_whole_number {
            return Err(E::invalid_value(Unexpected::Float(value), &self));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, and within 53 bits"
        )]
        self.visit_u64(value as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    struct SizeField {
        #[serde(default, deserialize_with = "present_whole_number")]
        size: Option<u8>,
    }

    fn size(json: &str) -> Result<Option<u8>, String> {
        serde_json::from_str::<SizeField>(json)
            .map(|body| body.size)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn whole_numbers_are_read_however_they_are_written() {
        for json in [r#"{"size":2}"#, r#"{"size":2.0}"#, r#"{"size":0.2e1}"#] {
            assert_eq!(size(json), Ok(Some(2)), "{json}");
        }
        assert_eq!(size("{}"), Ok(None));
    }

    #[test]
    fn other_values_are_rejected() {
        for value in [
            "2.5", "-1", "-1.0", "256", "1e300", "null", "\"2\"", "true", "[2]",
        ] {
            let message = size(&format!(r#"{{"size":{value}}}"#)).unwrap_err();
            assert!(message.contains("a whole number"), "{value}: {message}");
        }
    }
}
