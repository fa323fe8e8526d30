//! Schemas of the handlers' types, and schemas that a type cannot express.

use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};
use utoipa::openapi::{Ref, RefOr};

/// Schemas with their names in a document.
pub type NamedSchemas = Vec<(String, RefOr<Schema>)>;

/// Function that adds the schema of a type to a document, and returns a reference to it.
pub type SchemaFn = fn(&mut NamedSchemas) -> Value;

/// Adds the schema of a type and the schemas to which it refers. Returns a reference to it.
pub(crate) fn schema_of<T: ToSchema>(into: &mut NamedSchemas) -> Value {
    into.push((T::name().into_owned(), T::schema()));
    T::schemas(into);
    reference(&T::name())
}

/// Returns a reference to the component with this name.
fn reference(component: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{component}") })
}

const ADDRESS: &str = "^0x[0-9A-Fa-f]{40}$";
const CONTEXT_ID: &str =
    "^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?\\.[0-7][0-9a-hjkmnp-tv-z]{25}$";
/// Pattern of an idempotency key: a bare token, or a quoted string.
const IDEMPOTENCY_KEY: &str =
    r#"^(?:[!#-+\--:<-\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$"#;
/// Pattern of a host name. Its last label begins with a letter, because a host that ends in a number is an IPv4 address.
const NAME: &str = r"(?:[0-9a-z_-]{1,63}\.)*[a-z][0-9a-z_-]{0,62}";
/// Pattern of an IPv4 address in dotted decimal, without leading zeros; `D` is an octet.
const IPV4: &str = r"(?:D\.){3}D";
/// Pattern of a number from 0 to 255.
const OCTET: &str = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
/// Pattern of an IPv6 address in lower case (RFC 3986, `IPv6address`); `H` is a group.
const IPV6: &str = "(?:(?:H:){6}L|::(?:H:){5}L|H?::(?:H:){4}L|(?:(?:H:){0,1}H)?::(?:H:){3}L|(?:(?:H:){0,2}H)?::(?:H:){2}L\
    |(?:(?:H:){0,3}H)?::H:L|(?:(?:H:){0,4}H)?::L|(?:(?:H:){0,5}H)?::H|(?:(?:H:){0,6}H)?::)";
/// Pattern of a port from 1 to 65535 except 80.
const PORT_OF_HTTP: &str = "(?:[1-9]|[1-79][0-9]|8[1-9]|[1-9][0-9]{2,3}|LONG)";
/// Pattern of a port from 1 to 65535 except 443.
const PORT_OF_HTTPS: &str =
    "(?:[1-9][0-9]?|[1-35-9][0-9]{2}|4[0-35-9][0-9]|44[0-24-9]|[1-9][0-9]{3}|LONG)";
/// Pattern of a port from 10000 to 65535.
const LONG_PORT: &str = "[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]";

/// Returns the pattern of origins. It matches the origins that [`Origin`](voight_domain::vocabulary::Origin) parses, and also
/// Punycode labels that do not decode, which no pattern can exclude.
fn origin_pattern() -> String {
    let ipv4 = IPV4.replace('D', OCTET);
    let ipv6 = IPV6
        .replace('L', &format!("(?:H:H|{ipv4})"))
        .replace('H', "(?:[0-9a-f]{1,4})");
    let host = format!(r"(?:{NAME}|{ipv4}|\[{ipv6}\])");
    let [http, https] = [PORT_OF_HTTP, PORT_OF_HTTPS].map(|port| port.replace("LONG", LONG_PORT));
    format!("^(?:http://{host}(?::{http})?|https://{host}(?::{https})?)$")
}

/// Returns the schema of an address in one case, or in mixed case with a checksum that the pattern cannot verify.
pub(crate) fn address_schema() -> Schema {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some(ADDRESS))
        .description(Some(
            "An account address: 0x and 40 hexadecimal digits. Mixed case has to be a correct EIP-55 checksum.",
        ))
        .examples(["0x52908400098527886e0f7030069857d2e4169ee7", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"])
        .into()
}

/// Returns the schema of an origin as in a browser's `location.origin`. IPv6 addresses may have any lower-case spelling.
pub(super) fn origin_schema() -> Value {
    json!({
        "type": "string",
        "maxLength": 255,
        "description": "An origin: scheme, host in lower case, and a port unless it is the scheme's own.",
        "pattern": origin_pattern(),
        "examples": ["https://quest.example"],
    })
}

/// Returns the schema of the origins of a context.
pub(crate) fn origins_schema() -> Schema {
    ArrayBuilder::new()
        .items(Ref::from_schema_name("Origin"))
        .max_items(Some(10))
        .description(Some("Origins that may host checks, narrowing the client's; an empty list means the client's."))
        .into()
}

/// Returns the schema of a context id.
pub(crate) fn context_id_pattern() -> Value {
    json!({ "type": "string", "pattern": CONTEXT_ID, "maxLength": 91 })
}

/// Returns a required query parameter.
pub(crate) fn query(name: &str, description: &str, schema: impl serde::Serialize) -> Value {
    json!({ "name": name, "in": "query", "required": true, "description": description, "schema": schema })
}

/// Returns an optional query parameter.
pub(crate) fn optional_query(
    name: &str,
    description: &str,
    schema: impl serde::Serialize,
) -> Value {
    json!({ "name": name, "in": "query", "required": false, "description": description, "schema": schema })
}

/// Returns the `Idempotency-Key` header parameter.
pub(crate) fn idempotency_key() -> Value {
    json!({
        "name": "Idempotency-Key",
        "in": "header",
        "required": false,
        "description": "Makes a retry safe: for 24 hours the same key with the same parameters is answered as the first \
            time, with Idempotency-Replayed: true, and never billed twice.",
        "schema": { "type": "string", "pattern": IDEMPOTENCY_KEY },
    })
}
