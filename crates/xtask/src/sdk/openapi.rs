//! Operations and types of the public API, as far as the SDKs need them.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

const METHODS: [&str; 5] = ["get", "put", "post", "patch", "delete"];
/// Name of the header with which a service recognises the repetition of a request.
const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
/// Operations with another method than GET whose repetition changes nothing: quotes and sessions are not stored, a snapshot is
/// finalised once, and an upload that is accepted ends the state in which one is accepted.
const REPEATABLE: [&str; 4] = [
    "createQuote",
    "createSession",
    "finalizeSnapshot",
    "uploadAddresses",
];
const SCHEMA: &str = "#/components/schemas/";

/// Parsed document.
pub(super) struct Api {
    /// Ordered by path and method.
    pub(super) operations: Vec<SdkOperation>,
    /// Ordered by name.
    pub(super) types: Vec<NamedType>,
}

/// Operation of the API.
pub(super) struct SdkOperation {
    pub(super) id: String,
    /// HTTP method in upper case.
    pub(super) method: String,
    pub(super) path: String,
    pub(super) summary: String,
    /// Condition of a retry.
    pub(super) retry: Retry,
    /// Required members of `data` in the response; empty for a response of another form.
    pub(super) required: Vec<String>,
}

/// Condition under which a request is repeated although the first one may have been applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Retry {
    /// A repetition changes nothing.
    Always,
    /// A repetition with the same idempotency key changes nothing.
    WithKey,
    /// A repetition may change something or be answered with another result.
    IfUnapplied,
}

impl Retry {
    /// All conditions with their names.
    pub(super) const NAMES: [(Self, &str); 3] = [
        (Self::Always, "always"),
        (Self::WithKey, "with_key"),
        (Self::IfUnapplied, "if_unapplied"),
    ];

    /// Returns the condition of an operation.
    fn for_operation(method: &str, id: &str, operation: &Value) -> Self {
        let parameters = operation["parameters"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        if parameters
            .iter()
            .any(|parameter| parameter["name"] == IDEMPOTENCY_KEY)
        {
            Self::WithKey
        } else if method == "get" || REPEATABLE.contains(&id) {
            Self::Always
        } else {
            Self::IfUnapplied
        }
    }

    /// Returns the name in `snake_case`.
    pub(super) fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(retry, _)| *retry == self)
            .map_or("", |(_, name)| name)
    }
}

/// Type with a name.
pub(super) struct NamedType {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) shape: Shape,
    /// `true` for the body of a request, which callers construct.
    pub(super) is_request: bool,
}

/// Content of a named type.
pub(super) enum Shape {
    /// Strings.
    Enum(Vec<String>),
    Object(Vec<Field>),
    /// String of a documented form.
    Text,
}

/// Member of an object.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) kind: Kind,
    pub(super) is_required: bool,
    pub(super) is_nullable: bool,
}

/// Type of a member.
pub(super) enum Kind {
    Text,
    Integer,
    Number,
    Boolean,
    Named(String),
    List(Box<Kind>),
}

impl Api {
    /// Parses an OpenAPI document.
    pub(super) fn parse(document: &Value) -> Result<Self> {
        let schemas = object(&document["components"]["schemas"]).context("no schemas")?;
        let mut operations = Vec::new();
        let mut requests = BTreeSet::new();
        for (path, item) in object(&document["paths"]).context("no paths")? {
            for method in METHODS {
                if let Some(operation) = item.get(method) {
                    operations.push(parse_operation(path, method, operation, schemas)?);
                    requests.extend(referred(
                        &operation["requestBody"]["content"]["application/json"]["schema"],
                    ));
                }
            }
        }
        let named_schemas = schemas.iter().filter(|(name, _)| *name != "Error");
        let types = named_schemas.map(|(name, schema)| {
            let is_request = requests.contains(&**name);
            parse_type(name, schema, schemas, is_request).with_context(|| name.clone())
        });
        Ok(Self {
            operations,
            types: types.collect::<Result<_>>()?,
        })
    }
}

fn object(value: &Value) -> Option<&Map<String, Value>> {
    value.as_object()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(text).collect()
}

/// Returns the name of the type that a schema refers to.
fn referred(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix(SCHEMA)
}

fn parse_operation(
    path: &str,
    method: &str,
    operation: &Value,
    schemas: &Map<String, Value>,
) -> Result<SdkOperation> {
    let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
    let name = referred(&schema["properties"]["data"]);
    let id = operation["operationId"]
        .as_str()
        .context("an operation without id")?;
    Ok(SdkOperation {
        id: id.to_owned(),
        retry: Retry::for_operation(method, id, operation),
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: text(&operation["summary"]),
        required: name
            .map(|name| strings(&schemas[name]["required"]))
            .unwrap_or_default(),
    })
}

fn parse_type(
    name: &str,
    schema: &Value,
    schemas: &Map<String, Value>,
    is_request: bool,
) -> Result<NamedType> {
    let shape = if schema.get("enum").is_some() {
        Shape::Enum(strings(&schema["enum"]))
    } else if schema["type"] == "string" {
        Shape::Text
    } else {
        Shape::Object(fields(schema, schemas)?)
    };
    Ok(NamedType {
        name: name.to_owned(),
        description: text(&schema["description"]),
        shape,
        is_request,
    })
}

/// Returns the members of an object. An object with alternatives has the members of all of them, and those that all require
/// are required.
fn fields(schema: &Value, schemas: &Map<String, Value>) -> Result<Vec<Field>> {
    let Some(alternatives) = schema["oneOf"].as_array() else {
        let required_names: BTreeSet<_> = strings(&schema["required"]).into_iter().collect();
        let properties = object(&schema["properties"]).context("a schema that is no object")?;
        return properties
            .iter()
            .map(|(name, property)| field(name, property, required_names.contains(name)))
            .collect();
    };
    let mut merged_fields: BTreeMap<String, (Field, usize)> = BTreeMap::new();
    for alternative in alternatives {
        let named_schema = referred(alternative).and_then(|name| schemas.get(name));
        for field in fields(named_schema.unwrap_or(alternative), schemas)? {
            let requires = usize::from(field.is_required);
            merged_fields
                .entry(field.name.clone())
                .or_insert((field, 0))
                .1 += requires;
        }
    }
    let alternative_count = alternatives.len();
    Ok(merged_fields
        .into_values()
        .map(|(field, times)| Field {
            is_required: times == alternative_count,
            ..field
        })
        .collect())
}

fn field(name: &str, property: &Value, is_required: bool) -> Result<Field> {
    let types = property["type"]
        .as_array()
        .map(|_| strings(&property["type"]));
    let alternatives = property["oneOf"].as_array();
    let (schema, is_nullable) = match alternatives.map(Vec::as_slice) {
        Some([schema, null]) if null["type"] == "null" => (schema, true),
        Some(_) => bail!("{name}: alternatives other than null are not supported"),
        None => (
            property,
            types.is_some_and(|types| types.iter().any(|name| name == "null")),
        ),
    };
    let description = [property, schema]
        .map(|value| text(&value["description"]))
        .into_iter()
        .find(|text| !text.is_empty());
    Ok(Field {
        name: name.to_owned(),
        description: description.unwrap_or_default().replace('\n', " "),
        kind: kind(schema).with_context(|| name.to_owned())?,
        is_required,
        is_nullable,
    })
}

fn kind(schema: &Value) -> Result<Kind> {
    if let Some(name) = referred(schema) {
        return Ok(Kind::Named(name.to_owned()));
    }
    let type_name = match &schema["type"] {
        Value::Array(types) => types
            .iter()
            .find(|name| **name != "null")
            .unwrap_or(&Value::Null),
        other => other,
    };
    Ok(match type_name.as_str() {
        Some("string") => Kind::Text,
        Some("integer") => Kind::Integer,
        Some("number") => Kind::Number,
        Some("boolean") => Kind::Boolean,
        Some("array") => Kind::List(Box::new(kind(&schema["items"])?)),
        _ => bail!("a type that is not supported: {schema}"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Api, Kind, REPEATABLE, Retry, Shape};

    #[test]
    fn alternatives_are_merged() {
        let document = json!({
            "paths": {"/a": {"get": {"operationId": "readA", "summary": "Read", "responses": {"200": {"content": {
                "application/json": {"schema": {"properties": {"data": {"$ref": "#/components/schemas/A"}}}}}}}}}},
            "components": {"schemas": {
                "A": {"type": "object", "required": ["x"], "properties": {
                    "x": {"type": ["string", "null"]}, "y": {"oneOf": [{"$ref": "#/components/schemas/E"}, {"type": "null"}]}}},
                "B": {"oneOf": [{"$ref": "#/components/schemas/A"},
                    {"required": ["x", "z"], "properties": {"x": {"type": "string"}, "z": {"type": "integer"}}}]},
                "E": {"type": "string", "enum": ["one"]}
            }}
        });
        let api = Api::parse(&document).unwrap();
        assert_eq!(
            (&*api.operations[0].method, &api.operations[0].required[..]),
            ("GET", &["x".to_owned()][..])
        );
        let members = |at: usize| match &api.types[at].shape {
            Shape::Object(fields) => fields
                .iter()
                .map(|field| (&*field.name, field.is_required, field.is_nullable))
                .collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        assert_eq!(members(0), [("x", true, true), ("y", false, true)]);
        assert_eq!(
            members(1),
            [("x", true, true), ("y", false, true), ("z", false, false)]
        );
        let Shape::Object(fields) = &api.types[0].shape else {
            panic!("A is an object")
        };
        assert!(matches!(&fields[1].kind, Kind::Named(name) if name == "E"));
        assert!(matches!(&api.types[2].shape, Shape::Enum(values) if values == &["one"]));
    }

    #[test]
    fn unkeyed_changes_are_not_repeatable() {
        let retry = |method, id, parameters| {
            Retry::for_operation(method, id, &json!({"parameters": parameters}))
        };
        let key = json!([{"name": "id"}, {"name": "Idempotency-Key"}]);
        assert_eq!(retry("get", "lookUpAddress", key.clone()), Retry::WithKey);
        assert_eq!(retry("post", "registerContext", key), Retry::WithKey);
        assert_eq!(retry("get", "getUsage", json!([])), Retry::Always);
        assert_eq!(retry("post", "createSession", json!([])), Retry::Always);
        for method in ["post", "put", "patch", "delete"] {
            assert_eq!(
                retry(method, "changeAnything", json!([{"name": "id"}])),
                Retry::IfUnapplied,
                "{method}"
            );
        }
    }

    #[test]
    fn repeatable_operations_exist_in_the_document() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/reference/openapi.json"
        );
        let document = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let operations = Api::parse(&document).unwrap().operations;
        for id in REPEATABLE {
            let operation = operations
                .iter()
                .find(|operation| operation.id == id)
                .expect(id);
            assert_eq!(operation.retry, Retry::Always, "{id}");
        }
    }

    #[test]
    fn an_unknown_type_is_rejected() {
        let document = json!({"paths": {}, "components": {"schemas": {"A": {"properties": {"x": {"type": "file"}}}}}});
        assert!(Api::parse(&document).is_err());
    }
}
