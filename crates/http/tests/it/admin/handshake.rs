//! Requests that carry a proof of the admin token instead of the token.

use crate::admin::console::{Console, HOST, TOKEN, data, probe};
use crate::common::Answer;
use actix_web::http::Method;
use serde_json::{Value, json};
use std::time::Duration;
use voight_api::AdminTokenSecret;
use voight_api::admin::{Handshake, HandshakeProof};
use voight_api::proof::{ProvenRequest, authorization, handshake};

const HANDSHAKE: &str = "/admin/v1/handshake";
const CLIENTS: &str = "/admin/v1/clients";
const READ: ProvenRequest<'static> = ProvenRequest {
    method: "GET",
    target: CLIENTS,
};

async fn asked(console: &Console, body: &Value) -> Answer {
    let request = probe(HANDSHAKE, HOST)
        .method(Method::POST)
        .insert_header(("content-type", "application/json"));
    console.send(request.set_payload(body.to_string())).await
}

/// Returns the header of one request after a handshake.
async fn proven(console: &Console, request: ProvenRequest<'_>) -> String {
    let hello: Handshake = handshake(&AdminTokenSecret::parse(TOKEN).unwrap(), HOST, &[9; 32]);
    let answer = asked(console, &serde_json::to_value(&hello).unwrap()).await;
    let proof: HandshakeProof = serde_json::from_value(data(&answer)).unwrap();
    authorization(
        &AdminTokenSecret::parse(TOKEN).unwrap(),
        &hello,
        &proof,
        request,
    )
    .unwrap()
}

async fn sent(console: &Console, method: Method, path: &str, header: &str) -> Answer {
    console
        .send(
            probe(path, HOST)
                .method(method)
                .insert_header(("authorization", header)),
        )
        .await
}

#[actix_web::test]
async fn proof_authorises_only_its_request() {
    let console = Console::new().await;
    let header = proven(&console, READ).await;
    assert!(!header.contains(TOKEN));
    assert_eq!(
        sent(&console, Method::GET, CLIENTS, &header).await.status,
        200
    );
    sent(&console, Method::POST, CLIENTS, &header)
        .await
        .is_error(401, "m_a_t_1");
    sent(&console, Method::GET, "/admin/v1/usage", &header)
        .await
        .is_error(401, "m_a_t_1");
    for wrong in ["Voight-Proof", "Voight-Proof x", "Voight-Proof 00.00.00"] {
        sent(&console, Method::GET, CLIENTS, wrong)
            .await
            .is_error(401, "m_a_t_1");
    }
}

#[actix_web::test]
async fn proof_expires_after_a_minute() {
    let console = Console::new().await;
    let header = proven(&console, READ).await;
    console.app.wait(Duration::from_mins(1));
    assert_eq!(
        sent(&console, Method::GET, CLIENTS, &header).await.status,
        200
    );
    console.app.wait(Duration::from_millis(1));
    sent(&console, Method::GET, CLIENTS, &header)
        .await
        .is_error(401, "m_a_t_1");
}

#[actix_web::test]
async fn listener_proves_itself_under_its_own_names_only() {
    let console = Console::new().await;
    let nonce = "00".repeat(32);
    for listener in ["127.0.0.1:9091", "attacker.example", ""] {
        asked(
            &console,
            &json!({"client_nonce": nonce, "listener": listener}),
        )
        .await
        .is_error(421, "m_a_h_1");
    }
    for nonce in ["", "00", &"zz".repeat(32), &"00".repeat(33)] {
        asked(&console, &json!({"client_nonce": nonce, "listener": HOST}))
            .await
            .is_error(400, "m_g_p_1");
    }
    console
        .send(probe(HANDSHAKE, HOST))
        .await
        .is_error(405, "m_g_m_1");
}

#[actix_web::test]
async fn failed_attempts_are_rate_limited() {
    let console = Console::new().await;
    for _ in 0..20 {
        sent(&console, Method::GET, CLIENTS, "Bearer 0123456789abcdeg")
            .await
            .is_error(401, "m_a_t_1");
    }
    let rejection = sent(&console, Method::GET, CLIENTS, "Bearer 0123456789abcdeg").await;
    rejection.is_error(429, "m_g_r_1");
    assert!(rejection.header("retry-after").is_some());
    assert_eq!(console.get(CLIENTS).await.status, 200);
    // Networks are counted separately.
    let peer = "192.0.2.7:4711".parse().unwrap();
    console
        .send(probe(CLIENTS, HOST).peer_addr(peer))
        .await
        .is_error(401, "m_a_t_1");
}
