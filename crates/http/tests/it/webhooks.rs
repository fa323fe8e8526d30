//! Webhook endpoints in the public API.

mod deliveries;

use crate::common::{Answer, App, RecordingOutbound, post_json};
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use std::sync::Arc;
use voight_domain::registry::Actor;
use voight_domain::vocabulary::{Environment, Scope};
use voight_http::HttpSettings;

pub(crate) const URL: &str = "https://hooks.example/voight";
const WEBHOOKS: &str = "/api/v1/webhooks";

/// App with outbound connections to recorded receivers.
struct WebhookApp {
    app: App,
    outbound: Arc<RecordingOutbound>,
}

impl WebhookApp {
    async fn new() -> Self {
        Self::with_outbound(HttpSettings::default(), RecordingOutbound::new()).await
    }

    async fn with_outbound(settings: HttpSettings, outbound: RecordingOutbound) -> Self {
        let outbound = Arc::new(outbound);
        let app = App::with_outbound(settings, outbound.clone()).await;
        Self { app, outbound }
    }

    async fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        send(&self.app, &self.app.secret, method, path, body).await
    }

    /// Creates an endpoint, and returns its data.
    async fn create(&self, request: &Value) -> Value {
        data(&self.send("POST", WEBHOOKS, Some(request)).await)
    }

    /// Creates an endpoint, and returns its path.
    async fn path(&self) -> String {
        let endpoint = self.create(&json!({"url": URL})).await;
        path_of(&endpoint)
    }
}

async fn send(app: &App, secret: &str, method: &str, path: &str, body: Option<&Value>) -> Answer {
    let mut request = TestRequest::with_uri(path)
        .method(method.parse().unwrap())
        .insert_header(("x-api-key", secret));
    if let Some(body) = body {
        request = request
            .insert_header(("content-type", "application/json"))
            .set_payload(body.to_string());
    }
    app.send(request).await
}

#[track_caller]
fn data(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()["data"].take()
}

fn path_of(endpoint: &Value) -> String {
    format!("{WEBHOOKS}/{}", endpoint["id"].as_str().unwrap())
}

#[actix_web::test]
async fn endpoint_is_created_listed_changed_and_deleted() {
    let webhooks = WebhookApp::new().await;
    let context = webhooks.app.context().await;
    let filter = json!({"types": ["verdict.flagged"], "contexts": [context]});
    let mut request = filter.clone();
    request["url"] = json!(URL);
    let mut endpoint = webhooks.create(&request).await;
    let path = path_of(&endpoint);
    let secret = endpoint["secret"].take();
    assert!(secret.as_str().unwrap().starts_with("whsec_"), "{secret}");
    endpoint.as_object_mut().unwrap().remove("secret");
    let expected = json!({
        "id": endpoint["id"], "url": URL, "environment": "live", "types": ["verdict.flagged"], "contexts": [context],
        "signature": "hmac", "state": "active", "pending": 0, "created_at": "2026-11-21T10:00:00Z",
    });
    assert_eq!(endpoint, expected);
    assert_eq!(data(&webhooks.send("GET", &path, None).await), expected);
    let list = data(&webhooks.send("GET", WEBHOOKS, None).await);
    assert_eq!(list, json!({"webhooks": [expected]}));

    let change = json!({"types": [], "state": "paused"});
    let changed_endpoint = data(&webhooks.send("PATCH", &path, Some(&change)).await);
    let mut expected_change = expected.clone();
    expected_change["types"] = json!([]);
    expected_change["state"] = json!("paused");
    assert_eq!(changed_endpoint, expected_change, "the contexts stay");
    let change = json!({"url": "https://other.example/", "contexts": [], "state": "active"});
    let changed_endpoint = data(&webhooks.send("PATCH", &path, Some(&change)).await);
    assert_eq!(changed_endpoint["url"], "https://other.example/");
    assert_eq!(changed_endpoint["contexts"], json!([]));
    assert_eq!(changed_endpoint["state"], "active");

    let deleted_id = data(&webhooks.send("DELETE", &path, None).await);
    assert_eq!(deleted_id, json!({"id": endpoint["id"]}));
    let answer = webhooks.send("GET", &path, None).await;
    answer.is_error(404, "m_h_n_1");
}

#[actix_web::test]
async fn secret_is_shown_after_creation_and_rotation() {
    let webhooks = WebhookApp::new().await;
    let endpoint = webhooks.create(&json!({"url": URL})).await;
    let path = path_of(&endpoint);
    let rotate = format!("{path}/rotate");
    let rotated_endpoint = data(&webhooks.send("POST", &rotate, None).await);
    assert_eq!(rotated_endpoint["rotated_at"], "2026-11-21T10:00:00Z");
    let new_secret = rotated_endpoint["secret"].as_str().unwrap();
    assert!(new_secret.starts_with("whsec_"), "{new_secret}");
    assert_ne!(endpoint["secret"], new_secret);
    let replay = format!("{path}/replay");
    for (method, path, body) in [
        ("GET", WEBHOOKS, None),
        ("GET", &path, None),
        ("PATCH", &path, Some(json!({"state": "paused"}))),
        ("POST", &replay, Some(json!({"after": 0}))),
    ] {
        let answer = webhooks.send(method, path, body.as_ref()).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(!answer.body.contains("whsec_"), "{method} {path}");
    }
}

#[actix_web::test]
async fn public_key_is_always_shown() {
    let webhooks = WebhookApp::new().await;
    let endpoint = webhooks
        .create(&json!({"url": URL, "signature": "ed25519"}))
        .await;
    assert_eq!(endpoint.get("secret"), None);
    let public_key = endpoint["public_key"].as_str().unwrap();
    assert!(public_key.starts_with("whpk_"), "{public_key}");
    let path = path_of(&endpoint);
    assert_eq!(data(&webhooks.send("GET", &path, None).await), endpoint);
    let rotate = format!("{path}/rotate");
    let rotated_endpoint = data(&webhooks.send("POST", &rotate, None).await);
    assert_ne!(rotated_endpoint["public_key"], public_key);
    assert_eq!(rotated_endpoint.get("secret"), None);
}

/// Sends malformed requests, and compares words of each error.
async fn assert_rejected(webhooks: &WebhookApp, method: &str, path: &str, rows: &[(Value, &str)]) {
    for (body, words) in rows {
        let answer = webhooks.send(method, path, Some(body)).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(words), "{body}: {}", answer.body);
    }
}

#[actix_web::test]
async fn malformed_new_endpoint_is_rejected() {
    let webhooks = WebhookApp::new().await;
    let contexts: Vec<_> = (0..101)
        .map(|number| format!("quest.01kanc5xt6f3vq0d9g8m2y{number:04}"))
        .collect();
    let with_url = |member: &str, value: Value| json!({"url": URL, member: value});
    let rows = [
        (json!({}), "url"),
        (json!({"url": 1}), "expected a string"),
        (json!({"url": "http://a.example"}), "https://"),
        (with_url("type", json!([])), "type"),
        (with_url("types", json!(["key.lost"])), "key.lost"),
        (with_url("types", json!(null)), "expected a sequence"),
        (with_url("contexts", json!(["x"])), "contexts[0]"),
        (with_url("contexts", json!(contexts)), "101 contexts"),
        (with_url("signature", json!("rsa")), "`hmac` or `ed25519`"),
    ];
    assert_rejected(&webhooks, "POST", WEBHOOKS, &rows).await;
}

#[actix_web::test]
async fn malformed_webhook_requests_are_rejected() {
    let webhooks = WebhookApp::new().await;
    let path = webhooks.path().await;
    let changes = [
        (json!({}), "changes nothing"),
        (json!({"url": ""}), "https://"),
        (json!({"url": null}), "expected a string"),
        (json!({"state": "disabled"}), "`active` or `paused`"),
        (json!({"signature": "hmac"}), "signature"),
    ];
    assert_rejected(&webhooks, "PATCH", &path, &changes).await;
    let replays = [
        (json!({}), "exactly one"),
        (json!({"event": 1, "after": 1}), "exactly one"),
        (json!({"event": -1}), "a whole number"),
        (json!({"since": "yesterday"}), "RFC 3339"),
    ];
    assert_rejected(&webhooks, "POST", &format!("{path}/replay"), &replays).await;
    for query in ["before=0", "before=x", "limit=0", "limit=101", "after=1"] {
        let target = format!("{path}/deliveries?{query}");
        let answer = webhooks.send("GET", &target, None).await;
        answer.is_error(400, "m_g_p_1");
    }
}

#[actix_web::test]
async fn endpoint_of_others_does_not_exist() {
    let webhooks = WebhookApp::new().await;
    let app = &webhooks.app;
    let path = webhooks.path().await;
    let other_key = app.issue_to_other_client(&Scope::ALL).await;
    let sandbox_key = app.issue(Environment::Sandbox, &Scope::ALL, &[]).await;
    let change = json!({"state": "paused"});
    let replay = json!({"after": 0});
    for secret in [other_key.secret.expose(), sandbox_key.secret.expose()] {
        for (method, action, body) in [
            ("GET", "", None),
            ("PATCH", "", Some(&change)),
            ("DELETE", "", None),
            ("POST", "/rotate", None),
            ("POST", "/test", None),
            ("POST", "/replay", Some(&replay)),
            ("GET", "/deliveries", None),
        ] {
            let target = format!("{path}{action}");
            let answer = send(app, secret, method, &target, body).await;
            answer.is_error(404, "m_h_n_1");
        }
        let list = data(&send(app, secret, "GET", WEBHOOKS, None).await);
        assert_eq!(list, json!({"webhooks": []}));
    }
    assert_eq!(webhooks.outbound.requests(), []);
    assert_eq!(
        data(&webhooks.send("GET", &path, None).await)["state"],
        "active"
    );
}

#[actix_web::test]
async fn sandbox_key_creates_sandbox_endpoint() {
    let webhooks = WebhookApp::new().await;
    let app = &webhooks.app;
    let sandbox_key = app.issue(Environment::Sandbox, &Scope::ALL, &[]).await;
    let body = json!({"url": URL}).to_string();
    let request = post_json(WEBHOOKS, sandbox_key.secret.expose(), body);
    let answer = app.send(request).await;
    assert_eq!(answer.json()["test"], true);
    assert_eq!(data(&answer)["environment"], "test");
}

#[actix_web::test]
async fn eleventh_endpoint_is_rejected() {
    let webhooks = WebhookApp::new().await;
    let request = json!({"url": URL});
    for _ in 0..10 {
        webhooks.create(&request).await;
    }
    let answer = webhooks.send("POST", WEBHOOKS, Some(&request)).await;
    answer.is_error(409, "m_h_c_1");
    assert!(answer.body.contains("at most 10"), "{}", answer.body);
}

#[actix_web::test]
async fn disabled_outbound_connections_are_reported() {
    let app = App::new().await;
    let request = json!({"url": URL});
    let answer = send(&app, &app.secret, "POST", WEBHOOKS, Some(&request)).await;
    answer.is_error(409, "m_h_d_1");
    assert!(answer.body.contains("/api/v1/events"), "{}", answer.body);
}

#[actix_web::test]
async fn changes_are_audited_with_the_key() {
    let webhooks = WebhookApp::new().await;
    let path = webhooks.path().await;
    let change =
        json!({"url": "https://hooks.example/token", "types": ["key.issued"], "state": "paused"});
    data(&webhooks.send("PATCH", &path, Some(&change)).await);
    let replay = json!({"event": 1});
    for (method, action, body) in [
        ("POST", "/rotate", None),
        ("POST", "/test", None),
        ("POST", "/replay", Some(&replay)),
        ("DELETE", "", None),
    ] {
        data(
            &webhooks
                .send(method, &format!("{path}{action}"), body)
                .await,
        );
    }
    let app = &webhooks.app;
    let operator = &app.state.services.operator;
    let records = operator.audit_log(0, 100).await.unwrap();
    let entries: Vec<_> = records
        .iter()
        .map(|record| &record.entry)
        .filter(|entry| entry.action.as_str().starts_with("webhook."))
        .collect();
    let client = app.client.id;
    let details: Vec<_> = entries
        .iter()
        .map(|entry| (entry.action.as_str(), entry.detail.as_str()))
        .collect();
    assert_eq!(
        details,
        [
            ("webhook.created", &*format!("client {client}, live, hmac")),
            ("webhook.changed", "url"),
            ("webhook.changed", "filter"),
            ("webhook.changed", "paused"),
            ("webhook.rotated", ""),
            ("webhook.tested", ""),
            ("webhook.replayed", "event 1"),
            ("webhook.deleted", ""),
        ]
    );
    for entry in entries {
        assert_eq!(entry.actor, Actor::Key(app.key.id));
        assert!(path.ends_with(&entry.subject), "{entry:?}");
    }
}
