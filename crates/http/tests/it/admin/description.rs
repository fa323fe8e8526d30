//! OpenAPI document of the admin API: committed, complete, and valid for every response that these tests receive.

use crate::admin::console::{Console, HOST, probe};
use crate::common::Answer;
use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use voight_api::admin::routes::ADMIN_ROUTES;
use voight_api::openapi::admin_document;

thread_local! {
    static DOCUMENT: Value = admin_document();
    /// Validators of responses by JSON pointer.
    static VALIDATORS: RefCell<HashMap<String, Rc<jsonschema::Validator>>> = RefCell::default();
}

#[test]
fn committed_admin_document_is_the_generated_one() {
    let mut json_bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(b" ");
    admin_document()
        .serialize(&mut Serializer::with_formatter(&mut json_bytes, formatter))
        .unwrap();
    let document_text = String::from_utf8(json_bytes).unwrap() + "\n";
    let remedy = "look at the change, then run VOIGHT_UPDATE=1 cargo test -p voight-http";
    voight_support::assert_committed("docs/reference/admin-openapi.json", document_text, remedy);
}

#[test]
fn every_route_is_described() {
    let document = admin_document();
    let mut ids = Vec::new();
    for route in ADMIN_ROUTES {
        let operation = &document["paths"][route.full_path()][route.method.as_str().to_lowercase()];
        let id = operation["operationId"].as_str().unwrap();
        assert!(
            !id.is_empty(),
            "{} {} is not described",
            route.method,
            route.path
        );
        assert_eq!(operation["x-permission"], format!("{:?}", route.permission));
        ids.push(id.to_owned());
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "an operation id is used twice");
    let text = document.to_string();
    for reference in text
        .split("\"$ref\":\"#")
        .skip(1)
        .filter_map(|tail| tail.split('"').next())
    {
        assert!(
            document.pointer(reference).is_some(),
            "{reference} leads nowhere"
        );
    }
}

#[actix_web::test]
async fn every_media_type_of_a_format_is_described() {
    // The console compares each answer with the document.
    let console = Console::new().await;
    for (path, formats) in [
        ("invoices/preview", &["json", "html"][..]),
        ("usage/export", &["csv", "cloudevents", "lago"]),
    ] {
        for format in formats {
            let answer = console
                .get(&format!("/admin/v1/{path}?client=acme&format={format}"))
                .await;
            assert_eq!(answer.status, 200, "{}", answer.body);
        }
    }
}

#[actix_web::test]
async fn admin_listener_serves_its_document_without_a_token() {
    let console = Console::new().await;
    let answer = console.send(probe("/openapi.json", HOST)).await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("application/json"))
    );
    assert_eq!(answer.json(), admin_document());
    let foreign_host = console.send(probe("/openapi.json", "evil.example")).await;
    foreign_host.is_error(421, "m_a_h_1");
}

/// Fails if the document does not describe a response of the admin API.
#[track_caller]
pub(crate) fn assert_described(method: &str, path: &str, answer: &Answer) {
    let Some(template) = template(path) else {
        return;
    };
    let media_type = answer
        .header("content-type")
        .and_then(|value| value.split(';').next())
        .unwrap_or_default();
    let escaped_path = template.replace('/', "~1");
    let operation = format!("/paths/{escaped_path}/{}", method.to_lowercase());
    let status = answer.status;
    DOCUMENT.with(|document| {
        if document.pointer(&operation).is_none() {
            assert_eq!(
                status, 405,
                "{method} {path} is not described, and answered {status}"
            );
            return;
        }
        let response = format!("{operation}/responses/{status}");
        let response_object = document
            .pointer(&response)
            .unwrap_or_else(|| panic!("{method} {template} describes no {status}"));
        let response = response_object["$ref"]
            .as_str()
            .map_or(response, |reference| {
                reference.trim_start_matches('#').to_owned()
            });
        let media_types = document
            .pointer(&format!("{response}/content"))
            .and_then(Value::as_object);
        let is_described = media_types.is_some_and(|types| types.contains_key(media_type));
        assert!(
            is_described,
            "{method} {template} answered {status} with {media_type}, which is not described"
        );
        if media_type != "application/json" {
            return;
        }
        let validator = validator(
            document,
            format!("{response}/content/application~1json/schema"),
        );
        let value = answer.json();
        let errors: Vec<_> = validator
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect();
        assert!(
            errors.is_empty(),
            "{method} {template} answered {status} with {}: {errors:?}",
            answer.body
        );
    });
}

fn validator(document: &Value, pointer: String) -> Rc<jsonschema::Validator> {
    let build = |pointer: &String| {
        let mut document = document.clone();
        let fragment = pointer
            .replace('{', "%7B")
            .replace('}', "%7D")
            .replace('*', "%2A");
        document["$ref"] = Value::from(format!("#{fragment}"));
        Rc::new(
            jsonschema::validator_for(&document)
                .unwrap_or_else(|error| panic!("{pointer}: {error}")),
        )
    };
    VALIDATORS.with_borrow_mut(|validators| {
        Rc::clone(validators.entry(pointer).or_insert_with_key(build))
    })
}

/// Returns the path template of the document that matches `path`.
fn template(path: &str) -> Option<String> {
    let is_of = |template: &&String| {
        let template = template.split('/');
        let path = path.split('/');
        template.clone().count() == path.clone().count()
            && template
                .zip(path)
                .all(|(part, segment)| part.starts_with('{') || part == segment)
    };
    DOCUMENT.with(|document| {
        let paths = document["paths"].as_object().unwrap();
        // A path without parameters has priority.
        paths
            .keys()
            .filter(is_of)
            .min_by_key(|template| template.matches('{').count())
            .cloned()
    })
}
