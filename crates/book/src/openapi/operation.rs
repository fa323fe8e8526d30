//! Section of an operation.

use super::schema;
use super::value::{about, array, cell, text};
use crate::anchor::anchor;
use serde_json::Value;
use std::fmt::Write as _;

/// Operation of a document.
pub(super) struct DocumentedOperation<'a> {
    pub(super) document: &'a Value,
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) body: &'a Value,
}

impl DocumentedOperation<'_> {
    /// Returns `GET /path`.
    fn target(&self) -> String {
        format!("{} {}", self.method.to_uppercase(), self.path)
    }

    /// Returns the row of the list of operations. `page` is the page with the section.
    pub(super) fn row(&self, page: &str) -> String {
        let summary = text(&self.body["summary"]);
        format!(
            "| [`{}`]({page}#{}) | {} |\n",
            self.target(),
            anchor(summary),
            cell(summary)
        )
    }

    /// Returns the section.
    pub(super) fn markdown(&self) -> String {
        let mut section = format!(
            "\n## {}\n\n```text\n{}\n```\n",
            text(&self.body["summary"]),
            self.target()
        );
        let description = text(&self.body["description"]);
        if !description.is_empty() {
            let _ = write!(section, "\n{description}\n");
        }
        let _ = write!(section, "\n{}\n", self.access());
        section.push_str(&self.parameters());
        section.push_str(&self.request_body());
        section.push_str(&self.responses());
        section
    }

    /// Returns the sentence about credentials.
    fn access(&self) -> String {
        let schemes = array(&self.body["security"])
            .filter_map(Value::as_object)
            .flat_map(|properties| properties.keys());
        let headers: Vec<_> = schemes.map(|name| self.header(name)).collect();
        let credential = if headers.is_empty() {
            "No credential is needed.".to_owned()
        } else {
            format!("Credential: {}.", headers.join(" or "))
        };
        match text(&self.body["x-permission"]) {
            "" => credential,
            permission => format!("{credential} Permission: `{permission}`."),
        }
    }

    /// Returns the header that carries the credential of a security scheme.
    fn header(&self, scheme: &str) -> String {
        let scheme = &self.document["components"]["securitySchemes"][scheme];
        match text(&scheme["name"]) {
            "" => "`Authorization: Bearer`".to_owned(),
            name => format!("`{name}`"),
        }
    }

    fn parameters(&self) -> String {
        let mut rows = String::new();
        for parameter in array(&self.body["parameters"]).map(|parameter| self.resolved(parameter)) {
            let required_text = if parameter["required"] == true {
                "yes"
            } else {
                "no"
            };
            let name = text(&parameter["name"]);
            let place = text(&parameter["in"]);
            let kind = schema::type_of(&parameter["schema"], "schemas.md");
            let about = about(text(&parameter["description"]));
            let _ = writeln!(
                rows,
                "| `{name}` | {place} | {kind} | {required_text} |{about}|"
            );
        }
        if rows.is_empty() {
            return rows;
        }
        format!(
            "\n**Parameters**\n\n| name | in | type | required | description |\n|---|---|---|---|---|\n{rows}"
        )
    }

    fn request_body(&self) -> String {
        let body = self.resolved(&self.body["requestBody"]);
        let kinds = contents(body);
        if kinds.is_empty() {
            return kinds;
        }
        format!("\n**Request body**: {kinds}\n{}", self.members(body))
    }

    /// Returns the table of the members of a JSON body, with an empty line before it.
    fn members(&self, body: &Value) -> String {
        let members = schema::members(
            self.resolved(data(&body["content"]["application/json"])),
            "schemas.md",
        );
        if members.is_empty() {
            members
        } else {
            format!("\n{members}")
        }
    }

    fn responses(&self) -> String {
        let mut answers = String::new();
        let mut members = String::new();
        let mut errors = String::new();
        for (status, response) in self.body["responses"].as_object().into_iter().flatten() {
            let response = self.resolved(response);
            let description = text(&response["description"]);
            let ids: Vec<_> = description.lines().filter_map(link_to_error).collect();
            if ids.is_empty() {
                let contents = contents(response);
                let contents = if contents.is_empty() {
                    "|".to_owned()
                } else {
                    format!(" {contents} |")
                };
                let _ = writeln!(answers, "| {status} | {} |{contents}", cell(description));
                members.push_str(&self.members(response));
            } else {
                let _ = writeln!(errors, "| {status} | {} |", ids.join(", "));
            }
        }
        let mut section = format!(
            "\n**Responses**\n\n| status | meaning | body |\n|---|---|---|\n{answers}{members}"
        );
        if !errors.is_empty() {
            let _ = write!(
                section,
                "\n**Errors**\n\n| status | `error.id` |\n|---|---|\n{errors}"
            );
        }
        section
    }

    /// Returns the value, or the one in the document that it refers to.
    fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        let pointer = text(&value["$ref"]).strip_prefix('#');
        pointer
            .and_then(|pointer| self.document.pointer(pointer))
            .unwrap_or(value)
    }
}

/// Returns the media types of a body with their types, separated by semicolons.
fn contents(body: &Value) -> String {
    let contents = body["content"].as_object().into_iter().flatten();
    let kinds = contents.map(|(media, content)| {
        format!(
            "`{media}`, {}",
            schema::type_of(data(content), "schemas.md")
        )
    });
    kinds.collect::<Vec<_>>().join("; ")
}

/// Returns the schema of a body: that of `data`, if it is in the success envelope.
fn data(content: &Value) -> &Value {
    let data = &content["schema"]["properties"]["data"];
    if data.is_null() {
        &content["schema"]
    } else {
        data
    }
}

/// Returns the link to the error of a line such as "- `m_g_n_1` `NOT_FOUND`: …", and its code.
fn link_to_error(line: &str) -> Option<String> {
    let (id, rest) = line.strip_prefix("- `")?.split_once("` `")?;
    let code = rest.split('`').next()?;
    id.starts_with("m_")
        .then(|| format!("[`{id}`](../errors/{id}.md) {code}"))
}
