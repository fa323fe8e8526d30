//! Endpoints beyond the requirement: sessions, settings of contexts, public keys.

use crate::common::{ADDRESS, App, post_json};
use actix_web::http::Method;
use actix_web::test::TestRequest;
use voight_domain::check::VouchedSession;
use voight_domain::metering::LedgerId;

fn change(app: &App, context: &str, body: &str) -> TestRequest {
    post_json(
        &format!("/api/v1/contexts/{context}"),
        &app.secret,
        body.to_owned(),
    )
    .method(Method::PATCH)
}

#[actix_web::test]
async fn session_is_free_and_for_one_address() {
    let app = App::new().await;
    let context = app.context().await;
    let body = format!(r#"{{"context_id":"{context}","eoa_address":"{ADDRESS}"}}"#);
    let answer = app
        .send(post_json("/api/v1/sessions", &app.secret, body))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let value = answer.json();
    assert_eq!(value["data"]["expires_at"], "2026-11-21T10:10:00Z");
    let session = VouchedSession::from_token(
        value["data"]["session"].as_str().unwrap(),
        &app.ports.secrets,
    )
    .unwrap();
    assert!(session.vouches_for(
        &context.parse().unwrap(),
        &ADDRESS.parse().unwrap(),
        app.now()
    ));
    assert_eq!(
        app.ports
            .store
            .rows(LedgerId::live(app.client.id), 0, 9)
            .await
            .unwrap(),
        []
    );
}

#[actix_web::test]
async fn session_for_an_invalid_address_is_rejected() {
    let app = App::new().await;
    let context = app.context().await;
    let body = format!(r#"{{"context_id":"{context}","eoa_address":"0x12"}}"#);
    app.send(post_json("/api/v1/sessions", &app.secret, body))
        .await
        .is_error(400, "m_l_e_1");
}

#[actix_web::test]
async fn settings_change_one_by_one_and_are_audited() {
    let app = App::new().await;
    let context = app.context().await;
    let first = app
        .send(change(
            &app,
            &context,
            r#"{"min_confidence":95,"origins":["https://quest.example"]}"#,
        ))
        .await;
    assert_eq!(first.status, 200, "{}", first.body);
    let second = app
        .send(change(
            &app,
            &context,
            r#"{"press_count":1,"archived":true}"#,
        ))
        .await;
    let expected_body = format!(
        concat!(
            r#"{{"success":true,"data":{{"context_id":"{}","origins":["https://quest.example"],"ownership_proof":"when_unsure","#,
            r#""unverified_flags":"until_owned","min_confidence":95,"press_count":1,"mode":"enforce","device_limit":5,"#,
            r#""device_policy":"report","retention_days":30,"archived":true}}}}"#
        ),
        context
    );
    assert_eq!(second.body, expected_body);
    assert_eq!(
        app.send(app.look_up(&context, ADDRESS)).await.status,
        200,
        "an archived context still answers"
    );
    let log = app.ports.store.audit(0, 99).await.unwrap();
    let last = &log.last().unwrap().entry;
    assert_eq!(
        (last.action.as_str(), last.detail.as_str()),
        ("context.changed", r#"{"press_count":1,"archived":true}"#)
    );
}

#[actix_web::test]
async fn settings_out_of_range_are_rejected_and_change_nothing() {
    let app = App::new().await;
    let context = app.context().await;
    for (body, word) in [
        (r#"{"min_confidence":49}"#, "50 to 99"),
        (r#"{"press_count":3}"#, "1 or 2"),
        (r#"{"device_limit":0}"#, "device_limit"),
        (r#"{"retention_days":4000}"#, "retention_days"),
        (r#"{"origins":["quest.example"]}"#, "origins"),
        (r#"{"press_count":1.5}"#, "a whole number"),
        (r#"{"mode":"maybe"}"#, "enforce"),
        (r#"{"mode":null}"#, "does not fit"),
        (r#"{"colour":"red"}"#, "colour"),
    ] {
        let answer = app.send(change(&app, &context, body)).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(word), "{body}: {}", answer.body);
    }
    let answer = app.send(change(&app, &context, "{}")).await;
    assert_eq!(answer.json()["data"]["min_confidence"], 90);
}

#[actix_web::test]
async fn public_keys_are_a_jwk_set() {
    let app = App::new().await;
    let answer = app
        .send(TestRequest::get().uri("/.well-known/voight-keys.json"))
        .await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("cache-control"), Some("public, max-age=300"));
    let signer = app.ports.secrets.signer();
    let public_keys = &signer.public_keys().0;
    let keys = answer.json()["keys"].as_array().unwrap().clone();
    assert_eq!(keys.len(), public_keys.len());
    let expected_key = serde_json::json!({
        "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": public_keys[0].kid, "x": public_keys[0].x,
    });
    assert_eq!(keys[0], expected_key);
}
