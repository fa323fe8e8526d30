//! Tables and types of the SDK in Go. The output has the form of `gofmt`: blank lines keep it from aligning columns.

use std::fmt::Write as _;

use super::openapi::{Field, Kind, NamedType, Retry, Shape};
use super::{NOTICE, SdkSource, naming};

/// Returns the file.
pub(super) fn generate(source: &SdkSource) -> String {
    let mut out = format!("// {NOTICE}\n\npackage voight\n\n");
    out.push_str("// Operation is an operation of the API, for Client.Call.\ntype Operation struct {\n\tid, method, path string\n\n");
    out.push_str(
        "\t// Members that the data of the response always has.\n\trequired []string\n\n\tretry retryCondition\n}\n",
    );
    out.push_str(
        "\n// retryCondition is the condition under which a request is repeated although it may have been applied.\n",
    );
    out.push_str("type retryCondition string\n\nconst (\n");
    let conditions = Retry::NAMES.map(|(_, name)| {
        format!(
            "\tretry{} retryCondition = \"{name}\"\n",
            naming::pascal(name)
        )
    });
    let _ = writeln!(out, "{})", conditions.join("\n"));
    for operation in &source.api.operations {
        let required_members: Vec<_> = operation
            .required
            .iter()
            .map(|name| format!("\"{name}\""))
            .collect();
        let name = naming::go(&operation.id);
        let id = &operation.id;
        let method = &operation.method;
        let path = &operation.path;
        let _ = writeln!(out, "\n// Op{name}: {}.", operation.summary);
        let _ = writeln!(
            out,
            "var Op{name} = Operation{{\"{id}\", \"{method}\", \"{path}\", []string{{{}}}, retry{}}}",
            required_members.join(", "),
            naming::pascal(operation.retry.name())
        );
    }
    out.push_str("\n// apiErrors are the errors of the API: id, code in lower case, and whether the same request can succeed later.\n");
    out.push_str("var apiErrors = []struct {\n\tid, code string\n\n\tretryable bool\n}{\n");
    for error in &source.errors {
        let _ = writeln!(
            out,
            "\t{{\"{}\", \"{}\", {}}},",
            error.id, error.code, error.is_retryable
        );
    }
    out.push_str("}\n");
    for named in &source.api.types {
        write_type(&mut out, named);
    }
    out
}

fn write_type(out: &mut String, named: &NamedType) {
    let name = &named.name;
    let description = named.description.replace('\n', " ");
    let _ = writeln!(out, "\n// {name}: {description}");
    match &named.shape {
        Shape::Text => {
            let _ = writeln!(out, "type {name} = string");
        }
        Shape::Enum(values) => {
            let _ = writeln!(out, "type {name} string");
            for value in values {
                let constant = format!("{name}{}", naming::go(value));
                let _ = writeln!(
                    out,
                    "\n// {constant} is a value of {name}.\nconst {constant} {name} = \"{value}\""
                );
            }
        }
        Shape::Object(fields) => {
            let _ = writeln!(out, "type {name} struct {{");
            let members: Vec<_> = fields.iter().map(member).collect();
            out.push_str(&members.join("\n"));
            out.push_str("}\n");
        }
    }
}

fn member(field: &Field) -> String {
    let mut kind = kind(&field.kind);
    let is_list = matches!(field.kind, Kind::List(_));
    if !is_list && (field.is_nullable || !field.is_required) {
        kind = format!("*{kind}");
    }
    let omit = if field.is_required { "" } else { ",omitempty" };
    let comment = if field.description.is_empty() {
        String::new()
    } else {
        format!("\t// {}\n", field.description)
    };
    format!(
        "{comment}\t{} {kind} `json:\"{}{omit}\"`\n",
        naming::go(&field.name),
        field.name
    )
}

fn kind(of: &Kind) -> String {
    match of {
        Kind::Text => "string".to_owned(),
        Kind::Integer => "int64".to_owned(),
        Kind::Number => "float64".to_owned(),
        Kind::Boolean => "bool".to_owned(),
        Kind::Named(name) => name.clone(),
        Kind::List(item) => format!("[]{}", kind(item)),
    }
}
