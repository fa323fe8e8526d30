//! Event feed in the public API.

use crate::common::{ADDRESS, Answer, App};
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use std::time::Duration;
use voight_domain::ports::Override;
use voight_domain::registry::{Actor, AuditAction, AuditEntry};
use voight_domain::retention::RetentionPolicy;
use voight_domain::secrets::AddressDigest;
use voight_domain::verdict::{Nats, OverrideTo};
use voight_domain::vocabulary::{Environment, Scope};
use voight_http::HttpSettings;

const EVENTS: &str = "/api/v1/events";

async fn read(app: &App, secret: &str, query: &str) -> Answer {
    let request = TestRequest::get()
        .uri(&format!("{EVENTS}?{query}"))
        .insert_header(("x-api-key", secret));
    app.send(request).await
}

/// Returns the types of the events of a page.
fn types(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()["data"]["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["type"].as_str().unwrap().to_owned())
        .collect()
}

/// Sets the verdict of the address in a context, as an operator does.
async fn override_verdict(app: &App, context: &str, to: OverrideTo) {
    let change = Override {
        context: context.parse().unwrap(),
        address: ADDRESS.parse().unwrap(),
        digest: AddressDigest([1; 16]),
        verdict: to,
        tau: Nats::from_milli(3000),
        reason: String::new(),
    };
    let entry = AuditEntry {
        at: app.now(),
        actor: Actor::Operator,
        action: AuditAction::VerdictOverridden,
        subject: context.to_owned(),
        detail: String::new(),
    };
    app.ports
        .store
        .override_verdict(change, entry)
        .await
        .unwrap();
}

#[actix_web::test]
async fn feed_has_a_verdict_only_after_a_lookup() {
    let app = App::new().await;
    let context = app.context().await;
    override_verdict(&app, &context, OverrideTo::Human).await;
    override_verdict(&app, &context, OverrideTo::Bot).await;
    override_verdict(&app, &context, OverrideTo::Human).await;
    assert_eq!(app.send(app.look_up(&context, ADDRESS)).await.status, 200);
    override_verdict(&app, &context, OverrideTo::Bot).await;
    let answer = read(&app, &app.secret, "after=2").await;
    let client = app.client.id;
    let event = |number: u64, event_type: &str, data: Value| {
        json!({
            "id": format!("{client}-{number}"), "number": number, "type": event_type,
            "timestamp": "2026-11-21T10:00:00Z", "data": data,
        })
    };
    let subject = json!({ "environment": "live", "context_id": context, "eoa_address": ADDRESS });
    let mut flagged_subject = subject.clone();
    flagged_subject["isBot"] = json!(true);
    flagged_subject["confidence"] = json!({ "score": 1 });
    let expected_events = [
        event(3, "verdict.changed", subject),
        event(4, "verdict.flagged", flagged_subject),
    ];
    let expected = json!({
        "success": true,
        "data": { "events": expected_events, "next": 4, "done": true },
    });
    assert_eq!((answer.status, answer.json()), (200, expected));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

#[actix_web::test]
async fn feed_is_paged_and_filtered() {
    let app = App::new().await;
    for _ in 0..3 {
        app.context().await;
    }
    let first_page = read(&app, &app.secret, "limit=2").await;
    assert_eq!(types(&first_page), ["key.issued", "context.created"]);
    let data = &first_page.json()["data"];
    assert_eq!((&data["next"], &data["done"]), (&json!(2), &json!(false)));
    let last_page = read(&app, &app.secret, "after=2&limit=2").await;
    assert_eq!(types(&last_page), ["context.created"; 2]);
    let key_events = read(&app, &app.secret, "types=key.issued,key.revoked").await;
    assert_eq!(types(&key_events), ["key.issued"]);
    assert_eq!(key_events.json()["data"]["next"], 4, "the page was scanned");
    let no_events = read(&app, &app.secret, "types=invoice.paid&after=4").await;
    assert_eq!(types(&no_events), [""; 0]);
}

#[actix_web::test]
async fn sandbox_key_reads_events_of_the_sandbox() {
    let app = App::new().await;
    app.context().await;
    let sandbox_key = app.issue(Environment::Sandbox, &Scope::ALL, &[]).await;
    let answer = read(&app, sandbox_key.secret.expose(), "").await;
    assert_eq!(types(&answer), ["key.issued"]);
    let live_types = types(&read(&app, &app.secret, "").await);
    assert_eq!(live_types, ["key.issued", "context.created", "key.issued"]);
}

#[actix_web::test]
async fn deleted_events_are_reported() {
    let app = App::new().await;
    app.context().await;
    app.wait(RetentionPolicy::EVENT_RETENTION + Duration::from_secs(1));
    let before = RetentionPolicy::events_before(app.now());
    let purged_count = app.ports.store.purge_events(before, 100).await.unwrap();
    assert_eq!(purged_count, 2);
    app.context().await;
    let answer = read(&app, &app.secret, "after=1").await;
    answer.is_error(410, "m_e_c_1");
    assert!(answer.body.contains("continue after 2"), "{}", answer.body);
    assert_eq!(
        types(&read(&app, &app.secret, "after=2").await),
        ["context.created"]
    );
    assert_eq!(
        types(&read(&app, &app.secret, "").await),
        ["context.created"]
    );
}

#[actix_web::test]
async fn malformed_feed_requests_are_rejected() {
    let app = App::new().await;
    for (query, words) in [
        ("after=-1", "after is the number of an event"),
        ("after=x", "after is the number of an event"),
        ("limit=0", "limit is a number from 1 to 100"),
        ("limit=101", "limit is a number from 1 to 100"),
        ("wait=31", "wait is a number of seconds from 0 to 30"),
        ("types=", "there is no event type"),
        ("types=key.issued,verdict.gone", "verdict.gone"),
        ("kind=key.issued", "unknown query parameter"),
    ] {
        let answer = read(&app, &app.secret, query).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(words), "{query}: {}", answer.body);
    }
}

/// Runs `work` a moment after `request` was sent, and returns the answer.
async fn answer_while(
    request: impl Future<Output = Answer>,
    work: impl Future<Output = ()>,
) -> Answer {
    let later = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        work.await;
    };
    let both = async { tokio::join!(request, later) };
    let (answer, ()) = tokio::time::timeout(Duration::from_secs(20), both)
        .await
        .expect("the request is answered");
    answer
}

#[actix_web::test]
async fn waiting_request_is_answered_by_an_event() {
    let app = App::new().await;
    let request = read(&app, &app.secret, "after=1&wait=30&types=context.created");
    let answer = answer_while(
        Box::pin(request),
        Box::pin(async {
            app.context().await;
        }),
    )
    .await;
    assert_eq!(types(&answer), ["context.created"]);
}

#[actix_web::test]
async fn waiting_request_ends_at_its_deadline() {
    let app = App::new().await;
    let request = read(&app, &app.secret, "after=1&wait=30");
    let answer = answer_while(Box::pin(request), async {
        app.wait(Duration::from_secs(30));
    })
    .await;
    assert_eq!(types(&answer), [""; 0]);
    assert_eq!(answer.json()["data"]["next"], 1);
}

#[actix_web::test]
async fn waiting_request_takes_no_permit() {
    let settings = HttpSettings {
        max_concurrent_requests: 1,
        ..HttpSettings::default()
    };
    let app = App::with_settings(settings).await;
    let other_key = app.issue_to_other_client(&Scope::ALL).await;
    let context = app.context().await;
    let request = read(&app, other_key.secret.expose(), "after=9&wait=30");
    let answer = answer_while(
        Box::pin(request),
        Box::pin(async {
            let lookup = app.send(app.look_up(&context, ADDRESS)).await;
            assert_eq!(lookup.status, 200, "{}", lookup.body);
            app.wait(Duration::from_secs(30));
        }),
    )
    .await;
    assert_eq!(answer.status, 200);
}

#[actix_web::test]
async fn ninth_waiting_request_is_answered_at_once() {
    let app = App::new().await;
    let wait = || read(&app, &app.secret, "after=1&wait=30");
    let waiting_requests = futures_util::future::join_all((0..8).map(|_| wait()));
    let ninth_request = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(types(&wait().await), [""; 0]);
        app.wait(Duration::from_secs(30));
    };
    let (answers, ()) = tokio::time::timeout(Duration::from_secs(20), async {
        tokio::join!(waiting_requests, ninth_request)
    })
    .await
    .expect("the ninth request is answered before the others");
    assert!(answers.iter().all(|answer| answer.status == 200));
}
