//! Quotes: what the next lookups cost, without recording any.

use crate::common::{Answer, App, REGISTER, post_json};
use serde_json::{Value, json};
use voight_domain::metering::{LedgerId, Limit};
use voight_domain::rate_limit::RateLimitPolicy;
use voight_domain::registry::{Actor, ContextChange};
use voight_domain::vocabulary::{Environment, Scope};
use voight_http::HttpSettings;

const QUOTES: &str = "/api/v1/quotes";
const BATCH: &str = "/api/v1/users/eoa/batch";

async fn quote(app: &App, secret: &str, context: &str, units: &Value) -> Answer {
    app.send(post_json(
        QUOTES,
        secret,
        json!({"context_id": context, "units": units}).to_string(),
    ))
    .await
}

/// Creates an app without rate limits, which count every entry of a batch.
async fn unlimited() -> App {
    let limits = RateLimitPolicy {
        enabled: false,
        ..RateLimitPolicy::default()
    };
    App::with_settings(HttpSettings {
        limits,
        ..HttpSettings::default()
    })
    .await
}

async fn look_up(app: &App, context: &str, count: u32) {
    for first in (0..count).step_by(1_000) {
        let addresses: Vec<_> = (first..count.min(first + 1_000))
            .map(|number| format!("0x{number:040x}"))
            .collect();
        let body = json!({"context_id": context, "eoa_addresses": addresses}).to_string();
        assert_eq!(
            app.send(post_json(BATCH, &app.secret, body)).await.status,
            200
        );
    }
}

async fn rows(app: &App) -> usize {
    app.ports
        .store
        .rows(LedgerId::live(app.client.id), 0, 9_999)
        .await
        .unwrap()
        .len()
}

#[actix_web::test]
async fn quote_equals_the_invoice_after_the_lookups() {
    let app = unlimited().await;
    let context = app.context().await;
    let mut charges = 0;
    for (count, free, charged) in [(900, 900, 0), (1_500, 100, 1_400), (2_000, 0, 2_000)] {
        let rows_before = rows(&app).await;
        let answer = quote(&app, &app.secret, &context, &json!(count)).await;
        assert_eq!(
            (answer.status, rows(&app).await),
            (200, rows_before),
            "{}",
            answer.body
        );
        let data = &answer.json()["data"];
        assert_eq!(
            (&data["free"], &data["charged"]),
            (&json!(free), &json!(charged))
        );
        assert_eq!(data["charges_before"]["minor"], charges);
        look_up(&app, &context, count).await;
        let draft = app
            .state
            .services
            .billing
            .preview(&app.client, None)
            .await
            .unwrap()
            .statement;
        assert_eq!(data["amount"]["minor"], draft.total.minor - charges);
        let lines: Vec<_> = data["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| &line["amount"]["minor"])
            .collect();
        assert_eq!(
            lines,
            draft
                .lines
                .iter()
                .map(|line| line.amount.minor)
                .collect::<Vec<_>>()
        );
        assert_eq!(
            (&data["binding"], data.get("quote_id")),
            (&json!(false), None)
        );
        charges = draft.total.minor;
    }
    assert!(charges > 0, "nothing was charged");
}

/// Returns the total of the draft invoice of the running period in minor units.
async fn charges(app: &App) -> i64 {
    app.state
        .services
        .billing
        .preview(&app.client, None)
        .await
        .unwrap()
        .statement
        .total
        .minor
}

#[actix_web::test]
async fn quotes_taken_first_reserve_nothing() {
    let app = unlimited().await;
    let context = app.context().await;
    for _ in 0..36 {
        let answer = quote(&app, &app.secret, &context, &json!(1_000))
            .await
            .json();
        assert_eq!(
            (
                &answer["data"]["binding"],
                &answer["data"]["amount"]["minor"]
            ),
            (&json!(false), &json!(0))
        );
    }
    let request = json!({"context_id": context, "source": "upload", "quote_id": "AQIDBA"});
    app.send(post_json(
        "/api/v1/snapshots",
        &app.secret,
        request.to_string(),
    ))
    .await
    .is_error(400, "m_g_p_1");
    look_up(&app, &context, 3_000).await;
    let estimate = quote(&app, &app.secret, &context, &json!(1_000))
        .await
        .json();
    assert_eq!(
        charges(&app).await,
        2 * estimate["data"]["amount"]["minor"].as_i64().unwrap()
    );
}

#[actix_web::test]
async fn cap_limits_quotes() {
    let app = App::new().await;
    let context = app.context().await;
    app.state
        .services
        .billing
        .set_limit(&app.client, Limit::Lookups(Some(5)))
        .await
        .unwrap();
    look_up(&app, &context, 2).await;
    assert_eq!(
        quote(&app, &app.secret, &context, &json!(3)).await.status,
        200
    );
    let rejection = quote(&app, &app.secret, &context, &json!(4)).await;
    rejection.is_error(402, "m_b_q_1");
    assert_eq!(rejection.json()["error"]["remaining"], 3);
}

#[actix_web::test]
async fn quote_needs_a_number_and_a_context_of_the_key() {
    let app = App::new().await;
    let context = app.context().await;
    for wrong in [
        json!(0),
        json!(-1),
        json!(1.5),
        json!("10"),
        json!(null),
        json!(1_000_000_001_u64),
    ] {
        quote(&app, &app.secret, &context, &wrong)
            .await
            .is_error(400, "m_g_p_1");
    }
    for largest in [json!(1_000_000_000), json!(1_000_000_000.0)] {
        assert_eq!(
            quote(&app, &app.secret, &context, &largest).await.status,
            200,
            "JSON has one type of number"
        );
    }
    quote(&app, &app.secret, "nonsense", &json!(1))
        .await
        .is_error(401, "m_a_c_1");
    let other_key = app.issue(Environment::Live, &Scope::ALL, &[]).await;
    quote(&app, other_key.secret.expose(), &context, &json!(1))
        .await
        .is_error(401, "m_a_c_1");
    let usage = app.issue(Environment::Live, &[Scope::UsageRead], &[]).await;
    quote(&app, usage.secret.expose(), &context, &json!(1))
        .await
        .is_error(403, "m_a_s_1");
    let archive = ContextChange {
        archived_at: Some(Some(app.now())),
        ..ContextChange::default()
    };
    let registry = &app.state.services.registry;
    registry
        .change_context(
            &context.parse().unwrap(),
            archive,
            Actor::Operator,
            String::new(),
        )
        .await
        .unwrap();
    assert_eq!(
        quote(&app, &app.secret, &context, &json!(1)).await.status,
        200,
        "its lookups are answered, too"
    );
}

#[actix_web::test]
async fn sandbox_key_gets_the_figures_of_its_own_ledger() {
    let app = unlimited().await;
    let context = app.context().await;
    look_up(&app, &context, 1_000).await;
    let key = app.issue(Environment::Sandbox, &Scope::ALL, &[]).await;
    let registration = app
        .send(post_json(
            REGISTER,
            key.secret.expose(),
            r#"{"context_title":"a"}"#,
        ))
        .await;
    let context = registration.json()["data"]["context_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let answer = quote(&app, key.secret.expose(), &context, &json!(1_100))
        .await
        .json();
    assert_eq!(
        (&answer["test"], &answer["data"]["free"]),
        (&json!(true), &json!(1_000))
    );
}
