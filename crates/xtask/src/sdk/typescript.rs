//! Tables and types of the helper for back ends in JavaScript, whose types are comments.

use std::fmt::Write as _;

use super::openapi::{Kind, NamedType, Shape};
use super::{NOTICE, SdkSource};

/// Returns the module.
pub(super) fn generate(source: &SdkSource) -> String {
    let mut out = format!("/** {NOTICE} */\n");
    for named in &source.api.types {
        write_type(&mut out, named);
    }
    out.push_str(
        "\n/**\n * Operations of the API. `required` lists the members that `data` of the response always has; `retry` is the condition under\n \
         * which a request is repeated although it may have been applied.\n *\n",
    );
    out.push_str(" * @type {Record<OperationId, {method: string, path: string, required: string[], retry: 'always' | 'with_key' | 'if_unapplied'}>}\n */\n");
    out.push_str("export const OPERATIONS = {\n");
    for operation in &source.api.operations {
        let required_members: Vec<_> = operation
            .required
            .iter()
            .map(|name| format!("'{name}'"))
            .collect();
        let id = &operation.id;
        let method = &operation.method;
        let path = &operation.path;
        let _ = writeln!(
            out,
            "  // {}\n  '{id}': {{ method: '{method}', path: '{path}', required: [{}], retry: '{}' }},",
            operation.summary,
            required_members.join(", "),
            operation.retry.name()
        );
    }
    let ids: Vec<_> = source
        .api
        .operations
        .iter()
        .map(|operation| format!("'{}'", operation.id))
        .collect();
    let _ = writeln!(
        out,
        "}};\n\n/** @typedef {{{}}} OperationId */\n",
        ids.join(" | ")
    );
    out.push_str("/** Errors of the API: id, code in lower case, and whether the same request can succeed later. @type {[string, string, boolean][]} */\n");
    out.push_str("export const ERRORS = [\n");
    for error in &source.errors {
        let _ = writeln!(
            out,
            "  ['{}', '{}', {}],",
            error.id, error.code, error.is_retryable
        );
    }
    out.push_str("];\n");
    out
}

fn write_type(out: &mut String, named: &NamedType) {
    let name = &named.name;
    let description = named.description.replace('\n', " ");
    match &named.shape {
        Shape::Text => {
            let _ = writeln!(out, "\n/** {description} @typedef {{string}} {name} */");
        }
        Shape::Enum(values) => {
            let values: Vec<_> = values.iter().map(|value| format!("'{value}'")).collect();
            let _ = writeln!(
                out,
                "\n/** {description} @typedef {{{}}} {name} */",
                values.join(" | ")
            );
        }
        Shape::Object(fields) => {
            let _ = writeln!(
                out,
                "\n/**\n * {description}\n *\n * @typedef {{object}} {name}"
            );
            for field in fields {
                let null = if field.is_nullable { " | null" } else { "" };
                let member = if field.is_required {
                    field.name.clone()
                } else {
                    format!("[{}]", field.name)
                };
                let line = format!(
                    " * @property {{{}{null}}} {member} {}",
                    kind(&field.kind),
                    field.description
                );
                let _ = writeln!(out, "{}", line.trim_end());
            }
            out.push_str(" */\n");
        }
    }
}

fn kind(of: &Kind) -> String {
    match of {
        Kind::Text => "string".to_owned(),
        Kind::Integer | Kind::Number => "number".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::Named(name) => name.clone(),
        Kind::List(item) => format!("{}[]", kind(item)),
    }
}
