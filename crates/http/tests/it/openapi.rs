//! Verifies that the committed OpenAPI document is the one that the service serves.

use crate::common::App;
use actix_web::test::TestRequest;
use proptest::prelude::*;
use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};
use std::cell::Cell;
use std::collections::HashSet;
use std::net::{Ipv4Addr, Ipv6Addr};
use voight_api::openapi::{admin_document, public_document};
use voight_api::{Api, ErrorId};
use voight_domain::vocabulary::{AddressError, EoaAddress, Origin, OriginError};
use voight_http::HttpSettings;

#[test]
fn committed_document_is_the_generated_one() {
    let document_text = text(&public_document());
    let remedy = "look at the change, then run VOIGHT_UPDATE=1 cargo test -p voight-http";
    voight_support::assert_committed("docs/reference/openapi.json", document_text, remedy);
}

/// Formats the document as it is committed: indented by one space, to be small.
fn text(document: &Value) -> String {
    let mut text = Vec::new();
    let formatter = PrettyFormatter::with_indent(b" ");
    document
        .serialize(&mut Serializer::with_formatter(&mut text, formatter))
        .unwrap();
    String::from_utf8(text).unwrap() + "\n"
}

#[actix_web::test]
async fn document_is_served() {
    let app = App::new().await;
    let answer = app.send(TestRequest::get().uri("/openapi.json")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json(), public_document());
    assert_eq!(answer.header("cache-control"), Some("public, max-age=300"));
}

#[actix_web::test]
async fn served_document_names_the_public_url() {
    let settings = HttpSettings {
        public_url: Some("https://voight.example".to_owned()),
        ..HttpSettings::default()
    };
    let app = App::with_settings(settings).await;
    for _ in 0..2 {
        let answer = app.send(TestRequest::get().uri("/openapi.json")).await;
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(
            answer.json()["servers"],
            serde_json::json!([{ "url": "https://voight.example" }])
        );
    }
}

#[test]
fn every_reference_resolves_and_every_object_is_closed() {
    let document = public_document();
    visit(&document, &mut |value| {
        if let Some(reference) = value.get("$ref").and_then(|reference| reference.as_str()) {
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(
                document.pointer(pointer).is_some(),
                "{reference} leads nowhere"
            );
        }
        if value.get("properties").is_some() {
            assert_eq!(
                value.get("additionalProperties"),
                Some(&false.into()),
                "an open object: {value}"
            );
        }
    });
}

fn visit(value: &Value, look: &mut impl FnMut(&Value)) {
    look(value);
    match value {
        Value::Array(items) => items.iter().for_each(|item| visit(item, look)),
        Value::Object(members) => members.values().for_each(|member| visit(member, look)),
        _ => {}
    }
}

#[test]
fn documents_list_the_errors_of_their_api() {
    let ids = |document: &Value| -> HashSet<String> {
        let ids = document
            .pointer("/components/schemas/Error/properties/error/properties/id/enum")
            .unwrap();
        serde_json::from_value(ids.clone()).unwrap()
    };
    let of = |api| {
        let rows = ErrorId::ALL
            .iter()
            .map(|error| error.row())
            .filter(|row| row.apis.contains(&api));
        rows.map(|row| row.id.to_owned()).collect()
    };
    assert_eq!(ids(&public_document()), of(Api::Public));
    assert_eq!(ids(&admin_document()), of(Api::Admin));
}

/// Maximum size of the served document, in bytes.
///
/// Importers of API managers accept a megabyte and more. The strictest reader is an agent, which loads the document as a
/// whole: at four bytes a token this is half of a context of 128,000 tokens.
const MAX_BYTES: usize = 256_000;

#[test]
fn document_is_small_and_names_tags_and_a_server() {
    let document = public_document();
    let size = document.to_string().len();
    assert!(size <= MAX_BYTES, "the document has {size} bytes");
    assert_eq!(document["servers"][0]["url"], "/");
    let tags: Vec<_> = document["tags"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tag| &tag["name"])
        .collect();
    for operation in operations(&document) {
        assert!(
            tags.contains(&&operation["tags"][0]),
            "{} has no tag of the list",
            operation["operationId"]
        );
    }
    let text = document.to_string().to_lowercase();
    for word in ["requirement", "section "] {
        assert!(!text.contains(word), "the document mentions a {word}");
    }
}

#[test]
fn every_error_has_one_schema() {
    let document = public_document();
    for operation in operations(&document) {
        for (status, response) in operation["responses"]
            .as_object()
            .unwrap()
            .iter()
            .filter(|(status, _)| *status != "200")
        {
            let pointer = response["$ref"]
                .as_str()
                .unwrap()
                .strip_prefix('#')
                .unwrap();
            let schema =
                &document.pointer(pointer).unwrap()["content"]["application/json"]["schema"];
            assert_eq!(
                schema,
                &serde_json::json!({ "$ref": "#/components/schemas/Error" }),
                "{status}"
            );
        }
    }
}

#[test]
fn no_text_has_two_spaces_in_a_row() {
    for document in [public_document(), admin_document()] {
        let text = document.to_string();
        let double_space = text.find("  ").map(|at| {
            text.chars()
                .skip(at.saturating_sub(40))
                .take(80)
                .collect::<String>()
        });
        assert_eq!(double_space, None);
    }
}

fn operations(document: &Value) -> Vec<&Value> {
    let paths = document["paths"].as_object().unwrap().values();
    paths
        .flat_map(|path| path.as_object().unwrap().values())
        .collect()
}

/// Returns the validator of a schema within the document.
fn validator(pointer: &str) -> jsonschema::Validator {
    let mut document = public_document();
    document["$ref"] = Value::from(pointer);
    jsonschema::validator_for(&document).expect("a schema")
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 10_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Generates valid and invalid host names, addresses and parts of them.
fn host() -> impl Strategy<Value = String> {
    let label = prop_oneof![
        "[a-z0-9_-]{0,4}",
        "[a-z][a-z0-9]{60,64}",
        "[0-9]{1,3}",
        "0x[0-9a-f]{0,2}",
        "xn--bcher-kva"
    ];
    let name = prop::collection::vec(label, 1..6).prop_map(|labels| labels.join("."));
    let host = prop::sample::select(vec![
        "quest.example",
        "localhost",
        "a-b.c_d.example",
        "7up.example",
        "example.7up",
    ]);
    let ipv4 = prop_oneof![
        any::<[u8; 4]>().prop_map(|ip| Ipv4Addr::from(ip).to_string()),
        "[0-9]{1,4}(\\.[0-9]{1,3}){1,4}"
    ];
    let ipv6 = prop_oneof![
        any::<[u16; 8]>().prop_map(|ip| Ipv6Addr::from(ip).to_string()),
        any::<[bool; 8]>().prop_map(|groups| Ipv6Addr::from(groups.map(u16::from)).to_string()),
        "([0-9a-f]{0,2}:{1,2}){1,8}[0-9a-f]{0,4}",
        "(0:){0,7}:?(1:){0,6}(1\\.2\\.3\\.4|0)?",
    ];
    prop_oneof![
        name,
        host.prop_map(str::to_owned),
        ipv4,
        ipv6.prop_map(|ip| format!("[{ip}]"))
    ]
}

/// Generates texts that are origins, or nearly.
fn nearly_origin() -> impl Strategy<Value = String> {
    let scheme = prop::sample::select(vec![
        "https://", "http://", "https://", "http://", "HTTP://", "ftp://", "https:", "",
    ]);
    let port = prop_oneof![
        3 => Just(String::new()),
        3 => (0..70_000_u32).prop_map(|port| format!(":{port}")),
        2 => prop::sample::select(vec![":80", ":443", ":8080", ":0", ":080", ":65535", ":65536", ":"]).prop_map(str::to_owned),
    ];
    let end = prop_oneof![8 => Just(""), 1 => Just("/"), 1 => prop::sample::select(vec!["?q", "#f", " ", ".", "\n", "@"])];
    let change = prop::option::weighted(0.2, (any::<prop::sample::Index>(), "[ -~é]"));
    (scheme, host(), port, end, change).prop_map(|(scheme, host, port, end, change)| {
        let mut text: Vec<char> = format!("{scheme}{host}{port}{end}").chars().collect();
        if let Some((index, other)) = change
            && !text.is_empty()
        {
            let place = index.index(text.len());
            text.splice(place..=place, other.chars());
        }
        text.into_iter().collect()
    })
}

#[test]
fn pattern_of_origins_agrees_with_the_server() {
    let schema = validator("#/components/schemas/Origin");
    let accepted = Cell::new(0);
    let rejected = Cell::new(0);
    proptest!(config(), |(text in nearly_origin())| {
        let origin = text.parse::<Origin>();
        let counter = if origin.is_ok() { &accepted } else { &rejected };
        counter.set(counter.get() + 1);
        let is_valid = schema.is_valid(&Value::from(text.as_str()));
        // A pattern cannot decide whether a Punycode label can be decoded.
        let is_exception = is_valid && origin == Err(OriginError::Host) && text.contains("xn--");
        prop_assert!(is_valid == origin.is_ok() || is_exception, "{:?}: {}, {:?}", text, is_valid, origin);
    });
    assert!(
        accepted.get() > 1_000 && rejected.get() > 1_000,
        "{} accepted, {} rejected",
        accepted.get(),
        rejected.get()
    );
}

#[test]
fn address_schema_agrees_with_the_server() {
    let document = public_document();
    let parameters = document["paths"]["/api/v1/users/eoa"]["get"]["parameters"]
        .as_array()
        .unwrap();
    let parameter = parameters
        .iter()
        .find(|parameter| parameter["name"] == "eoa_address")
        .unwrap();
    let schema = jsonschema::validator_for(&parameter["schema"]).expect("a schema");
    let admits = |text: &str| schema.is_valid(&Value::from(text));
    proptest!(config(), |(bytes: [u8; 20], noise in "(0x|0X)?[0-9a-fA-Fg]{38,42}")| {
        let address = EoaAddress::from_bytes(bytes);
        for text in [address.to_lower_hex(), address.to_string()] {
            prop_assert!(text.parse::<EoaAddress>().is_ok() && admits(&text), "{}", text);
        }
        // The checksum is the only property that a pattern cannot verify.
        let address = noise.parse::<EoaAddress>();
        prop_assert_eq!(admits(&noise), address != Err(AddressError::Malformed), "{}", noise);
    });
}

#[actix_web::test]
async fn lookup_verifies_address_checksums() {
    let app = App::new().await;
    let context = app.context().await;
    let checksum_address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    for address in [checksum_address, &checksum_address.to_lowercase()] {
        assert_eq!(
            app.send(app.look_up(&context, address)).await.status,
            200,
            "{address}"
        );
    }
    app.send(app.look_up(&context, &checksum_address.replace("5aA", "5AA")))
        .await
        .is_error(400, "m_l_e_2");
}
