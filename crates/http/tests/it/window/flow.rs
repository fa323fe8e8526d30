//! Complete check, as the window runs it.

use crate::common::{ADDRESS, Answer, post_json};
use crate::window::service::{CHECKS, ORIGIN, Service, post};
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use std::time::Duration;
use voight_domain::check::RECEIPT_TYPE;
use voight_domain::registry::{Actor, ClientChange, ClientStatus};
use voight_domain::services::RuleHit;
use voight_domain::vocabulary::{Environment, Scope};
use voight_http::HttpSettings;

#[actix_web::test]
async fn opened_check_has_documented_members() {
    let service = Service::new().await;
    let check = service.open().await;
    let members: Vec<_> = check
        .answer
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        members,
        [
            "challenge",
            "check",
            "expiresAt",
            "layoutSeed",
            "presses",
            "test",
            "work"
        ]
    );
    assert_eq!(
        (&check.answer["presses"], &check.answer["test"]),
        (&json!(2), &json!(false))
    );
    assert_eq!(check.answer["expiresAt"], "2026-11-21T10:05:00Z");
    assert_eq!(check.answer["layoutSeed"].as_str().unwrap().len(), 16);
    let store = &service.app.ports.store;
    assert!(
        store
            .batches(check.id.parse().unwrap())
            .await
            .unwrap()
            .is_empty()
    );
}

#[actix_web::test]
async fn retried_completion_returns_the_receipt() {
    let service = Service::new().await;
    let check = service.run().await;
    let completion = service.complete(&check).await;
    assert_eq!(completion.status, 200, "{}", completion.body);
    let data = completion.json()["data"].take();
    assert_eq!(
        data.as_object().unwrap().len(),
        1,
        "the browser is told nothing but the receipt"
    );
    service.app.wait(Duration::from_secs(1));
    assert_eq!(service.complete(&check).await.body, completion.body);
    let look_up = service
        .app
        .send(service.app.look_up(&service.context, ADDRESS))
        .await;
    assert_eq!(look_up.json()["data"]["isBot"], false, "{}", look_up.body);
}

#[actix_web::test]
async fn receipt_verifies_with_the_published_key() {
    let service = Service::new().await;
    let check = service.run().await;
    let receipt = service.complete(&check).await.json()["data"]["receipt"]
        .as_str()
        .unwrap()
        .to_owned();
    let payload = service
        .app
        .ports
        .secrets
        .signer()
        .verify(RECEIPT_TYPE, &receipt)
        .unwrap();
    let claims: Value = serde_json::from_str(&payload).unwrap();
    assert_eq!(
        (&claims["context"], &claims["origin"]),
        (&json!(service.context), &json!(ORIGIN))
    );
    assert_eq!(
        (
            &claims["origin_allowlisted"],
            &claims["owned"],
            &claims["test"]
        ),
        (&json!(false), &json!(false), &json!(false))
    );
    let keys = service
        .app
        .send(TestRequest::get().uri("/.well-known/voight-keys.json"))
        .await;
    let key_id = keys.json()["keys"][0]["kid"].as_str().unwrap().to_owned();
    assert_eq!(
        service.app.ports.secrets.signer().public_keys().0[0].kid,
        key_id
    );
}

#[actix_web::test]
async fn declared_automation_is_flagged_silently() {
    let service = Service::new().await;
    let check = service.drive().await;
    let completion = service.complete(&check).await;
    assert_eq!(
        (
            completion.status,
            completion.json()["data"].as_object().unwrap().len()
        ),
        (200, 1)
    );
    let look_up = service
        .app
        .send(service.app.look_up(&service.context, ADDRESS))
        .await;
    assert_eq!(look_up.json()["data"]["isBot"], true, "{}", look_up.body);
    let rule_hits = service.app.state.services.checks.rule_hits().drain();
    assert_eq!(
        rule_hits.get(&RuleHit {
            rule: "webdriver".into(),
            counted: true
        }),
        Some(&1),
        "{rule_hits:?}"
    );
}

#[actix_web::test]
async fn vouched_session_binds_the_check_to_its_address() {
    let service = Service::new().await;
    let body = json!({"context_id": service.context, "eoa_address": ADDRESS}).to_string();
    let session = service
        .app
        .send(post_json("/api/v1/sessions", &service.app.secret, body))
        .await;
    let mut request = service.last_request();
    request["session"] = session.json()["data"]["session"].clone();
    assert_eq!(service.open_with(&request).await.status, 200);
    request["session"] = "forged".into();
    service.open_with(&request).await.is_error(403, "m_w_s_1");
}

#[actix_web::test]
async fn sandbox_check_keeps_no_evidence() {
    let mut service = Service::new().await;
    let sandbox_key = service
        .app
        .issue(Environment::Sandbox, &Scope::ALL, &[])
        .await;
    service.app.secret = sandbox_key.secret.expose().to_owned();
    service.context = service.app.context().await;
    let check = service.run().await;
    assert_eq!(check.answer["test"], true);
    assert!(
        service
            .app
            .ports
            .store
            .batches(check.id.parse().unwrap())
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(service.complete(&check).await.status, 200);
    let conclusion = service
        .app
        .ports
        .store
        .concluded(check.id.parse().unwrap())
        .await
        .unwrap();
    assert_eq!(conclusion, None);
}

#[actix_web::test]
async fn every_reason_not_to_open_has_its_own_code() {
    let service = Service::new().await;
    for (member, value, status, id) in [
        (
            "context",
            "quest.01k0ab3cdefghjkmnpqrstvwxy",
            404,
            "m_w_c_1",
        ),
        ("context", "quest", 404, "m_w_c_1"),
        ("origin", "null", 403, "m_w_o_1"),
        ("originSite", "https://other.example/q", 400, "m_w_o_2"),
        ("address", "0x00", 400, "m_l_e_1"),
        (
            "address",
            "0x52908400098527886E0F7030069857D2E4169Ee7",
            400,
            "m_l_e_2",
        ),
        ("unheard", "of", 400, "m_g_p_1"),
    ] {
        let mut request = service.last_request();
        request[member] = value.into();
        service.open_with(&request).await.is_error(status, id);
    }
    let registry = &service.app.state.services.registry;
    let origins = ClientChange::Origins(vec!["https://pinned.example".parse().unwrap()]);
    registry
        .change_client(service.app.client.id, origins)
        .await
        .unwrap();
    service
        .open_with(&service.last_request())
        .await
        .is_error(403, "m_w_o_1");
    let id = service.context.parse().unwrap();
    registry
        .archive_context(&id, Actor::Operator)
        .await
        .unwrap();
    service
        .open_with(&service.last_request())
        .await
        .is_error(410, "m_w_c_2");
}

#[actix_web::test]
async fn inactive_clients_look_archived() {
    let archived_service = Service::new().await;
    let id = archived_service.context.parse().unwrap();
    archived_service
        .app
        .state
        .services
        .registry
        .archive_context(&id, Actor::Operator)
        .await
        .unwrap();
    let expected = archived_service
        .open_with(&archived_service.last_request())
        .await;
    let expected_page = archived_service.page().await;
    expected.is_error(410, "m_w_c_2");
    assert!(
        expected_page.body.contains("context_closed"),
        "{}",
        expected_page.body
    );
    for status in [ClientStatus::Suspended, ClientStatus::Closed] {
        let service = Service::new().await;
        let registry = &service.app.state.services.registry;
        let open = service.run().await;
        if status == ClientStatus::Closed {
            service
                .app
                .state
                .services
                .billing
                .close_client(&service.app.client)
                .await
                .unwrap();
        } else {
            registry
                .change_client(service.app.client.id, ClientChange::Status(status))
                .await
                .unwrap();
        }
        let answer = service.open_with(&service.last_request()).await;
        assert_eq!(
            (answer.status, answer.body.as_str()),
            (410, expected.body.as_str()),
            "{status:?}"
        );
        let page = service.page().await;
        assert_eq!(page.status, 200);
        assert_eq!(
            page.body
                .replace(&service.context, &archived_service.context),
            expected_page.body,
            "{status:?}"
        );
        assert_eq!(
            service.complete(&open).await.status,
            200,
            "a check that was open is concluded: {status:?}"
        );
        let metrics = service
            .app
            .state
            .metrics
            .render(voight_http::TextFormat::Classic)
            .unwrap();
        assert!(
            metrics.contains(r#"voight_requests_rejected_total{reason="client_inactive"} 2"#),
            "{metrics}"
        );
    }
    let resumed_service = Service::new().await;
    let registry = &resumed_service.app.state.services.registry;
    for status in [ClientStatus::Suspended, ClientStatus::Active] {
        registry
            .change_client(resumed_service.app.client.id, ClientChange::Status(status))
            .await
            .unwrap();
    }
    assert_eq!(
        resumed_service
            .open_with(&resumed_service.last_request())
            .await
            .status,
        200
    );
}

#[actix_web::test]
async fn public_url_rejects_self_hosted_pages() {
    let public_url = Some("https://public.example".to_owned());
    let service = Service::with_settings(HttpSettings {
        public_url,
        ..HttpSettings::default()
    })
    .await;
    let request_text = service.last_request().to_string();
    let call = |origin: &str| post(CHECKS, request_text.clone()).insert_header(("origin", origin));
    service
        .app
        .send(call("https://voight.example"))
        .await
        .is_error(403, "m_w_r_1");
    assert_eq!(
        service
            .app
            .send(call("https://public.example"))
            .await
            .status,
        200
    );
}

#[actix_web::test]
async fn busy_network_works_more_and_is_rejected_in_the_end() {
    let service = Service::new().await;
    let bits = |answer: &Answer| answer.json()["data"]["work"]["bits"].as_u64();
    let mut work_bits = Vec::new();
    for _ in 0..300 {
        work_bits.push(bits(&service.open_with(&service.last_request()).await).unwrap());
    }
    assert!(
        work_bits[..30].iter().all(|bits| *bits == 4),
        "{work_bits:?}"
    );
    assert!(
        work_bits.is_sorted() && work_bits[40] > 4 && work_bits[299] > work_bits[40],
        "{work_bits:?}"
    );
    let rejection = service.open_with(&service.last_request()).await;
    rejection.is_error(429, "m_g_r_1");
    assert!(
        rejection
            .header("retry-after")
            .unwrap()
            .parse::<u32>()
            .unwrap()
            >= 1
    );
    let other_request = post(CHECKS, service.last_request().to_string());
    assert_eq!(
        bits(
            &service
                .app
                .send_from("198.51.100.7".parse().unwrap(), other_request)
                .await
        ),
        Some(4)
    );
}
