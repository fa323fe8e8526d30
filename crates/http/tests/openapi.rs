//! The committed description is what the service serves.

mod common;
#[path = "../../../tests/src/update.rs"]
mod update;

use actix_web::test::TestRequest;
use common::App;
use std::path::PathBuf;
use voight_http::{HttpSettings, openapi_document};

fn committed() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/api/openapi.json")
}

#[test]
fn the_committed_document_is_the_generated_one() {
    let generated = serde_json::to_string_pretty(&openapi_document()).unwrap() + "\n";
    if update::is_update() {
        std::fs::write(committed(), &generated).unwrap();
    }
    let committed = std::fs::read_to_string(committed()).unwrap_or_default();
    assert!(
        committed == generated,
        "docs/api/openapi.json has drifted; look at the change, then run VOIGHT_UPDATE=1 cargo test -p voight-http"
    );
}

#[actix_web::test]
async fn the_document_is_served() {
    let app = App::new().await;
    let answer = app.send(TestRequest::get().uri("/openapi.json")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json(), openapi_document());
    assert_eq!(answer.header("cache-control"), Some("public, max-age=300"));
}

#[actix_web::test]
async fn the_served_document_names_the_public_url() {
    let settings = HttpSettings { public_url: Some("https://voight.example".to_owned()), ..HttpSettings::default() };
    let app = App::with(settings).await;
    for _ in 0..2 {
        let answer = app.send(TestRequest::get().uri("/openapi.json")).await;
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(answer.json()["servers"], serde_json::json!([{ "url": "https://voight.example" }]));
    }
}

#[test]
fn every_reference_resolves_and_every_object_is_closed() {
    let document = openapi_document();
    visit(&document, &mut |value| {
        if let Some(reference) = value.get("$ref").and_then(|reference| reference.as_str()) {
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
        }
        if value.get("properties").is_some() {
            assert_eq!(value.get("additionalProperties"), Some(&false.into()), "an open object: {value}");
        }
    });
}

fn visit(value: &serde_json::Value, look: &mut impl FnMut(&serde_json::Value)) {
    look(value);
    match value {
        serde_json::Value::Array(items) => items.iter().for_each(|item| visit(item, look)),
        serde_json::Value::Object(members) => members.values().for_each(|member| visit(member, look)),
        _ => {}
    }
}
