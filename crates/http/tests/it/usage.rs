//! Usage in the public API.

use crate::common::{ADDRESS, App, REGISTER, look_up, post_json};
use actix_web::test::TestRequest;
use serde_json::json;
use std::time::Duration;
use voight_domain::metering::SignedHead;
use voight_domain::rate_limit::RateLimitPolicy;
use voight_domain::vocabulary::{Environment, Scope};
use voight_http::HttpSettings;

const USAGE: &str = "/api/v1/usage";
const HEAD: &str = "/api/v1/usage/head";

fn read(secret: &str, path: &str) -> TestRequest {
    TestRequest::get()
        .uri(path)
        .insert_header(("x-api-key", secret))
}

/// Makes lookups over a day and a half: three on 21 November 2026, one on the next day.
async fn used() -> (App, String) {
    let app = App::new().await;
    let context = app.context().await;
    for _ in 0..3 {
        assert_eq!(app.send(app.look_up(&context, ADDRESS)).await.status, 200);
    }
    app.wait(Duration::from_hours(24));
    assert_eq!(app.send(app.look_up(&context, ADDRESS)).await.status, 200);
    (app, context)
}

#[actix_web::test]
async fn usage_is_grouped_by_day_and_context() {
    let (app, context) = used().await;
    let last = app.send(app.look_up(&context, ADDRESS)).await;
    let expected_usage = json!({
        "success": true,
        "data": {
            "from": "2026-11-01T00:00:00Z", "to": "2026-12-01T00:00:00Z", "billable": 5, "free": 5, "charged": 0,
            "days": [
                { "date": "2026-11-21", "billable": 3, "free": 3, "charged": 0 },
                { "date": "2026-11-22", "billable": 2, "free": 2, "charged": 0 },
            ],
            "contexts": [{ "context_id": context, "billable": 5, "free": 5, "charged": 0 }],
            "head": { "seq": 5, "head": last.chain_head() },
        },
    });
    let answer = app.send(read(&app.secret, USAGE)).await;
    assert_eq!((answer.status, answer.json()), (200, expected_usage));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    // Reading usage is not billed.
    assert_eq!(
        app.send(read(&app.secret, USAGE)).await.json()["data"]["billable"],
        5
    );
}

#[actix_web::test]
async fn usage_is_queried_by_dates_and_times() {
    let (app, _) = used().await;
    for (query, billable) in [
        ("from=2026-11-21&to=2026-11-22", 3),
        ("from=2026-11-22", 1),
        ("to=2026-11-22T10:00:00Z", 3),
        ("to=2026-11-22T10:00:00.001Z", 4),
        (
            "from=2026-11-21T11:00:00%2B01:00&to=2026-11-21T10:00:00.001Z",
            3,
        ),
        ("from=2025-11-01&to=2025-12-01", 0),
    ] {
        let answer = app
            .send(read(&app.secret, &format!("{USAGE}?{query}")))
            .await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.body);
        assert_eq!(answer.json()["data"]["billable"], billable, "{query}");
        assert_eq!(answer.json()["data"]["head"]["seq"], 4, "{query}");
    }
}

#[actix_web::test]
async fn malformed_date_ranges_are_rejected() {
    let app = App::new().await;
    for (query, words) in [
        (
            "from=yesterday",
            "from is neither a date such as 2026-11-01",
        ),
        ("to=", "to is neither"),
        ("from=2026-11-21T11:00:00+01:00", "from is neither"),
        ("from=2026-11-02&to=2026-11-02", "to is not after from"),
        ("from=2027-01-01", "to is not after from"),
        ("from=2025-01-01", "more than 400 days"),
        ("from=2026-11-01&from=2026-11-02", "from is repeated"),
        ("since=2026-11-01", "this path takes from and to"),
    ] {
        let answer = app
            .send(read(&app.secret, &format!("{USAGE}?{query}")))
            .await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(words), "{query}: {}", answer.body);
    }
    app.send(read(&app.secret, &format!("{HEAD}?at=now")))
        .await
        .is_error(400, "m_g_p_1");
}

#[actix_web::test]
async fn usage_covers_all_keys_of_the_client_only() {
    let (app, context) = used().await;
    let reader = app.issue(Environment::Live, &[Scope::UsageRead], &[]).await;
    let usage = app.send(read(reader.secret.expose(), USAGE)).await.json();
    assert_eq!(
        (
            &usage["data"]["billable"],
            &usage["data"]["contexts"][0]["context_id"]
        ),
        (&json!(4), &json!(context))
    );
    let key = app.issue_to_other_client(&Scope::ALL).await;
    let usage = app.send(read(key.secret.expose(), USAGE)).await.json();
    assert_eq!(
        (&usage["data"]["billable"], &usage["data"]["head"]["seq"]),
        (&json!(0), &json!(0))
    );
}

#[actix_web::test]
async fn sandbox_key_sees_the_sandbox() {
    let (app, _) = used().await;
    let test = app.issue(Environment::Sandbox, &Scope::ALL, &[]).await;
    let secret = test.secret.expose();
    let registration = app
        .send(post_json(REGISTER, secret, r#"{"context_title":"try"}"#))
        .await;
    let context = registration.json()["data"]["context_id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        app.send(look_up(secret, &context, ADDRESS)).await.status,
        200
    );
    let usage = app.send(read(secret, USAGE)).await.json();
    assert_eq!(
        (&usage["test"], &usage["data"]["billable"]),
        (&json!(true), &json!(1))
    );
    assert_eq!(usage["data"]["contexts"][0]["context_id"], json!(context));
    let head = app.send(read(secret, HEAD)).await.json();
    assert_eq!(
        (&head["test"], &head["data"]["seq"]),
        (&json!(true), &json!(1))
    );
}

#[actix_web::test]
async fn ledger_head_verifies_with_published_keys() {
    let (app, context) = used().await;
    let last = app.send(app.look_up(&context, ADDRESS)).await;
    let answer = app.send(read(&app.secret, HEAD)).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let data = answer.json()["data"].clone();
    assert_eq!(
        (&data["seq"], &data["head"]),
        (&json!(5), &json!(last.chain_head()))
    );
    let head_token = data["signed"].as_str().unwrap();
    let head =
        SignedHead::from_token(head_token, app.ports.secrets.signer().public_keys()).unwrap();
    assert_eq!(
        (head.client, head.environment, head.seq),
        (app.client.id, Environment::Live, 5)
    );
    assert_eq!(
        (head.head.to_string(), head.at.to_string()),
        (last.chain_head(), data["at"].as_str().unwrap().to_owned())
    );
}

#[actix_web::test]
async fn usage_checks_the_scope_before_the_query() {
    let app = App::new().await;
    let blind = app
        .issue(
            Environment::Live,
            &[Scope::LookupRead, Scope::ContextRegister],
            &[],
        )
        .await;
    for path in [USAGE, HEAD] {
        let wrong = format!("{path}?from=yesterday");
        app.send(TestRequest::get().uri(&wrong))
            .await
            .is_error(401, "m_a_k_1");
        app.send(read(blind.secret.expose(), &wrong))
            .await
            .is_error(403, "m_a_s_1");
        app.send(read(&app.secret, &wrong).insert_header(("sec-fetch-site", "same-origin")))
            .await
            .is_error(403, "m_a_b_1");
        app.send(TestRequest::post().uri(path))
            .await
            .is_error(405, "m_g_m_1");
    }
}

#[actix_web::test]
async fn reads_of_usage_have_a_limit_of_their_own() {
    let limits = RateLimitPolicy {
        usage_burst: 2,
        ..RateLimitPolicy::default()
    };
    let app = App::with_settings(HttpSettings {
        limits,
        ..HttpSettings::default()
    })
    .await;
    let first = app.send(read(&app.secret, USAGE)).await;
    assert_eq!(first.header("ratelimit-policy"), Some(r#""usage";q=2;w=2"#));
    assert_eq!(app.send(read(&app.secret, HEAD)).await.status, 200);
    let rejection = app.send(read(&app.secret, USAGE)).await;
    rejection.is_error(429, "m_g_r_1");
    assert_eq!(rejection.header("retry-after"), Some("1"));
    assert_eq!(app.send(app.register("quest")).await.status, 200);
    app.wait(Duration::from_secs(1));
    assert_eq!(app.send(read(&app.secret, USAGE)).await.status, 200);
}
