//! Conformance vectors: their values, responses and cases, and the comparison with what an SDK did.

use serde_json::{Map, Value};

/// Parsed file of vectors.
pub(crate) struct Vectors {
    document: Value,
}

impl Vectors {
    /// Reads the file.
    pub(crate) fn read() -> Self {
        let document = serde_json::from_str(&super::read("crates/sdk/vectors.json"))
            .expect("vectors.json is JSON");
        Self { document }
    }

    /// Returns the cases: calls with scripted responses, and webhooks.
    pub(crate) fn cases(&self) -> impl Iterator<Item = &Value> {
        let members = ["cases", "webhooks"].map(|member| list(&self.document[member]));
        members.into_iter().flatten()
    }

    /// Returns the calls to the real service, in their order.
    pub(crate) fn live(&self) -> &[Value] {
        list(&self.document["live"])
    }

    /// Returns the values that cases refer to by `${name}`.
    pub(crate) fn values(&self) -> Map<String, Value> {
        self.document["values"].as_object().expect("values").clone()
    }

    /// Returns the scripted responses of a case.
    pub(crate) fn responses(&self, case: &Value) -> Vec<Value> {
        let response_named = |name: &Value| {
            let response = &self.document["responses"][name.as_str().expect("a name")];
            assert!(response.is_object(), "there is no response {name}");
            response.clone()
        };
        list(&case["responses"])
            .iter()
            .map(response_named)
            .collect()
    }
}

/// Returns the elements of a list; none for another value.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Replaces `${name}` in all texts of a value. A text that is nothing else becomes the value itself.
pub(crate) fn expand(value: &Value, values: &Map<String, Value>) -> Value {
    match value {
        Value::String(text) => expand_text(text, values),
        Value::Array(items) => items.iter().map(|item| expand(item, values)).collect(),
        Value::Object(members)
            if members.contains_key("repeat") && members.contains_key("times") =>
        {
            let times = members["times"]
                .as_u64()
                .expect("a number")
                .try_into()
                .expect("a small number");
            vec![expand(&members["repeat"], values); times].into()
        }
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| (name.clone(), expand(member, values)))
            .collect::<Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

fn expand_text(text: &str, values: &Map<String, Value>) -> Value {
    let mut expanded_text = text.to_owned();
    for (name, value) in values {
        let placeholder = format!("${{{name}}}");
        if text == placeholder {
            return value.clone();
        }
        if let Some(value) = value.as_str() {
            expanded_text = expanded_text.replace(&placeholder, value);
        }
    }
    assert!(
        !expanded_text.contains("${"),
        "an unknown value: {expanded_text}"
    );
    expanded_text.into()
}

/// Compares a value with an expectation, and returns the first difference.
///
/// Members that are not expected are ignored. `*` in an expected text stands for any text; `*` alone for any value but null.
pub(crate) fn difference(expected: &Value, actual: &Value) -> Option<String> {
    match (expected, actual) {
        (Value::Object(members), Value::Object(_)) => members.iter().find_map(|(name, member)| {
            difference(member, &actual[name]).map(|difference| format!("{name}: {difference}"))
        }),
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => items
            .iter()
            .zip(others)
            .find_map(|(item, other)| difference(item, other)),
        (Value::Number(number), Value::Number(other)) if number.as_f64() == other.as_f64() => None,
        (Value::String(pattern), other) if pattern == "*" && !other.is_null() => None,
        (Value::String(pattern), Value::String(text)) if has_form(text, pattern) => None,
        _ if expected == actual => None,
        _ => Some(format!("expected {expected}, found {actual}")),
    }
}

/// Returns `true` if a text has the form of a pattern, in which `*` stands for any text.
fn has_form(text: &str, pattern: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else {
        return text == pattern;
    };
    let Some(mut text) = text.strip_prefix(head) else {
        return false;
    };
    let mut parts: Vec<_> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, after)) = text.split_once(part) else {
            return false;
        };
        text = after;
    }
    text.ends_with(last)
}

#[test]
fn expectation_ignores_only_other_members() {
    let of = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    let differs = |expected: &str, actual: &str| difference(&of(expected), &of(actual)).is_some();
    assert!(!differs(
        r#"{"a": 1, "b": [{"c": "x*z"}]}"#,
        r#"{"a": 1.0, "b": [{"c": "x y z", "d": 2}], "e": 3}"#
    ));
    assert!(!differs(r#"{"a": null}"#, "{}"));
    for (expected, actual) in [
        (r#"{"a": 1}"#, r#"{"a": 2}"#),
        (r#"{"a": "*"}"#, r#"{"a": null}"#),
        (r#"{"a": "x*z"}"#, r#"{"a": "xy"}"#),
        ("[1]", "[1, 2]"),
        (r#"{"a": null}"#, r#"{"a": 1}"#),
        (r#"{"a": 1}"#, "[]"),
    ] {
        assert!(differs(expected, actual), "{expected} and {actual}");
    }
}
