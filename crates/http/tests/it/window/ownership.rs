//! Proof of wallet ownership over HTTP.

use crate::common::Answer;
use crate::window::service::{Service, SolvedCheck};
use serde_json::{Value, json};
use std::time::Duration;
use voight_domain::check::RECEIPT_TYPE;
use voight_domain::registry::{Actor, ContextChange, OwnershipPolicy};
use voight_support::{TestBrowser, TestWallet};

/// Account of the private key whose bytes are all 1.
const WALLET: &str = "0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1";

/// Returns the result of `personal_sign` by that account.
fn signed(message: &str) -> String {
    TestWallet::new(1).sign(message)
}

async fn asking() -> Service {
    with_policy(OwnershipPolicy::Always).await
}

async fn never_asking() -> Service {
    with_policy(OwnershipPolicy::Never).await
}

async fn with_policy(policy: OwnershipPolicy) -> Service {
    let service = Service::new().await;
    let change = ContextChange {
        ownership_proof: Some(policy),
        ..ContextChange::default()
    };
    let registry = &service.app.state.services.registry;
    let context = service.context.parse().unwrap();
    registry
        .change_context(&context, change, Actor::Operator, String::new())
        .await
        .unwrap();
    service
}

async fn open(service: &Service) -> SolvedCheck {
    let mut request = service.last_request();
    request["address"] = WALLET.into();
    let answer = service.open_with(&request).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    SolvedCheck::solved(answer.json()["data"].take())
}

async fn prove_ownership(service: &Service, check: &SolvedCheck, shown: &Value) -> Answer {
    service
        .app
        .send(check.post("ownership", shown.to_string()))
        .await
}

fn message(check: &SolvedCheck) -> &str {
    check.answer["sign"]["message"].as_str().unwrap()
}

#[actix_web::test]
async fn only_ownership_checks_are_signed() {
    let service = asking().await;
    let check = open(&service).await;
    let code = check.answer["sign"]["code"].as_str().unwrap();
    let expected_text =
        format!("the code {code}.\n\nURI: https://quest.example\nVersion: 1\nChain ID: 1\nNonce: ");
    assert!(
        message(&check).contains(&expected_text),
        "{}",
        message(&check)
    );
    assert!(message(&check).starts_with(&format!(
        "quest.example wants you to sign in with your Ethereum account:\n{WALLET}\n\n"
    )));
    let check_without_proof = never_asking().await.open().await;
    assert_eq!(check_without_proof.answer.get("sign"), None);
}

#[actix_web::test]
async fn receipt_of_a_signed_check_is_marked_as_owned() {
    let service = asking().await;
    let mut check = open(&service).await;
    let answer = prove_ownership(
        &service,
        &check,
        &json!({"signed": {"signature": signed(message(&check))}}),
    )
    .await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let data = answer.json()["data"].take();
    assert_eq!(
        data.as_object().unwrap().len(),
        1,
        "a trusted browser is only registered on request"
    );
    data["challenge"]
        .as_str()
        .unwrap()
        .clone_into(&mut check.challenge);

    service.app.wait(Duration::from_secs(2));
    let mut first = service.first_batch(&check);
    first["ctx"]["address"] = WALLET.into();
    let first_answer = service.submit(&check, &first).await;
    service.app.wait(Duration::from_secs(2));
    let mut second = service.second(&first_answer);
    second["ctx"]["address"] = WALLET.into();
    assert_eq!(service.submit(&check, &second).await.status, 200);
    let receipt = service.complete(&check).await.json()["data"]["receipt"]
        .as_str()
        .unwrap()
        .to_owned();
    let claims = service
        .app
        .ports
        .secrets
        .signer()
        .verify(RECEIPT_TYPE, &receipt)
        .unwrap();
    assert!(claims.contains(r#""owned":true"#), "{claims}");
}

#[actix_web::test]
async fn browser_receives_a_token_on_request() {
    let service = asking().await;
    let check = open(&service).await;
    let browser = TestBrowser::new(1);
    let key = browser.key();
    let proof_body = json!({"signed": {"signature": signed(message(&check)), "key": key}});
    let token =
        prove_ownership(&service, &check, &proof_body).await.json()["data"]["trusted_browser"]
            .clone();

    let later = open(&service).await;
    let proof = browser.sign(&later.challenge);
    let proof_body = json!({"trusted_browser": {"token": token, "key": key, "proof": proof}});
    assert_eq!(
        prove_ownership(&service, &later, &proof_body).await.status,
        200
    );
    let replay = prove_ownership(&service, &open(&service).await, &proof_body).await;
    replay.is_error(403, "m_w_b_1");
    assert!(
        replay.body.contains("sign with the wallet"),
        "{}",
        replay.body
    );
}

#[actix_web::test]
async fn signature_errors_name_the_cause() {
    let service = asking().await;
    let check = open(&service).await;
    let other_check = open(&service).await;
    let of_another = signed(message(&other_check));
    let long = format!("{of_another}00");
    for (signature, id, words) in [
        ("", "m_w_b_1", "130 hexadecimal digits"),
        (of_another.as_str(), "m_w_b_1", "another message was signed"),
        (&long, "m_w_b_2", "contract account"),
    ] {
        let answer = prove_ownership(
            &service,
            &check,
            &json!({"signed": {"signature": signature}}),
        )
        .await;
        answer.is_error(403, id);
        assert!(answer.body.contains(words), "{}", answer.body);
    }
    let metrics = service
        .app
        .state
        .metrics
        .render(voight_http::TextFormat::Classic)
        .unwrap();
    assert!(
        metrics.contains(r#"reason="signer_mismatch"} 1"#),
        "{metrics}"
    );
}

#[actix_web::test]
async fn ownership_needs_proof_and_work() {
    let service = asking().await;
    let check = open(&service).await;
    for body in [
        json!({}),
        json!({"signed": {}}),
        json!({"signed": {"signature": "0x", "more": 1}}),
        json!({"owned": true}),
    ] {
        prove_ownership(&service, &check, &body)
            .await
            .is_error(400, "m_g_p_1");
    }
    let unsolved_check = SolvedCheck {
        work: String::new(),
        ..check
    };
    prove_ownership(
        &service,
        &unsolved_check,
        &json!({"signed": {"signature": "0x"}}),
    )
    .await
    .is_error(403, "m_w_r_1");
}
