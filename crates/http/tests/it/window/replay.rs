//! Re-evaluation of stored evidence through the admin API.

use crate::common::{ADDRESS, Answer};
use crate::window::operator::{self, driven, lines};
use crate::window::service::Service;
use serde_json::{Value, json};
use std::time::Duration;
use voight_domain::vocabulary::ContextId;

const OFF: &str = r#"{"version": 1000, "rules": {"webdriver": "off"}}"#;
const SAME: &str = r#"{"version": 1001, "rules": {}}"#;

async fn replay(service: &Service, body: &Value) -> Answer {
    operator::post(service, "replay", body).await
}

async fn is_bot(service: &Service) -> bool {
    let answer = service
        .app
        .send(service.app.look_up(&service.context, ADDRESS))
        .await;
    answer.json()["data"]["isBot"].as_bool().unwrap()
}

#[actix_web::test]
async fn dry_run_replay_writes_nothing() {
    let service = driven().await;
    let replay_lines = lines(&replay(&service, &json!({"policy": OFF})).await);
    let flip = &replay_lines[0]["flip"];
    assert_eq!(
        (&flip["address"], &flip["applied"]),
        (&json!(ADDRESS), &Value::Null)
    );
    assert_eq!(
        (&flip["from"]["is_bot"], &flip["to"]["is_bot"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        flip["rules"][0],
        json!({"rule": "webdriver", "weight_nats": 6.0})
    );
    assert_eq!(
        replay_lines[1]["progress"],
        json!({"addresses": 1, "judged": 1, "without_evidence": 0, "skipped": 0})
    );
    assert_eq!(replay_lines[2]["done"]["policy_version"], 1000);
    assert!(is_bot(&service).await);
}

#[actix_web::test]
async fn table_of_the_release_judges_as_it_judged() {
    let service = driven().await;
    assert_eq!(
        lines(&replay(&service, &json!({"policy": SAME})).await).len(),
        2
    );
}

#[actix_web::test]
async fn applied_replay_opens_an_epoch() {
    let service = driven().await;
    let replay_lines = lines(
        &replay(
            &service,
            &json!({"policy": OFF, "apply_reason": "a test drive"}),
        )
        .await,
    );
    assert_eq!(replay_lines[0]["flip"]["applied"], true);
    assert!(!is_bot(&service).await);
    let context: ContextId = service.context.parse().unwrap();
    let operator = &service.app.state.services.operator;
    let explanation = operator
        .explain(&context, &ADDRESS.parse().unwrap(), 9)
        .await
        .unwrap();
    assert_eq!(
        (
            explanation.verdict.epoch,
            explanation.verdict.unverified.versions.policy
        ),
        (1, 1000)
    );
    let back = lines(
        &replay(
            &service,
            &json!({"policy": SAME, "apply_reason": "it was none"}),
        )
        .await,
    );
    assert_eq!(
        (
            &back[0]["flip"]["to"]["is_bot"],
            &back[0]["flip"]["applied"]
        ),
        (&json!(true), &json!(true))
    );
    assert!(is_bot(&service).await);
    let audit = service.app.ports.store.audit(0, 99).await.unwrap();
    let last = &audit.last().unwrap().entry;
    assert_eq!(last.action.as_str(), "verdict.replayed");
    assert!(
        last.detail.ends_with(" to bot by policy 1001: it was none"),
        "{}",
        last.detail
    );
}

#[actix_web::test]
async fn replay_keeps_checks_without_evidence() {
    let service = driven().await;
    let store = &service.app.ports.store;
    let later = service
        .app
        .state
        .clock
        .now()
        .saturating_add(Duration::from_hours(24 * 400));
    assert_eq!(store.evict(later, Duration::ZERO, 9).await.unwrap(), 1);
    let replay_lines = lines(&replay(&service, &json!({"policy": OFF})).await);
    assert_eq!(
        replay_lines[0]["progress"],
        json!({"addresses": 1, "judged": 0, "without_evidence": 1, "skipped": 0})
    );
}

#[actix_web::test]
async fn malformed_policy_is_rejected() {
    let service = Service::new().await;
    for (body, words) in [
        (
            json!({"policy": r#"{"version": 1000, "rules": {"webdrivr": "off"}}"#}),
            "did you mean `webdriver`?",
        ),
        (json!({"policy": "{}"}), "missing member `version`"),
        (
            json!({"policy": SAME, "apply_reason": " "}),
            "needs a reason",
        ),
        (
            json!({"policy": SAME, "apply_reason": format!("for {ADDRESS}")}),
            "omit the address",
        ),
        (json!({"policy": SAME, "aply": "x"}), "unknown field `aply`"),
    ] {
        let answer = replay(&service, &body).await;
        answer.is_error(400, "m_g_p_1");
        assert!(
            answer.json()["error"]["message"]
                .as_str()
                .unwrap()
                .contains(words),
            "{words}: {}",
            answer.body
        );
    }
}
