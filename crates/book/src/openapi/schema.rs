//! Types of bodies, and the page that describes them.

use super::value::{about, array, cell, text};
use crate::anchor::anchor;
use serde_json::Value;
use std::fmt::Write as _;

/// Returns the page with a section for each schema of the document.
pub(super) fn page(document: &Value) -> String {
    let mut page =
        "# Schemas\n\nTypes of the bodies of requests and responses, by name.\n".to_owned();
    for (name, schema) in document["components"]["schemas"]
        .as_object()
        .into_iter()
        .flatten()
    {
        let _ = write!(page, "\n## {name}\n");
        let description = text(&schema["description"]);
        if !description.is_empty() {
            let _ = write!(page, "\n{description}\n");
        }
        page.push_str(&definition(schema));
    }
    page
}

/// Returns the members of an object, the values of an enumeration, or the type.
fn definition(schema: &Value) -> String {
    let values: Vec<_> = array(&schema["enum"])
        .map(|value| format!("`{value}`"))
        .collect();
    if !values.is_empty() {
        return format!("\nOne of: {}.\n", values.join(", "));
    }
    let variants: Vec<_> = variants(schema)
        .filter(|variant| variant["properties"].is_object())
        .collect();
    if !variants.is_empty() {
        return variants.into_iter().fold(
            "\nOne of these objects:\n".to_owned(),
            |page, variant| {
                format!(
                    "{page}\n{}\n\n{}",
                    text(&variant["description"]),
                    members(variant, "")
                )
            },
        );
    }
    let members = members(schema, "");
    if members.is_empty() {
        format!("\nType: {}.\n", type_of(schema, ""))
    } else {
        format!("\n{members}")
    }
}

/// Returns the alternatives of a schema.
fn variants(schema: &Value) -> impl Iterator<Item = &Value> {
    ["oneOf", "anyOf"]
        .into_iter()
        .flat_map(|kind| array(&schema[kind]))
}

/// Returns the table of the members of an object, those of `allOf` included, or nothing. `page` is the page with the named types.
pub(super) fn members(schema: &Value, page: &str) -> String {
    let mut rows = String::new();
    for part in std::iter::once(schema).chain(array(&schema["allOf"])) {
        for (name, member) in part["properties"].as_object().into_iter().flatten() {
            let is_required =
                array(&part["required"]).any(|required_name| required_name == name.as_str());
            let required_text = if is_required { "yes" } else { "no" };
            let described_part = std::iter::once(member)
                .chain(variants(member))
                .find(|part| part["description"].is_string());
            let about = about(described_part.map_or("", |part| text(&part["description"])));
            let _ = writeln!(
                rows,
                "| `{name}` | {} | {required_text} |{about}|",
                type_of(member, page)
            );
        }
    }
    let head = "| member | type | required | description |\n|---|---|---|---|\n";
    if rows.is_empty() {
        rows
    } else {
        format!("{head}{rows}")
    }
}

/// Returns the type as a phrase for the cell of a table. `page` is the page with the named types; it is empty on that page.
pub(super) fn type_of(schema: &Value, page: &str) -> String {
    if let Some(name) = text(&schema["$ref"]).rsplit_once('/').map(|(_, name)| name) {
        return format!("[{name}]({page}#{})", anchor(name));
    }
    if !schema["const"].is_null() {
        return format!("`{}`", cell(&schema["const"].to_string()));
    }
    let values: Vec<_> = array(&schema["enum"])
        .map(|value| format!("`{}`", cell(&value.to_string())))
        .collect();
    if !values.is_empty() {
        return values.join(" or ");
    }
    let variants: Vec<_> = variants(schema)
        .map(|variant| type_of(variant, page))
        .collect();
    if !variants.is_empty() {
        return variants.join(" or ");
    }
    let types: Vec<_> = array(&schema["allOf"])
        .map(|part| type_of(part, page))
        .collect();
    if !types.is_empty() {
        return types.join(" and ");
    }
    simple_type(schema, page)
}

/// Returns the phrase of a type without alternatives.
fn simple_type(schema: &Value, page: &str) -> String {
    let names: Vec<_> = match &schema["type"] {
        Value::Array(names) => names.iter().map(text).collect(),
        name => vec![text(name)],
    };
    let name = names
        .iter()
        .copied()
        .find(|name| !name.is_empty() && *name != "null")
        .unwrap_or("any value");
    let mut phrase = match name {
        "array" => format!("array of {}", type_of(&schema["items"], page)),
        "object" if schema["additionalProperties"].is_object() => {
            format!(
                "object whose values are {}",
                type_of(&schema["additionalProperties"], page)
            )
        }
        name => name.to_owned(),
    };
    if let Some(format) = schema["format"].as_str() {
        let _ = write!(phrase, ", {format}");
    }
    for (member, words) in [("minimum", "at least"), ("maximum", "at most")] {
        if !schema[member].is_null() {
            let _ = write!(phrase, ", {words} {}", schema[member]);
        }
    }
    if names == ["null"] {
        return "null".to_owned();
    }
    if names.contains(&"null") {
        phrase.push_str("; or null");
    }
    phrase
}
