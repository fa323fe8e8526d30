//! Batch lookups: order, duplicates, invalid addresses, sizes, caps and retries.

use crate::common::{Answer, App, REGISTER, look_up, post_json};
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use std::time::Duration;
use voight_domain::metering::{DailyLookups, LedgerId, Limit, MAX_BATCH_ADDRESSES, RowKind};
use voight_domain::rate_limit::RateLimitPolicy;
use voight_domain::vocabulary::{Environment, EoaAddress, Scope};
use voight_http::HttpSettings;

const BATCH: &str = "/api/v1/users/eoa/batch";
const MIXED_CASE: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

fn address(number: usize) -> String {
    format!("0x{number:040x}")
}

fn batch(app: &App, context: &str, addresses: &Value) -> TestRequest {
    post_json(
        BATCH,
        &app.secret,
        json!({"context_id": context, "eoa_addresses": addresses}).to_string(),
    )
}

async fn ask(app: &App, context: &str, addresses: &Value) -> Answer {
    app.send(batch(app, context, addresses)).await
}

async fn looked_up(app: &App) -> Vec<EoaAddress> {
    let rows = app
        .ports
        .store
        .rows(LedgerId::live(app.client.id), 0, 9_999)
        .await
        .unwrap();
    assert!(
        rows.iter()
            .all(|entry| matches!(entry.row.kind, RowKind::Lookup(_)))
    );
    rows.iter()
        .filter_map(|entry| Some(entry.opening?.address))
        .collect()
}

#[actix_web::test]
async fn results_keep_order_and_fail_alone() {
    let app = App::new().await;
    let context = app.context().await;
    let wrong_checksum = MIXED_CASE.replace("5aA", "5aa");
    let request_addresses = json!([
        address(9),
        "",
        MIXED_CASE,
        "vitalik.eth",
        address(2),
        wrong_checksum,
        MIXED_CASE.to_lowercase()
    ]);
    let answer = ask(&app, &context, &request_addresses).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let data = &answer.json()["data"];
    let ids: Vec<_> = data["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| &result["error"]["id"])
        .collect();
    let fine = &Value::Null;
    let malformed = &json!("m_l_e_1");
    assert_eq!(
        ids,
        [
            fine,
            malformed,
            fine,
            malformed,
            fine,
            &json!("m_l_e_2"),
            fine
        ]
    );
    let result_addresses: Vec<_> = data["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| &result["eoa_address"])
        .collect();
    assert_eq!(
        result_addresses,
        request_addresses
            .as_array()
            .unwrap()
            .iter()
            .collect::<Vec<_>>()
    );
    assert_eq!(
        data["units"], 3,
        "two spellings of one address are one lookup"
    );
    let billed_addresses: Vec<_> = [address(2), address(9), MIXED_CASE.to_owned()]
        .map(|text| text.parse().unwrap())
        .into();
    assert_eq!(
        looked_up(&app).await,
        billed_addresses,
        "rows are in ascending order of the addresses"
    );
    assert!(
        answer
            .header("voight-meter")
            .unwrap()
            .starts_with("seq=3, head=")
    );
    assert!(answer.header("ratelimit").is_some());
    let text = app
        .state
        .metrics
        .render(voight_http::TextFormat::Classic)
        .unwrap();
    assert!(
        text.contains(r#"voight_lookups_total{outcome="recorded"} 3"#),
        "{text}"
    );
}

#[actix_web::test]
async fn one_address_a_thousand_times_is_billed_once() {
    let app = App::new().await;
    let context = app.context().await;
    let request_addresses: Vec<_> = (0..MAX_BATCH_ADDRESSES)
        .map(|index| {
            if index % 2 == 0 {
                MIXED_CASE.to_owned()
            } else {
                MIXED_CASE.to_lowercase()
            }
        })
        .collect();
    let answer = ask(&app, &context, &json!(request_addresses)).await.json();
    assert_eq!(answer["data"]["units"], 1);
    assert_eq!(
        answer["data"]["results"].as_array().map(Vec::len),
        Some(MAX_BATCH_ADDRESSES)
    );
    assert_eq!(looked_up(&app).await.len(), 1);
}

#[actix_web::test]
async fn largest_batch_has_one_row_for_each_address() {
    let app = App::new().await;
    let context = app.context().await;
    let request_addresses: Vec<_> = (0..MAX_BATCH_ADDRESSES).rev().map(address).collect();
    let body = serde_json::to_string_pretty(
        &json!({"context_id": context, "eoa_addresses": request_addresses}),
    )
    .unwrap();
    let answer = app.send(post_json(BATCH, &app.secret, body)).await;
    assert_eq!(
        (answer.status, &answer.json()["data"]["units"]),
        (200, &json!(MAX_BATCH_ADDRESSES))
    );
    let rows = looked_up(&app).await;
    assert_eq!(rows.len(), MAX_BATCH_ADDRESSES);
    assert!(rows.is_sorted());
}

#[actix_web::test]
async fn batch_without_valid_addresses_bills_nothing() {
    let app = App::new().await;
    let context = app.context().await;
    let answer = ask(&app, &context, &json!(["0x12", "0x"])).await.json();
    assert_eq!(
        (&answer["success"], &answer["data"]["units"]),
        (&json!(true), &json!(0))
    );
    assert_eq!(looked_up(&app).await, []);
    ask(&app, "nonsense", &json!(["0x12"]))
        .await
        .is_error(401, "m_a_c_1");
}

#[actix_web::test]
async fn batch_of_the_wrong_size_or_form_is_rejected() {
    let app = App::new().await;
    let context = app.context().await;
    for count in [0, MAX_BATCH_ADDRESSES + 1] {
        let answer = ask(&app, &context, &json!(vec![address(1); count])).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains("1 to 1000"), "{}", answer.body);
    }
    for wrong in [
        json!(null),
        json!("0x"),
        json!([1]),
        json!([null]),
        json!([[address(1)]]),
    ] {
        ask(&app, &context, &wrong).await.is_error(400, "m_g_p_1");
    }
    let body = json!({"context_id": context, "eoa_addresses": [address(1)]}).to_string();
    let send = |body: String| app.send(post_json(BATCH, &app.secret, body));
    send(body[..body.len() / 2].to_owned())
        .await
        .is_error(400, "m_r_b_1");
    send(format!("{body}{}", " ".repeat((64 << 10) - body.len() + 1)))
        .await
        .is_error(413, "m_g_z_1");
    assert_eq!(
        send(format!("{body}{}", " ".repeat((64 << 10) - body.len())))
            .await
            .status,
        200
    );
    app.send(
        TestRequest::get()
            .uri(BATCH)
            .insert_header(("x-api-key", &*app.secret)),
    )
    .await
    .is_error(405, "m_g_m_1");
    assert_eq!(looked_up(&app).await.len(), 1);
}

#[actix_web::test]
async fn batch_above_the_cap_is_rejected_completely() {
    let app = App::new().await;
    let context = app.context().await;
    app.state
        .services
        .billing
        .set_limit(&app.client, Limit::Lookups(Some(5)))
        .await
        .unwrap();
    assert_eq!(
        ask(&app, &context, &json!([address(1), address(2)]))
            .await
            .status,
        200
    );
    let answer = ask(
        &app,
        &context,
        &json!([address(1), address(2), address(3), address(4)]),
    )
    .await;
    answer.is_error(402, "m_b_q_1");
    assert_eq!(answer.json()["error"]["remaining"], 3);
    assert!(
        answer.body.contains("has 4 billable lookups"),
        "{}",
        answer.body
    );
    assert_eq!(looked_up(&app).await.len(), 2);
    for _ in 0..3 {
        assert_eq!(
            app.send(app.look_up(&context, &address(1))).await.status,
            200
        );
    }
    let rejection = app.send(app.look_up(&context, &address(1))).await;
    rejection.is_error(402, "m_b_q_1");
    assert_eq!(
        rejection.json()["error"].get("remaining"),
        None,
        "the envelope of the plain lookup is fixed"
    );
}

#[actix_web::test]
async fn retry_may_reorder_its_addresses() {
    let app = App::new().await;
    let context = app.context().await;
    let request_addresses = [address(3), address(1), "bad".to_owned(), address(2)];
    let with_key = |addresses: Value| {
        batch(&app, &context, &addresses).insert_header(("idempotency-key", "one"))
    };
    let first = app.send(with_key(json!(request_addresses))).await;
    assert_eq!(
        (first.status, first.header("idempotency-replayed")),
        (200, None)
    );
    let reordered_answer = app
        .send(with_key(json!([address(1), address(2), address(3)])))
        .await;
    assert_eq!(
        (
            reordered_answer.status,
            reordered_answer.header("idempotency-replayed")
        ),
        (200, Some("true"))
    );
    assert_eq!(
        reordered_answer.header("voight-meter"),
        first.header("voight-meter")
    );
    let order: Vec<_> = reordered_answer.json()["data"]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["eoa_address"].clone())
        .collect();
    assert_eq!(order, [address(1), address(2), address(3)]);
    app.send(with_key(json!([address(1), address(2)])))
        .await
        .is_error(422, "m_g_i_2");
    assert_eq!(looked_up(&app).await.len(), 3);
    let usage_key = app.issue(Environment::Live, &[Scope::UsageRead], &[]).await;
    let body = json!({"context_id": context, "eoa_addresses": request_addresses}).to_string();
    app.send(post_json(BATCH, usage_key.secret.expose(), body))
        .await
        .is_error(403, "m_a_s_1");
}

#[actix_web::test]
async fn items_count_in_the_rate_limit_of_lookups() {
    let app = App::new().await;
    let context = app.context().await;
    let addresses = json!((0..MAX_BATCH_ADDRESSES).map(address).collect::<Vec<_>>());
    let first = ask(&app, &context, &addresses).await;
    assert_eq!(
        first.status, 200,
        "a full bucket admits one batch of any size: {}",
        first.body
    );
    assert!(
        first.header("ratelimit").unwrap().contains(";r=0;"),
        "{:?}",
        first.header("ratelimit")
    );
    let second = ask(&app, &context, &json!([address(1)])).await;
    second.is_error(429, "m_g_r_1");
    assert_eq!(
        second.header("retry-after").unwrap(),
        "4",
        "600 more than the burst, at 200 per second"
    );
    assert_eq!(looked_up(&app).await.len(), MAX_BATCH_ADDRESSES);
    app.wait(Duration::from_secs(4));
    let small_batch = ask(&app, &context, &json!([address(1), address(2)])).await;
    assert_eq!(small_batch.status, 200, "{}", small_batch.body);
    let rejection = ask(&app, &context, &addresses).await;
    rejection.is_error(429, "m_g_r_1");
    app.wait(Duration::from_secs(2));
    assert_eq!(
        ask(&app, &context, &addresses).await.status,
        200,
        "the bucket is full again"
    );
}

#[actix_web::test]
async fn sandbox_rejects_lookups_above_its_daily_limit() {
    let limits = RateLimitPolicy {
        enabled: false,
        ..RateLimitPolicy::default()
    };
    let app = App::with_settings(HttpSettings {
        limits,
        ..HttpSettings::default()
    })
    .await;
    let sandbox_key = app.issue(Environment::Sandbox, &Scope::ALL, &[]).await;
    let secret = sandbox_key.secret.expose();
    let registration = app
        .send(post_json(REGISTER, secret, r#"{"context_title":"spring"}"#))
        .await
        .json();
    let context = registration["data"]["context_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let addresses = json!((0..MAX_BATCH_ADDRESSES).map(address).collect::<Vec<_>>());
    let body = json!({"context_id": context, "eoa_addresses": addresses}).to_string();
    for _ in 0..DailyLookups::SANDBOX_LIMIT / MAX_BATCH_ADDRESSES as u64 {
        assert_eq!(
            app.send(post_json(BATCH, secret, body.clone()))
                .await
                .status,
            200
        );
    }
    let rejection = app.send(post_json(BATCH, secret, body)).await;
    rejection.is_error(402, "m_b_q_1");
    assert!(
        rejection
            .body
            .contains("the sandbox of the client has 0 left of 10000 today"),
        "{}",
        rejection.body
    );
    let lookup = app.send(look_up(secret, &context, MIXED_CASE)).await;
    lookup.is_error(402, "m_b_q_1");
    assert!(
        lookup.body.contains("has 10000 lookups a day"),
        "{}",
        lookup.body
    );
    let live = app.context().await;
    assert_eq!(
        app.send(app.look_up(&live, MIXED_CASE)).await.status,
        200,
        "live lookups are not limited"
    );
    app.wait(Duration::from_hours(24));
    assert_eq!(
        app.send(look_up(secret, &context, MIXED_CASE)).await.status,
        200
    );
}
