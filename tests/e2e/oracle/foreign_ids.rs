//! The API reveals nothing about the ids of another client: a foreign id is answered as one that does not exist, and after the
//! same time. The calls are those of the OpenAPI document that name an id, so a new one is tried without a change here.

use crate::oracle::observed::Observed;
use crate::oracle::wire::Wire;
use serde_json::{Map, Value, json};
use std::env;
use voight_tests::server::{Server, TestAccount};
use voight_tests::{command, http, tier};

const CLASSES: [&str; 2] = ["foreign", "missing"];
const WEBHOOK_URL: &str = "https://hooks.example/";
const ADDRESS: &str = "0x52908400098527886e0f7030069857d2e4169ee7";

fn volume() -> usize {
    env::var("VOIGHT_ORACLE_CALLS").map_or(tier::volume(60, 2_500), |calls| {
        calls.parse().expect("a number")
    })
}

/// Ids of one class.
struct Ids {
    context: String,
    snapshot: String,
    invoice: String,
    webhook: String,
}

/// Call with an id of each class.
struct ForeignCall {
    operation: &'static str,
    method: String,
    content_type: &'static str,
    /// Path and body for each class.
    requests: [(String, String); 2],
}

#[test]
fn foreign_ids_are_answered_as_missing_ones() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start_with(&folder.path().join("data"), |command| {
        command
            .env("VOIGHT__LIMITS__ENABLED", "false")
            .env("VOIGHT__OUTBOUND__ENABLED", "true");
    });
    let caller = server.account("acme");
    let owner = server.account("globex");
    let calls = calls(
        &server,
        &[foreign_ids(&server, &owner), missing_ids(&owner)],
    );
    assert!(calls.len() >= 14, "{} calls name an id", calls.len());
    let mut wire = Wire::open(&server.url());
    let mut observations = Observed::default();
    for _ in 0..volume() {
        for call in &calls {
            let mut classes = [0, 1];
            fastrand::shuffle(&mut classes);
            for class in classes {
                let (path, body) = &call.requests[class];
                let headers = [
                    ("x-api-key", caller.key.as_str()),
                    ("content-type", call.content_type),
                ];
                let reply = wire.send(&call.method, path, &headers, body);
                assert!(
                    reply.head.starts_with("http/1.1 4"),
                    "{}: {}{}",
                    call.operation,
                    reply.head,
                    reply.body
                );
                observations.note(call.operation, class, &reply);
                // A rejected upload ends its connection, because its body is not read.
                if reply.head.contains("connection: close") {
                    wire = Wire::open(&server.url());
                }
            }
        }
    }
    let names = CLASSES.map(str::to_owned);
    observations
        .summary(&names)
        .iter()
        .for_each(|line| println!("{line}"));
    let leaks = observations.leaks(&names);
    assert!(
        leaks.is_empty(),
        "the API tells foreign ids from missing ones:\n{}",
        leaks.join("\n")
    );
}

fn foreign_ids(server: &Server, owner: &TestAccount) -> Ids {
    let headers = [
        ("x-api-key", owner.key.as_str()),
        ("content-type", "application/json"),
    ];
    let create = |path: &str, body: &Value| {
        let url = format!("{}{path}", server.url());
        let response = http::post(&http::agent(), &url, &headers, body.to_string().as_bytes());
        let response = response.expect("the server answers");
        text(&response.json()["data"]["id"])
    };
    let new_snapshot = json!({"context_id": owner.context, "source": "upload"});
    let new_webhook = json!({"url": WEBHOOK_URL});
    let client = command::json(server.data_dir(), &["client", "show", &owner.client]);
    Ids {
        context: owner.context.clone(),
        snapshot: create("/api/v1/snapshots", &new_snapshot),
        webhook: create("/api/v1/webhooks", &new_webhook),
        invoice: format!("{}-1", text(&client["client_id"])),
    }
}

/// Returns ids of the same form as those of the owner, which nothing has.
fn missing_ids(owner: &TestAccount) -> Ids {
    let ulid = "01kanc5xt6f3vq0d9g8m2y7rwb";
    let title = owner.context.split_once('.').expect("an id with a title").0;
    Ids {
        context: format!("{title}.{ulid}"),
        snapshot: ulid.to_owned(),
        invoice: format!("{ulid}-1"),
        webhook: ulid.to_owned(),
    }
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("no text: {value}"))
        .to_owned()
}

/// Returns the calls of the OpenAPI document that need a key and name an id.
fn calls(server: &Server, classes: &[Ids; 2]) -> Vec<ForeignCall> {
    let document = http::get(
        &http::agent(),
        &format!("{}/openapi.json", server.url()),
        &[],
    )
    .expect("a document")
    .json();
    let mut calls = Vec::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            if operation["security"].as_array().is_none_or(Vec::is_empty) {
                continue;
            }
            let requests = classes
                .each_ref()
                .map(|ids| request(&document, path, operation, ids));
            if requests[0] == requests[1] {
                continue;
            }
            let is_csv = operation["requestBody"]["content"]
                .get("text/csv")
                .is_some();
            calls.push(ForeignCall {
                operation: String::leak(text(&operation["operationId"])),
                method: method.to_uppercase(),
                content_type: if is_csv {
                    "text/csv"
                } else {
                    "application/json"
                },
                requests,
            });
        }
    }
    calls
}

/// Returns the path and the body of a call with all required parameters and members.
fn request(document: &Value, path: &str, operation: &Value, ids: &Ids) -> (String, String) {
    let mut target = path.to_owned();
    let mut query = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let parameter = resolved(document, parameter);
        let name = text(&parameter["name"]);
        if parameter["required"] != true {
            continue;
        }
        let value = value_of(path, &name, ids);
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        match parameter["in"].as_str() {
            Some("path") => target = target.replace(&format!("{{{name}}}"), &value),
            Some("query") => query.push(format!("{name}={value}")),
            place => panic!("{path}: {name} is in {place:?}"),
        }
    }
    if !query.is_empty() {
        target = format!("{target}?{}", query.join("&"));
    }
    let content = &operation["requestBody"]["content"];
    if content.get("text/csv").is_some() {
        return (target, ADDRESS.to_owned());
    }
    let Some(schema) = content
        .get("application/json")
        .map(|content| resolved(document, &content["schema"]))
    else {
        return (target, String::new());
    };
    let required_members = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .map(text);
    let members: Map<_, _> = required_members
        .map(|name| (name.clone(), value_of(path, &name, ids)))
        .collect();
    // A change needs at least one member, none of which is required.
    let members = if members.is_empty() {
        let (name, value) = optional_member(path);
        Map::from_iter([(name.to_owned(), value)])
    } else {
        members
    };
    (target, Value::Object(members).to_string())
}

/// Returns a member of a body that requires none.
fn optional_member(path: &str) -> (&'static str, Value) {
    if path.ends_with("/replay") {
        ("event", json!(1))
    } else if path.starts_with("/api/v1/webhooks/") {
        ("state", json!("active"))
    } else {
        ("archived", json!(true))
    }
}

/// Returns the value behind a reference.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(place) => document
            .pointer(place.trim_start_matches('#'))
            .expect("the target of a reference"),
        None => value,
    }
}

/// Returns the value of a required parameter or member.
fn value_of(path: &str, name: &str, ids: &Ids) -> Value {
    match name {
        "context_id" => json!(ids.context),
        "id" if path.starts_with("/api/v1/snapshots/") => json!(ids.snapshot),
        "id" if path.starts_with("/api/v1/invoices/") => json!(ids.invoice),
        "id" if path.starts_with("/api/v1/webhooks/") => json!(ids.webhook),
        "url" => json!(WEBHOOK_URL),
        "eoa_address" => json!(ADDRESS),
        "eoa_addresses" => json!([ADDRESS]),
        "units" => json!(1),
        "source" => json!("upload"),
        "format" => json!("csv"),
        "context_title" => json!("spring"),
        // Not an id: the service signs it, so none exists for a context that does not.
        "receipt" => json!("a.b.c"),
        other => panic!("{path} requires {other}: give this test a value for it"),
    }
}
