//! Members of a document, and their form in Markdown.

use serde_json::Value;

/// Returns a text, which is empty if the value is none.
pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns the items of an array, none if the value is none.
pub(super) fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Returns a text for a cell of a table.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// Returns the description for the last cell of a row.
pub(super) fn about(description: &str) -> String {
    if description.is_empty() {
        " ".to_owned()
    } else {
        format!(" {} ", cell(description))
    }
}
