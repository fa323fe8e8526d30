//! Tables and types of the SDK in Rust.

use std::fmt::Write as _;

use super::openapi::{Field, Kind, NamedType, Retry, Shape};
use super::{NOTICE, SdkSource, naming};

/// Returns the module.
pub(super) fn generate(source: &SdkSource) -> String {
    let mut out = format!(
        "//! Operations, errors and types of the API.\n//!\n//! {NOTICE}\n\nuse serde::{{Deserialize, Serialize}};\n\n"
    );
    out.push_str("/// Operation of the API, for [`Client::call`](crate::Client::call).\n#[derive(Debug, Clone, Copy)]\npub struct Operation {\n");
    out.push_str("    /// Id in the OpenAPI document.\n    pub id: &'static str,\n    pub(crate) method: &'static str,\n    pub(crate) path: &'static str,\n");
    out.push_str("    /// Members that `data` of the response always has.\n    pub(crate) required: &'static [&'static str],\n    /// Condition of a retry.\n    pub(crate) retry: Retry,\n}\n");
    out.push_str(
        "\n/// Condition under which a request is repeated although it may have been applied.\n",
    );
    out.push_str("#[derive(Debug, Clone, Copy, PartialEq, Eq)]\npub(crate) enum Retry {\n");
    for (_, name) in Retry::NAMES {
        let _ = writeln!(out, "    /// `{name}`.\n    {},", naming::pascal(name));
    }
    out.push_str("}\n");
    for operation in &source.api.operations {
        let required_members: Vec<_> = operation
            .required
            .iter()
            .map(|name| format!("\"{name}\""))
            .collect();
        let id = &operation.id;
        let method = &operation.method;
        let path = &operation.path;
        let _ = write!(
            out,
            "\n/// {}.\npub const {}: Operation = Operation {{\n    id: \"{id}\",\n    method: \"{method}\",\n    \
             path: \"{path}\",\n    required: &[{}],\n    retry: Retry::{},\n}};\n",
            operation.summary,
            naming::screaming(id),
            required_members.join(", "),
            naming::pascal(operation.retry.name())
        );
    }
    out.push_str("\n/// Errors of the API: id, code in lower case, and whether the same request can succeed later.\n");
    let _ = writeln!(
        out,
        "pub(crate) const ERRORS: [(&str, &str, bool); {}] = [",
        source.errors.len()
    );
    for error in &source.errors {
        let _ = writeln!(
            out,
            "    (\"{}\", \"{}\", {}),",
            error.id, error.code, error.is_retryable
        );
    }
    out.push_str("];\n");
    for named in &source.api.types {
        write_type(&mut out, named);
    }
    out
}

fn write_type(out: &mut String, named: &NamedType) {
    let name = &named.name;
    let description = named.description.replace('\n', " ");
    let _ = writeln!(out, "\n/// {description}");
    match &named.shape {
        Shape::Text => {
            let _ = writeln!(out, "pub type {name} = String;");
        }
        Shape::Enum(values) => {
            out.push_str("#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]\n#[non_exhaustive]\n");
            let _ = writeln!(out, "pub enum {name} {{");
            for value in values {
                let variant = naming::pascal(value);
                let _ = writeln!(
                    out,
                    "    /// `{value}`.\n    #[serde(rename = \"{value}\")]\n    {variant},"
                );
            }
            out.push_str("    /// Value of a newer service.\n    #[serde(other)]\n    Other,\n}\n");
        }
        Shape::Object(fields) => {
            out.push_str("#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]\n");
            if !named.is_request {
                out.push_str("#[non_exhaustive]\n");
            }
            let _ = writeln!(out, "pub struct {name} {{");
            for field in fields {
                write_field(out, field);
            }
            out.push_str("}\n");
        }
    }
}

fn write_field(out: &mut String, field: &Field) {
    let name = naming::snake(&field.name);
    let inner = kind(&field.kind);
    let description = if field.description.is_empty() {
        format!("`{}`.", field.name)
    } else {
        field.description.clone()
    };
    let _ = writeln!(out, "    /// {description}");
    let is_optional = field.is_nullable || !field.is_required;
    let mut attributes = Vec::new();
    if name != field.name {
        attributes.push(format!("rename = \"{}\"", field.name));
    }
    if is_optional {
        attributes.push("default".to_owned());
    }
    if !field.is_required {
        attributes.push("skip_serializing_if = \"Option::is_none\"".to_owned());
    }
    if !attributes.is_empty() {
        let _ = writeln!(out, "    #[serde({})]", attributes.join(", "));
    }
    let _ = if is_optional {
        writeln!(out, "    pub {}: Option<{inner}>,", safe(&name))
    } else {
        writeln!(out, "    pub {}: {inner},", safe(&name))
    };
}

/// Returns a name that is not a keyword.
fn safe(name: &str) -> String {
    if matches!(name, "use" | "type" | "ref") {
        format!("r#{name}")
    } else {
        name.to_owned()
    }
}

fn kind(of: &Kind) -> String {
    match of {
        Kind::Text => "String".to_owned(),
        Kind::Integer => "i64".to_owned(),
        Kind::Number => "f64".to_owned(),
        Kind::Boolean => "bool".to_owned(),
        Kind::Named(name) => name.clone(),
        Kind::List(item) => format!("Vec<{}>", kind(item)),
    }
}
