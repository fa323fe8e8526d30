//! Every endpoint that returns a verdict: each call is one lookup, metered, billed, limited and rejected by the same rules.

use crate::common::{ADDRESS, Answer, App, REGISTER, post_json};
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use voight_domain::metering::{LedgerId, Limit, RowKind};
use voight_domain::registry::{Actor, ContextChange};
use voight_domain::vocabulary::{Environment, Scope};

const PLAIN: &str = "/api/v1/users/eoa";
const DETAIL: &str = "/api/v1/users/eoa/detail";
const BATCH: &str = "/api/v1/users/eoa/batch";
const DOORS: [&str; 3] = [PLAIN, DETAIL, BATCH];

fn ask(door: &str, secret: &str, context: &str, address: &str) -> TestRequest {
    if door == BATCH {
        return post_json(
            door,
            secret,
            json!({"context_id": context, "eoa_addresses": [address]}).to_string(),
        );
    }
    let uri = format!("{door}?eoa_address={address}&context_id={context}");
    TestRequest::get()
        .uri(&uri)
        .insert_header(("x-api-key", secret))
}

/// Returns the answer of each endpoint for an address without evidence.
fn unknown(door: &str) -> Value {
    match door {
        PLAIN => json!({"isBot": false, "confidence": {"score": 0}}),
        BATCH => json!({
            "results": [{"eoa_address": ADDRESS, "isBot": false, "confidence": {"score": 0}}],
            "units": 1,
        }),
        _ => json!({
            "status": "unknown", "isBot": false, "confidence": {"score": 0}, "checks": {"completed": 0, "last_at": null},
            "layer": null, "decided_by": null, "policy": null, "model": null,
        }),
    }
}

async fn rows(app: &App, environment: Environment) -> usize {
    let rows = app
        .ports
        .store
        .rows(
            LedgerId {
                client: app.client.id,
                environment,
            },
            0,
            99,
        )
        .await;
    rows.iter()
        .flatten()
        .filter(|entry| matches!(entry.row.kind, RowKind::Lookup(_)))
        .count()
}

fn assert_answers(answer: &Answer, door: &str) {
    assert_eq!(
        (answer.status, &answer.json()["data"]),
        (200, &unknown(door)),
        "{door}: {}",
        answer.body
    );
    assert!(answer.header("voight-meter").is_some(), "{door}");
    assert!(answer.header("ratelimit").is_some(), "{door}");
}

#[actix_web::test]
async fn answer_is_billed_at_every_door() {
    for door in DOORS {
        let app = App::new().await;
        let context = app.context().await;
        assert_answers(
            &app.send(ask(door, &app.secret, &context, ADDRESS)).await,
            door,
        );
        assert_eq!(rows(&app, Environment::Live).await, 1, "{door}");
    }
}

#[actix_web::test]
async fn retry_is_replayed_per_endpoint() {
    let app = App::new().await;
    let context = app.context().await;
    let with_key = |door: &str, address: &str| {
        ask(door, &app.secret, &context, address).insert_header(("idempotency-key", "one"))
    };
    for (before, door) in DOORS.into_iter().enumerate() {
        let first = app.send(with_key(door, ADDRESS)).await;
        assert_answers(&first, door);
        assert_eq!(
            first.header("idempotency-replayed"),
            None,
            "{door}: a key is scoped to its route"
        );
        let second = app.send(with_key(door, ADDRESS)).await;
        assert_eq!(
            (&second.body, second.header("idempotency-replayed")),
            (&first.body, Some("true")),
            "{door}"
        );
        app.send(with_key(door, &format!("0x{}", "1".repeat(40))))
            .await
            .is_error(422, "m_g_i_2");
        assert_eq!(rows(&app, Environment::Live).await, before + 1, "{door}");
    }
}

#[actix_web::test]
async fn cap_counts_the_answers_of_all_doors() {
    let pairs = DOORS
        .into_iter()
        .flat_map(|first| DOORS.map(|second| [first, second]));
    for [first, second] in pairs {
        let app = App::new().await;
        let context = app.context().await;
        app.state
            .services
            .billing
            .set_limit(&app.client, Limit::Lookups(Some(1)))
            .await
            .unwrap();
        assert_answers(
            &app.send(ask(first, &app.secret, &context, ADDRESS)).await,
            first,
        );
        for door in [first, second] {
            app.send(ask(door, &app.secret, &context, ADDRESS))
                .await
                .is_error(402, "m_b_q_1");
        }
        assert_eq!(rows(&app, Environment::Live).await, 1);
    }
}

#[actix_web::test]
async fn context_of_another_key_is_rejected_at_every_door() {
    for door in DOORS {
        let app = App::new().await;
        let context = app.context().await;
        let other_key = app.issue(Environment::Live, &Scope::ALL, &[]).await;
        for id in [&*context, "nonsense"] {
            app.send(ask(door, other_key.secret.expose(), id, ADDRESS))
                .await
                .is_error(401, "m_a_c_1");
        }
        let without = app.issue(Environment::Live, &[Scope::UsageRead], &[]).await;
        app.send(ask(door, without.secret.expose(), &context, ADDRESS))
            .await
            .is_error(403, "m_a_s_1");
        app.send(ask(door, "vgt_live_x", &context, ADDRESS))
            .await
            .is_error(401, "m_a_k_1");
        let answer = app.send(ask(door, &app.secret, &context, "0x12")).await;
        if door == BATCH {
            let result = &answer.json()["data"]["results"][0];
            assert_eq!(
                (answer.status, &result["error"]["id"]),
                (200, &json!("m_l_e_1")),
                "{}",
                answer.body
            );
        } else {
            answer.is_error(400, "m_l_e_1");
        }
        assert_eq!(rows(&app, Environment::Live).await, 0, "{door}");
    }
}

#[actix_web::test]
async fn archived_context_is_billed_everywhere() {
    for door in DOORS {
        let app = App::new().await;
        let context = app.context().await;
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
        assert_answers(
            &app.send(ask(door, &app.secret, &context, ADDRESS)).await,
            door,
        );
        assert_eq!(rows(&app, Environment::Live).await, 1, "{door}");
    }
}

#[actix_web::test]
async fn sandbox_magic_addresses_are_free() {
    for door in DOORS {
        let app = App::new().await;
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
        let magic = [
            ("1", false, 0.95, "human"),
            ("2", true, 0.98, "bot"),
            ("3", false, 0.05, "unsure"),
            ("4", false, 0.0, "unknown"),
        ];
        for (digit, is_bot, score, status) in magic {
            let answer = app
                .send(ask(
                    door,
                    key.secret.expose(),
                    &context,
                    &format!("0x{}", digit.repeat(40)),
                ))
                .await
                .json();
            let data = if door == BATCH {
                &answer["data"]["results"][0]
            } else {
                &answer["data"]
            };
            assert_eq!(
                (&answer["test"], &data["isBot"]),
                (&json!(true), &json!(is_bot)),
                "{door} {digit}"
            );
            assert_eq!(
                data["confidence"]["score"].as_f64(),
                Some(score),
                "{door} {digit}"
            );
            assert_eq!(
                data.get("status"),
                (door == DETAIL).then(|| json!(status)).as_ref(),
                "{door} {digit}"
            );
        }
        assert_eq!(
            (
                rows(&app, Environment::Live).await,
                rows(&app, Environment::Sandbox).await
            ),
            (0, 4),
            "{door}"
        );
    }
}

#[actix_web::test]
async fn response_equals_the_requirement_byte_for_byte() {
    let app = App::new().await;
    let context = app.context().await;
    let plain = app.send(ask(PLAIN, &app.secret, &context, ADDRESS)).await;
    assert_eq!(
        plain.body,
        r#"{"success":true,"data":{"isBot":false,"confidence":{"score":0}}}"#
    );
    let detail = app.send(ask(DETAIL, &app.secret, &context, ADDRESS)).await;
    let expected_body = concat!(
        r#"{"success":true,"data":{"status":"unknown","isBot":false,"confidence":{"score":0},"checks":{"completed":0,"#,
        r#""last_at":null},"layer":null,"decided_by":null,"policy":null,"model":null}}"#
    );
    assert_eq!(detail.body, expected_body);
}
