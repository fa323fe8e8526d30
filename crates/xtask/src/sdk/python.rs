//! Tables and types of the SDK in Python.

use std::fmt::Write as _;

use super::openapi::{Field, Kind, NamedType, Shape};
use super::{NOTICE, SdkSource};

/// Returns the module.
pub(super) fn generate(source: &SdkSource) -> String {
    let mut out = format!("# {NOTICE}\n\"\"\"Operations, errors and types of the API.\"\"\"\n\n");
    out.push_str(
        "from typing import Dict, List, Literal, NamedTuple, Optional, Tuple, TypedDict\n\n\n",
    );
    out.push_str("class Operation(NamedTuple):\n    \"\"\"Operation of the API.\"\"\"\n\n    id: str\n    method: str\n    path: str\n");
    out.push_str(
        "    required: Tuple[str, ...]\n    \"\"\"Members that `data` of the response always has.\"\"\"\n    retry: Literal[\"always\", \
         \"with_key\", \"if_unapplied\"]\n    \"\"\"Condition under which a request is repeated although it may have been \
         applied.\"\"\"\n\n\n",
    );
    let operation = "OPERATIONS: Dict[str, Operation] = {\n    operation.id: operation\n    for operation in (\n";
    out.push_str(operation);
    for operation in &source.api.operations {
        // A comma follows each member, as a tuple of one requires.
        let required_names: Vec<_> = operation
            .required
            .iter()
            .map(|name| format!("\"{name}\","))
            .collect();
        let id = &operation.id;
        let method = &operation.method;
        let path = &operation.path;
        let required_list = required_names.join(" ");
        let retry = operation.retry.name();
        let _ = writeln!(out, "        # {}", operation.summary);
        let _ = writeln!(
            out,
            "        Operation(\"{id}\", \"{method}\", \"{path}\", ({required_list}), \"{retry}\"),"
        );
    }
    out.push_str("    )\n}\n\n");
    out.push_str("ERRORS: Tuple[Tuple[str, str, bool], ...] = (\n");
    for error in &source.errors {
        let is_retryable = if error.is_retryable { "True" } else { "False" };
        let _ = writeln!(
            out,
            "    (\"{}\", \"{}\", {is_retryable}),",
            error.id, error.code
        );
    }
    out.push_str(
        ")\n\"\"\"Errors of the API: id, code in lower case, and whether the same request can succeed later.\"\"\"\n",
    );
    for named in &source.api.types {
        write_type(&mut out, named);
    }
    out
}

fn write_type(out: &mut String, named: &NamedType) {
    let name = &named.name;
    let description = named.description.replace('\n', " ");
    match &named.shape {
        Shape::Text => {
            let _ = writeln!(out, "\n{name} = str\n\"\"\"{description}\"\"\"");
        }
        Shape::Enum(values) => {
            let values: Vec<_> = values.iter().map(|value| format!("\"{value}\"")).collect();
            let _ = writeln!(
                out,
                "\n{name} = Literal[{}]\n\"\"\"{description}\"\"\"",
                values.join(", ")
            );
        }
        Shape::Object(fields) => {
            let mut bases = Vec::new();
            for (suffix, is_required) in [("Required", true), ("Optional", false)] {
                let members: Vec<_> = fields
                    .iter()
                    .filter(|field| field.is_required == is_required)
                    .collect();
                if !members.is_empty() {
                    let base = format!("_{name}{suffix}");
                    write_members(out, &base, &members, is_required);
                    bases.push(base);
                }
            }
            let _ = writeln!(
                out,
                "\n\nclass {name}({}):\n    \"\"\"{description}\"\"\"\n",
                bases.join(", ")
            );
        }
    }
}

/// Writes the members in the form that permits keywords of the language as names.
fn write_members(out: &mut String, base: &str, members: &[&Field], is_required: bool) {
    let total = if is_required { "" } else { ", total=False" };
    let _ = writeln!(out, "\n{base} = TypedDict(\n    \"{base}\",\n    {{");
    for field in members {
        let inner = kind(&field.kind);
        let annotation = if field.is_nullable {
            format!("Optional[{inner}]")
        } else {
            inner
        };
        if !field.description.is_empty() {
            let _ = writeln!(out, "        # {}", field.description);
        }
        let _ = writeln!(out, "        \"{}\": \"{annotation}\",", field.name);
    }
    let _ = writeln!(out, "    }}{total},\n)");
}

fn kind(of: &Kind) -> String {
    match of {
        Kind::Text => "str".to_owned(),
        Kind::Integer => "int".to_owned(),
        Kind::Number => "float".to_owned(),
        Kind::Boolean => "bool".to_owned(),
        Kind::Named(name) => name.clone(),
        Kind::List(item) => format!("List[{}]", kind(item)),
    }
}
