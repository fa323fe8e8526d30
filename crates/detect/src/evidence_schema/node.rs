//! JSON tree that preserves every detail: lists and objects are distinct, and duplicate members are rejected.
//!
//! Derived deserialisers are not strict enough here: they accept a list for an object, and null for a missing member.

use super::fault::SchemaError;
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;
use voight_domain::check::Member;

/// Maximum depth of nesting; the schema needs five.
const MAX_DEPTH: u8 = 8;
/// Maximum number of members of one object; the schema needs about thirty.
const MAX_MEMBERS: usize = 64;
/// Maximum number of elements of one list: the longest in the schema.
const MAX_ELEMENTS: usize = 1200;

/// Initial capacity of a list: most lists are rows, and the longest row has this length.
const ROW: usize = 17;

/// JSON value.
#[derive(Debug)]
pub(super) enum JsonValue {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<JsonValue>),
    Object(Vec<(String, JsonValue)>),
}

impl JsonValue {
    /// Parses the document in `bytes`, which must hold nothing else.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, SchemaError> {
        let wrong = |error: serde_json::Error| {
            SchemaError::new(format!("must be one JSON object: {error}"))
        };
        let mut input = serde_json::Deserializer::from_slice(bytes);
        let node = JsonReader { depth: 0 }
            .deserialize(&mut input)
            .map_err(wrong)?;
        input.end().map_err(wrong)?;
        Ok(node)
    }

    /// Returns the description of the value's type.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) => "an integer",
            Self::Float(_) => "a number with a fraction or out of range",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }

    /// Returns the error of a value that is not `wanted`.
    pub(super) fn type_error(&self, wanted: &str) -> SchemaError {
        SchemaError::new(format!("must be {wanted}, not {}", self.kind()))
    }
}

/// Type that is parsed from a JSON value.
pub(super) trait FromJson: Sized {
    /// Descriptions of its members, if it has any. Other members are rejected.
    const MEMBERS: &'static [Member] = &[];

    /// Parses the value, or returns its error.
    fn from_node(node: JsonValue) -> Result<Self, SchemaError>;
}

impl FromJson for bool {
    fn from_node(node: JsonValue) -> Result<Self, SchemaError> {
        if let JsonValue::Bool(value) = node {
            Ok(value)
        } else {
            Err(node.type_error("true or false"))
        }
    }
}

impl FromJson for i64 {
    fn from_node(node: JsonValue) -> Result<Self, SchemaError> {
        if let JsonValue::Int(value) = node {
            Ok(value)
        } else {
            Err(node.type_error("an integer"))
        }
    }
}

impl FromJson for f64 {
    fn from_node(node: JsonValue) -> Result<Self, SchemaError> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "the schema's numbers are floats of a browser"
        )]
        match node {
            JsonValue::Int(value) => Ok(value as Self),
            JsonValue::Float(value) if value.is_finite() => Ok(value),
            other => Err(other.type_error("a finite number")),
        }
    }
}

/// Reader of one value, `depth` levels below the document.
struct JsonReader {
    depth: u8,
}

impl JsonReader {
    fn deeper<E: Error>(&self) -> Result<Self, E> {
        if self.depth < MAX_DEPTH {
            Ok(Self {
                depth: self.depth + 1,
            })
        } else {
            Err(E::custom(format!("at most {MAX_DEPTH} levels of nesting")))
        }
    }
}

impl<'de> DeserializeSeed<'de> for JsonReader {
    type Value = JsonValue;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<JsonValue, D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonReader {
    type Value = JsonValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<JsonValue, E> {
        Ok(JsonValue::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<JsonValue, E> {
        Ok(JsonValue::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<JsonValue, E> {
        Ok(JsonValue::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<JsonValue, E> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "beyond the range of integers anyway"
        )]
        let float = JsonValue::Float(value as f64);
        Ok(i64::try_from(value).map_or(float, JsonValue::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<JsonValue, E> {
        Ok(JsonValue::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<JsonValue, E> {
        Ok(JsonValue::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<JsonValue, E> {
        Ok(JsonValue::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut input: A) -> Result<JsonValue, A::Error> {
        let mut elements = Vec::new();
        while let Some(node) = input.next_element_seed(self.deeper()?)? {
            if elements.len() == MAX_ELEMENTS {
                return Err(A::Error::custom(format!(
                    "at most {MAX_ELEMENTS} elements in a list"
                )));
            }
            if elements.is_empty() {
                elements.reserve(ROW);
            }
            elements.push(node);
        }
        Ok(JsonValue::List(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut input: A) -> Result<JsonValue, A::Error> {
        let mut members: Vec<(String, JsonValue)> = Vec::new();
        while let Some(name) = input.next_key::<String>()? {
            if members.len() == MAX_MEMBERS {
                return Err(A::Error::custom(format!(
                    "at most {MAX_MEMBERS} members in an object"
                )));
            }
            if members.iter().any(|(present, _)| *present == name) {
                let name: String = name.chars().take(64).collect();
                return Err(A::Error::custom(format!(
                    "each member once, but {name:?} comes twice"
                )));
            }
            let node = input.next_value_seed(self.deeper()?)?;
            members.push((name, node));
        }
        Ok(JsonValue::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        JsonValue::read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn ambiguous_json_is_rejected() {
        assert!(fault(r#"{"a": 1, "a": 2}"#).contains("\"a\" comes twice"));
        assert!(fault("{} {}").contains("trailing"));
        assert!(fault(&"[".repeat(200)).contains("levels of nesting"));
        assert!(fault("1e999").contains("out of range"));
        assert!(fault("\u{0}").contains("JSON object"));
        assert!(fault(&format!("[{}0]", "0,".repeat(1200))).contains("1200 elements"));
    }

    #[test]
    fn integers_stay_integers() {
        assert!(matches!(
            JsonValue::read(b"-5").unwrap(),
            JsonValue::Int(-5)
        ));
        assert!(matches!(
            JsonValue::read(b"5.0").unwrap(),
            JsonValue::Float(_)
        ));
        assert!(matches!(
            JsonValue::read(b"18446744073709551615").unwrap(),
            JsonValue::Float(_)
        ));
        assert!(i64::from_node(JsonValue::read(b"5.0").unwrap()).is_err());
        assert!((f64::from_node(JsonValue::read(b"5").unwrap()).unwrap() - 5.0).abs() < 1e-12);
    }
}
