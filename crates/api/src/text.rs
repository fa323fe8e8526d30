//! Values that JSON contains as text: written by `Display`, and parsed by `FromStr`.

use data_encoding::HEXLOWER;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};
use std::fmt::Display;
use std::str::FromStr;

pub(crate) fn serialize<T: Display, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

pub(crate) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer)?
        .parse()
        .map_err(D::Error::custom)
}

/// Parses the value of the member `name`, or returns a message that names the member.
pub(crate) fn parsed<T: FromStr<Err: Display>>(name: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("{name}: {error}"))
}

/// Parses the hexadecimal bytes in `text`, the value of the member `name`.
pub(crate) fn hex<const N: usize>(name: &str, text: &str) -> Result<[u8; N], String> {
    let bytes = HEXLOWER
        .decode(text.as_bytes())
        .ok()
        .and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| {
        format!(
            "{name}: {N} bytes are written as {} lower-case hexadecimal digits",
            2 * N
        )
    })
}

/// The same for optional values; `None` is `null`.
pub(crate) mod option {
    use super::{Deserialize, Deserializer, Display, Error, FromStr, Serializer};

    #[expect(clippy::ref_option, reason = "serde hands the field over by reference")]
    pub(crate) fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(value),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(D::Error::custom))
            .transpose()
    }
}
