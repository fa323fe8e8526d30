//! Names and values of a query string for serde.

use serde::de::{self, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use std::borrow::Cow;
use std::fmt;

/// Decodes a form-encoded text: `+` is a space, `%xx` a byte. Returns `None` for an incomplete byte or invalid UTF-8.
pub(super) fn decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains(['+', '%']) {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut text_bytes = text.bytes();
    while let Some(byte) = text_bytes.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => (hex(text_bytes.next()?)? << 4) | hex(text_bytes.next()?)?,
            other => other,
        });
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| value.try_into().ok())
}

/// Name or value: a string, or an optional string.
pub(super) struct Value<'a>(pub(super) Cow<'a, str>);

impl<'de> IntoDeserializer<'de, QueryError> for Value<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Value<'de> {
    type Error = QueryError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, QueryError> {
        match self.0 {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, QueryError> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Parse error of a query string, with a message for the caller.
#[derive(Debug)]
pub(super) struct QueryError(pub(super) String);

impl de::Error for QueryError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(format!("The query string does not fit: {message}."))
    }

    fn missing_field(name: &'static str) -> Self {
        Self(format!("The query parameter {name} is missing."))
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self(format!("The query parameter {name} is repeated."))
    }

    fn unknown_field(_: &str, known: &'static [&'static str]) -> Self {
        Self(match known {
            [] => "This path takes no query parameters.".to_owned(),
            known => format!(
                "There is an unknown query parameter; this path takes {}.",
                known.join(" and ")
            ),
        })
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for QueryError {}
