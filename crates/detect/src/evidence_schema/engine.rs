//! Marks of the engine that an agent string does not change.

use super::fault::SchemaError;
use super::fields::object;
use super::list::BoundedList;
use super::node::{FromJson, JsonValue};
use super::text::{BoundedText, enum_value};

/// Shape of `Error().stack`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the engines")]
pub enum ErrorShape {
    V8,
    SpiderMonkey,
    Jsc,
    Other,
}

impl FromJson for ErrorShape {
    fn from_node(node: JsonValue) -> Result<Self, SchemaError> {
        let words = [
            ("v8", Self::V8),
            ("spidermonkey", Self::SpiderMonkey),
            ("jsc", Self::Jsc),
            ("other", Self::Other),
        ];
        enum_value(&node, &words)
    }
}

object! {
    /// Marks of the engine.
    Engine {
        error_shape: ErrorShape = "errorShape": "The form in which this browser names the place of an error: a renamed browser keeps its own form.",
        null_error: BoundedText<512> = "nullError": "The browser's text of one well-known error.",
        eval_length: i64 = "evalLength": "The length of the text of one built-in function.",
        features: BoundedList<BoundedText<512>, 32> = "features": "The available features among about thirty: each release of a browser has its own set.",
    }
}
