//! Exports of usage by the client, validated against the published schemas of the receiving programs.

use crate::common::{ADDRESS, Answer, App, REGISTER, look_up, post_json};
use actix_web::test::TestRequest;
use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::time::Duration;
use voight_domain::vocabulary::{Environment, Scope};

const EXPORT: &str = "/api/v1/usage/export";

fn export(secret: &str, query: &str) -> TestRequest {
    TestRequest::get()
        .uri(&format!("{EXPORT}?{query}"))
        .insert_header(("x-api-key", secret))
}

/// Creates a client with lookups beyond its allowance, across the end of a period, in two contexts and with two keys.
async fn used() -> App {
    let app = App::new().await;
    let contexts = [app.context().await, app.context().await];
    for number in 0..1_002 {
        app.wait(Duration::from_millis(250));
        assert_eq!(
            app.send(app.look_up(&contexts[number % 2], ADDRESS))
                .await
                .status,
            200
        );
    }
    let other_key = app.issue(Environment::Live, &Scope::ALL, &[]).await;
    let register_request = post_json(
        REGISTER,
        other_key.secret.expose(),
        r#"{"context_title":"winter"}"#,
    );
    let context = app.send(register_request).await.json()["data"]["context_id"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    app.wait(Duration::from_hours(10 * 24));
    assert_eq!(
        app.send(look_up(other_key.secret.expose(), &context, ADDRESS))
            .await
            .status,
        200
    );
    app
}

/// Returns all pages of an export, from the first to the last.
async fn pages(app: &App, query: &str) -> Vec<Answer> {
    let mut pages = Vec::new();
    let mut after = Some("0".to_owned());
    while let Some(from) = after {
        let page = app
            .send(export(&app.secret, &format!("{query}&after={from}")))
            .await;
        assert_eq!(page.status, 200, "{}", page.body);
        after = page.header("voight-next").map(str::to_owned);
        pages.push(page);
        app.wait(Duration::from_secs(1));
    }
    pages
}

fn lines(pages: &[Answer]) -> Vec<Value> {
    pages
        .iter()
        .flat_map(|page| page.body.lines())
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn schema(text: &str) -> Validator {
    let schema = serde_json::from_str(text).expect("JSON");
    jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("a schema")
}

#[track_caller]
fn assert_valid(schema: &Validator, lines: &[Value]) {
    for line in lines {
        let wrong: Vec<_> = schema
            .iter_errors(line)
            .map(|error| error.to_string())
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}: {line}");
    }
}

/// Date range that contains all lookups of [`used`].
const ALL: &str = "from=2026-11-01&to=2027-01-01";

#[actix_web::test]
async fn every_cloud_event_is_one_that_openmeter_takes() {
    let app = used().await;
    let pages = pages(&app, &format!("format=cloudevents&{ALL}&limit=400")).await;
    assert_eq!(
        pages[0].header("content-type"),
        Some("application/x-ndjson")
    );
    let events = lines(&pages);
    assert_valid(
        &schema(include_str!("schemas/openmeter-event.json")),
        &events,
    );
    assert_eq!((pages.len(), events.len()), (3, 1_003));
    let ids: HashSet<_> = events.iter().map(|event| event["id"].as_str()).collect();
    assert_eq!(ids.len(), events.len());
    assert_eq!(
        events
            .iter()
            .filter(|event| event["data"]["free"] == json!(false))
            .count(),
        3
    );
    // The end of the period has a sequence number but is not an event.
    assert_eq!(
        (&events[1_001]["data"]["seq"], &events[1_002]["data"]["seq"]),
        (&json!(1_002), &json!(1_004))
    );
    assert!(!pages.iter().any(|page| page.body.contains(ADDRESS)));
}

#[actix_web::test]
async fn every_line_for_lago_is_a_batch_that_it_takes() {
    let app = used().await;
    let batches = lines(&pages(&app, &format!("format=lago&{ALL}&limit=250")).await);
    assert_valid(&schema(include_str!("schemas/lago-batch.json")), &batches);
    let events: Vec<_> = batches
        .iter()
        .flat_map(|batch| batch["events"].as_array().expect("events"))
        .collect();
    let ids: HashSet<_> = events
        .iter()
        .map(|event| event["transaction_id"].as_str())
        .collect();
    assert_eq!((events.len(), ids.len()), (1_003, 1_003));
}

#[test]
fn schemas_reject_every_rejected_document() {
    let openmeter = schema(include_str!("schemas/openmeter-event.json"));
    let event = json!({"specversion": "1.0", "id": "a", "source": "/b", "type": "c", "subject": "d", "time": "2026-11-21T10:00:00Z"});
    assert!(openmeter.is_valid(&event));
    for (member, wrong) in [
        ("id", json!("")),
        ("time", json!("today")),
        ("data", json!([])),
        ("seq", json!(1)),
    ] {
        let mut event = event.clone();
        event[member] = wrong;
        assert!(!openmeter.is_valid(&event), "{event}");
    }
    let lago = schema(include_str!("schemas/lago-batch.json"));
    let event = json!({"transaction_id": "a", "external_subscription_id": "b", "code": "c", "properties": {"d": "1"}});
    assert!(lago.is_valid(&json!({ "events": [event] })));
    assert!(!lago.is_valid(&json!({ "events": vec![event.clone(); 101] })));
    let mut numbers = event;
    numbers["properties"]["d"] = json!(true);
    assert!(!lago.is_valid(&json!({ "events": [numbers] })));
}

#[actix_web::test]
async fn table_has_its_headings_on_every_page() {
    let app = used().await;
    let pages = pages(&app, &format!("format=csv&{ALL}&limit=1000")).await;
    assert_eq!(pages[0].header("content-type"), Some("text/csv"));
    for (page, count) in pages.iter().zip([1_001, 4]) {
        let mut rows = page.body.split_terminator("\r\n");
        assert_eq!(
            rows.next(),
            Some("seq,at,context_id,key_id,free,is_bot,score,commitment")
        );
        assert!(page.body.lines().all(|line| line.split(',').count() == 8));
        assert_eq!(page.body.lines().count(), count);
    }
    assert_eq!(pages.len(), 2);
}

#[actix_web::test]
async fn export_is_of_a_span_of_time_and_of_one_ledger() {
    let app = used().await;
    let december = lines(&pages(&app, "format=cloudevents&from=2026-12-01&to=2027-01-01").await);
    assert_eq!(december.len(), 1);
    let last = lines(
        &pages(
            &app,
            "format=cloudevents&from=2026-11-21T10:04:10.250Z&to=2026-12-01",
        )
        .await,
    );
    assert_eq!(last.len(), 2, "{last:?}");
    let test = app.issue(Environment::Sandbox, &Scope::ALL, &[]).await;
    let sandbox = app
        .send(export(
            test.secret.expose(),
            &format!("format=cloudevents&{ALL}"),
        ))
        .await;
    assert_eq!(
        (
            sandbox.status,
            sandbox.body.as_str(),
            sandbox.header("voight-next")
        ),
        (200, "", None)
    );
}

#[actix_web::test]
async fn malformed_export_pages_are_rejected() {
    let app = App::new().await;
    for (query, words) in [
        ("", "parameter format is missing"),
        ("format=xml", "one of csv, cloudevents, lago"),
        ("format=CSV", "one of csv, cloudevents, lago"),
        ("format=csv&from=then", "from is neither a date"),
        ("format=csv&after=-1", "after is the number of a row"),
        ("format=csv&after=", "after is the number of a row"),
        ("format=csv&limit=0", "from 1 to 10000"),
        ("format=csv&limit=10001", "from 1 to 10000"),
        ("format=csv&limit=%2B5", "from 1 to 10000"),
        ("format=csv&page=2", "this path takes format and from"),
    ] {
        let answer = app.send(export(&app.secret, query)).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(words), "{query}: {}", answer.body);
    }
    let blind = app
        .issue(Environment::Live, &[Scope::LookupRead], &[])
        .await;
    app.send(export(blind.secret.expose(), "format=xml"))
        .await
        .is_error(403, "m_a_s_1");
}
