//! Receipts: redeemed once, only by the key of their context, and never billed.

use crate::common::{ADDRESS, Answer, App, REGISTER, post_json};
use actix_web::test::TestRequest;
use serde_json::json;
use std::time::Duration;
use voight_domain::check::{RECEIPT_TTL, Receipt};
use voight_domain::metering::LedgerId;
use voight_domain::secrets::{Pepper, Secrets};
use voight_domain::vocabulary::{Environment, ReceiptId, Scope};

const VERIFY: &str = "/api/v1/receipts/verify";
const FORGED: &str = r#"{"success":true,"data":{"status":"forged"}}"#;

/// Creates a receipt of this context, issued now; each `number` creates a different one.
pub(crate) fn receipt(app: &App, context: &str, number: u8) -> Receipt {
    Receipt {
        id: ReceiptId::new(app.now(), [number; 10]),
        context: context.parse().unwrap(),
        address: ADDRESS.parse().unwrap(),
        origin: "https://quest.example".parse().unwrap(),
        origin_allowlisted: true,
        owned: false,
        environment: Environment::Live,
        issued_at: app.now(),
    }
}

fn token(app: &App, receipt: &Receipt) -> String {
    receipt.to_token(&app.ports.secrets)
}

fn verify(secret: &str, token: &str) -> TestRequest {
    post_json(VERIFY, secret, json!({ "receipt": token }).to_string())
}

async fn redeem(app: &App, token: &str) -> Answer {
    app.send(verify(&app.secret, token)).await
}

/// Redeems a receipt with an idempotency key. Returns the status, and `true` if the response is a replay.
async fn retry(app: &App, token: &str, key: &'static str) -> (String, bool) {
    let answer = app
        .send(verify(&app.secret, token).insert_header(("idempotency-key", key)))
        .await;
    let is_replayed = answer.header("idempotency-replayed") == Some("true");
    (
        answer.json()["data"]["status"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        is_replayed,
    )
}

#[actix_web::test]
async fn receipt_is_valid_once_and_describes_its_check() {
    let app = App::new().await;
    let context = app.context().await;
    let token = token(&app, &receipt(&app, &context, 1));
    let members = format!(
        concat!(
            r#""context_id":"{}","eoa_address":"{}","origin":"https://quest.example","origin_allowlisted":true,"owned":false,"#,
            r#""test":false,"issued_at":"2026-11-21T10:00:00Z","expires_at":"2026-11-21T10:10:00Z""#
        ),
        context, ADDRESS
    );
    let first = redeem(&app, &token).await;
    assert_eq!(
        first.body,
        format!(r#"{{"success":true,"data":{{"status":"valid",{members}}}}}"#)
    );
    app.wait(Duration::from_secs(1));
    let used_body = format!(
        r#"{{"success":true,"data":{{"status":"used",{members},"used_at":"2026-11-21T10:00:00Z"}}}}"#
    );
    for _ in 0..2 {
        assert_eq!(redeem(&app, &token).await.body, used_body);
    }
}

#[actix_web::test]
async fn expired_receipt_describes_its_check() {
    let app = App::new().await;
    let context = app.context().await;
    let [last, late] = [1, 2].map(|number| token(&app, &receipt(&app, &context, number)));
    app.wait(RECEIPT_TTL.saturating_sub(Duration::from_millis(1)));
    assert_eq!(redeem(&app, &last).await.json()["data"]["status"], "valid");
    app.wait(Duration::from_millis(1));
    let data = &redeem(&app, &late).await.json()["data"];
    assert_eq!(
        (&data["status"], &data["eoa_address"]),
        (&json!("expired"), &json!(ADDRESS))
    );
    assert!(data.get("used_at").is_none(), "{data}");
}

#[actix_web::test]
async fn idempotency_key_belongs_to_one_receipt() {
    let app = App::new().await;
    let context = app.context().await;
    let [one, other] = [1, 2].map(|number| token(&app, &receipt(&app, &context, number)));
    let valid = "valid".to_owned();
    let used = "used".to_owned();
    assert_eq!(retry(&app, &one, "a").await, (valid.clone(), false));
    assert_eq!(retry(&app, &one, "\"a\"").await, (valid.clone(), true));
    assert_eq!(retry(&app, &one, "b").await, (used, false));
    let request = verify(&app.secret, &other).insert_header(("idempotency-key", "a"));
    app.send(request).await.is_error(422, "m_g_i_2");
    assert_eq!(retry(&app, &other, "c").await, (valid, false));
}

#[actix_web::test]
async fn invalid_receipts_get_no_details() {
    let app = App::new().await;
    let context = app.context().await;
    let valid_receipt = receipt(&app, &context, 1);
    let token = token(&app, &valid_receipt);
    let elsewhere = valid_receipt.to_token(&Secrets::derive(&Pepper::from_bytes([9; 32]), 0));
    let changed_token = token.replacen("eyJ", "eyK", 1);
    for forged in [
        "",
        "x",
        "a.b.c",
        &elsewhere,
        &changed_token,
        &token[..token.len() - 1],
    ] {
        assert_eq!(redeem(&app, forged).await.body, FORGED, "{forged}");
    }
    let stranger = app
        .issue(Environment::Live, &[Scope::LookupRead], &[])
        .await;
    assert_eq!(
        app.send(verify(stranger.secret.expose(), &token))
            .await
            .body,
        FORGED
    );
    assert_eq!(
        redeem(&app, &token).await.json()["data"]["status"],
        "valid",
        "the call with another client's key redeemed it"
    );
}

#[actix_web::test]
async fn receipt_of_the_sandbox_is_redeemed_there() {
    let app = App::new().await;
    let sandbox_key = app
        .issue(
            Environment::Sandbox,
            &[Scope::LookupRead, Scope::ContextRegister],
            &[],
        )
        .await;
    let secret = sandbox_key.secret.expose();
    let registration = app
        .send(post_json(REGISTER, secret, r#"{"context_title":"quest"}"#))
        .await
        .json();
    let context = registration["data"]["context_id"].as_str().unwrap();
    let sandbox = Receipt {
        environment: Environment::Sandbox,
        ..receipt(&app, context, 1)
    };
    let token = token(&app, &sandbox);
    let live = redeem(&app, &token).await;
    assert_eq!(live.body, FORGED);
    for status in ["valid", "used"] {
        let answer = app.send(verify(secret, &token)).await.json();
        assert_eq!(
            (&answer["test"], &answer["data"]["test"]),
            (&json!(true), &json!(true))
        );
        assert_eq!(answer["data"]["status"], status);
    }
}

#[actix_web::test]
async fn redeeming_is_rate_limited_and_free() {
    let app = App::new().await;
    let context = app.context().await;
    let token = token(&app, &receipt(&app, &context, 1));
    let first = redeem(&app, &token).await;
    assert!(
        first.header("ratelimit").unwrap().starts_with("\"lookup\""),
        "{:?}",
        first.header("ratelimit")
    );
    for _ in 0..3 {
        redeem(&app, &token).await;
    }
    redeem(&app, "forged").await;
    let store = &app.ports.store;
    assert_eq!(
        store
            .rows(LedgerId::live(app.client.id), 0, 9)
            .await
            .unwrap(),
        []
    );
    assert_eq!(
        store.meter(LedgerId::live(app.client.id)).await.unwrap(),
        None
    );
    let metrics = app
        .state
        .metrics
        .render(voight_http::TextFormat::Classic)
        .unwrap();
    for line in [
        r#"{outcome="valid"} 1"#,
        r#"{outcome="used"} 3"#,
        r#"{outcome="forged"} 1"#,
    ] {
        assert!(
            metrics.contains(&format!("voight_receipt_redemptions_total{line}")),
            "{line}: {metrics}"
        );
    }
    for _ in 0..400 {
        redeem(&app, "forged").await;
    }
    redeem(&app, &token).await.is_error(429, "m_g_r_1");
    app.send(app.look_up(&context, ADDRESS))
        .await
        .is_error(429, "m_g_r_1");
}

#[actix_web::test]
async fn request_is_authorised_before_its_body_is_validated() {
    let app = App::new().await;
    let context = app.context().await;
    let token = token(&app, &receipt(&app, &context, 1));
    for body in ["", "[]", r#"{"receipt":1}"#] {
        app.send(post_json(VERIFY, "vgt_live_nobody", body))
            .await
            .is_error(401, "m_a_k_1");
    }
    let registers = app
        .issue(Environment::Live, &[Scope::ContextRegister], &[])
        .await;
    app.send(verify(registers.secret.expose(), &token))
        .await
        .is_error(403, "m_a_s_1");
    let browser_request =
        verify(&app.secret, &token).insert_header(("sec-fetch-site", "cross-site"));
    app.send(browser_request).await.is_error(403, "m_a_b_1");
    app.send(post_json(VERIFY, &app.secret, r#"["a"]"#))
        .await
        .is_error(400, "m_r_b_1");
    for body in [
        "{}",
        r#"{"receipt":1}"#,
        r#"{"receipt":null}"#,
        r#"{"receipt":"a","eoa_address":"0x"}"#,
    ] {
        app.send(post_json(VERIFY, &app.secret, body))
            .await
            .is_error(400, "m_g_p_1");
    }
    let twice = verify(&app.secret, &token).append_header(("idempotency-key", "a"));
    app.send(twice.append_header(("idempotency-key", "a")))
        .await
        .is_error(400, "m_g_p_1");
    app.send(verify(&app.secret, &token).uri(&format!("{VERIFY}?a=1")))
        .await
        .is_error(400, "m_g_p_1");
    app.send(verify(&app.secret, &"a".repeat(4096)))
        .await
        .is_error(413, "m_g_z_1");
    app.send(TestRequest::get().uri(VERIFY))
        .await
        .is_error(405, "m_g_m_1");
    assert_eq!(
        redeem(&app, &token).await.json()["data"]["status"],
        "valid",
        "a rejected request redeemed it"
    );
}
