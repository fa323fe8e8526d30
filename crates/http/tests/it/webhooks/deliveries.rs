//! Tests of endpoints, replays, and the delivery log.

use super::{URL, WEBHOOKS, WebhookApp, data, path_of, send};
use crate::common::{ADDRESS, REGISTER, RecordingOutbound, look_up, post_json};
use serde_json::{Value, json};
use std::time::Duration;
use voight_domain::ports::{OutboundError, OutboundResponse};
use voight_domain::vocabulary::{EndpointId, Environment, Scope};
use voight_domain::webhooks::EndpointName;
use voight_http::HttpSettings;

/// Returns the numbers of the events that are due for the endpoint at this path.
async fn due_events(webhooks: &WebhookApp, path: &str) -> Vec<u64> {
    let id = path.strip_prefix(WEBHOOKS).unwrap();
    let name = EndpointName {
        client: webhooks.app.client.id,
        id: id.trim_start_matches('/').parse().unwrap(),
    };
    let deliveries = &webhooks.app.state.services.deliveries;
    let claim = deliveries.claim(name, 100).await.unwrap();
    let attempts = claim.map(|claim| claim.attempts).unwrap_or_default();
    attempts.iter().map(|(_, event)| event.number).collect()
}

fn response(status: u16, body: &str) -> OutboundResponse {
    OutboundResponse {
        status,
        retry_after: None,
        body: body.as_bytes().to_vec(),
        is_truncated: false,
    }
}

/// Waits until this number of requests have been sent.
async fn wait_for_requests(outbound: &RecordingOutbound, count: usize) {
    let wait = async {
        while outbound.requests().len() < count {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), wait)
        .await
        .expect("the requests are sent");
}

#[actix_web::test]
async fn test_is_signed_sent_and_logged() {
    let webhooks = WebhookApp::new().await;
    let endpoint = webhooks.create(&json!({"url": URL})).await;
    let path = path_of(&endpoint);
    let pause = json!({"state": "paused"});
    data(&webhooks.send("PATCH", &path, Some(&pause)).await);
    webhooks.outbound.set_result(Ok(response(202, "thanks")));
    let delivery = data(&webhooks.send("POST", &format!("{path}/test"), None).await);
    let expected = json!({
        "test": true, "attempt": 1, "timestamp": "2026-11-21T10:00:00Z", "duration_ms": 0, "status": 202, "response": "thanks",
    });
    assert_eq!(delivery, expected);
    let log = data(
        &webhooks
            .send("GET", &format!("{path}/deliveries"), None)
            .await,
    );
    let mut logged_delivery = expected;
    logged_delivery["number"] = json!(1);
    assert_eq!(
        log,
        json!({"deliveries": [logged_delivery], "next_before": null})
    );

    let requests = webhooks.outbound.requests();
    assert_eq!(requests.len(), 1);
    let request = &requests[0];
    assert_eq!(request.target.as_str(), URL);
    let event: Value = serde_json::from_slice(&request.body).unwrap();
    assert_eq!(event["type"], "endpoint.test");
    assert_eq!(
        event["data"],
        json!({"environment": "live", "endpoint_id": endpoint["id"]})
    );
    let header = |name: &str| {
        let headers = &mut request.headers.iter();
        let entry = headers.find(|(entry_name, _)| entry_name == name);
        entry.unwrap().1.clone()
    };
    assert_eq!(event["id"], header("webhook-id"));
    assert!(event["id"].as_str().unwrap().starts_with("test-"));
    let signed_parts = [
        header("webhook-id"),
        header("webhook-timestamp"),
        String::from_utf8(request.body.to_vec()).unwrap(),
    ];
    let id: EndpointId = endpoint["id"].as_str().unwrap().parse().unwrap();
    let secret = webhooks.app.ports.secrets.webhook_secret(id, 0);
    assert_eq!(endpoint["secret"], secret.expose());
    let signature = secret.sign(signed_parts.join(".").as_bytes());
    assert_eq!(header("webhook-signature"), signature);
}

#[actix_web::test]
async fn failed_test_names_its_error() {
    let webhooks = WebhookApp::new().await;
    let path = webhooks.path().await;
    let test = format!("{path}/test");
    let timeout = OutboundError::Timeout(Duration::from_secs(15));
    webhooks.outbound.set_result(Err(timeout));
    let delivery = data(&webhooks.send("POST", &test, None).await);
    assert_eq!(
        (&delivery["error"], delivery.get("status")),
        (&json!("timeout"), None)
    );
    webhooks.outbound.set_result(Err(OutboundError::Busy));
    let answer = webhooks.send("POST", &test, None).await;
    answer.is_error(503, "m_g_x_2");
    assert!(
        answer.body.contains("repeat the test later"),
        "{}",
        answer.body
    );
    let endpoint = data(&webhooks.send("GET", &path, None).await);
    assert_eq!(
        endpoint.get("failing_since"),
        None,
        "a test changes no schedule"
    );
}

#[actix_web::test]
async fn test_takes_no_permit() {
    let settings = HttpSettings {
        max_concurrent_requests: 1,
        ..HttpSettings::default()
    };
    let webhooks = WebhookApp::with_outbound(settings, RecordingOutbound::blocked()).await;
    let app = &webhooks.app;
    let path = webhooks.path().await;
    let other_key = app.issue_to_other_client(&Scope::ALL).await;
    let context_request = post_json(
        REGISTER,
        other_key.secret.expose(),
        r#"{"context_title":"quest"}"#,
    );
    let registration = app.send(context_request).await;
    let context = data(&registration)["context_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let target = format!("{path}/test");
    let test = webhooks.send("POST", &target, None);
    let lookup = async {
        wait_for_requests(&webhooks.outbound, 1).await;
        let request = look_up(other_key.secret.expose(), &context, ADDRESS);
        let answer = app.send(request).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        webhooks.outbound.answer_all();
    };
    let (answer, ()) = tokio::join!(Box::pin(test), Box::pin(lookup));
    assert_eq!(data(&answer)["status"], 204);
}

#[actix_web::test]
async fn third_test_of_client_is_rejected() {
    let webhooks =
        WebhookApp::with_outbound(HttpSettings::default(), RecordingOutbound::blocked()).await;
    let target = format!("{}/test", webhooks.path().await);
    let test = || Box::pin(webhooks.send("POST", &target, None));
    let third_test = async {
        wait_for_requests(&webhooks.outbound, 2).await;
        let answer = test().await;
        answer.is_error(429, "m_g_r_1");
        assert_eq!(answer.header("retry-after"), Some("1"));
        webhooks.outbound.answer_all();
    };
    let (first, second, ()) = tokio::join!(test(), test(), Box::pin(third_test));
    for answer in [first, second, test().await] {
        assert_eq!(data(&answer)["status"], 204);
    }
}

#[actix_web::test]
async fn delivery_log_is_paged_from_newest() {
    let webhooks = WebhookApp::new().await;
    let path = webhooks.path().await;
    for _ in 0..5 {
        data(&webhooks.send("POST", &format!("{path}/test"), None).await);
    }
    let mut numbers = Vec::new();
    let mut query = "limit=2".to_owned();
    for page_size in [2, 2, 1] {
        let target = format!("{path}/deliveries?{query}");
        let page = data(&webhooks.send("GET", &target, None).await);
        let deliveries = page["deliveries"].as_array().unwrap();
        assert_eq!(deliveries.len(), page_size);
        let page_numbers = deliveries.iter().map(|delivery| &delivery["number"]);
        numbers.extend(page_numbers.map(|number| number.as_u64().unwrap()));
        query = format!("limit=2&before={}", page["next_before"]);
    }
    assert_eq!(numbers, [5, 4, 3, 2, 1]);
    assert!(
        query.ends_with("null"),
        "the last page names no further one"
    );
}

#[actix_web::test]
async fn replay_sends_stored_events_again() {
    let webhooks = WebhookApp::new().await;
    let app = &webhooks.app;
    app.context().await;
    app.wait(Duration::from_mins(1));
    app.context().await;
    // The feed has the events 1 (key), 2 and 3 (contexts); an endpoint begins after them.
    let replays = [
        (json!({"event": 2}), vec![2]),
        (json!({"after": 1}), vec![2, 3]),
        (json!({"after": 0}), vec![1, 2, 3]),
        (json!({"since": "2026-11-21T10:00:30Z"}), vec![3]),
        (json!({"since": "2026-11-21T11:00:00Z"}), vec![]),
        (json!({"after": 9_007_199_254_740_991_u64}), vec![]),
    ];
    for (request, events) in replays {
        let path = webhooks.path().await;
        assert_eq!(due_events(&webhooks, &path).await, [0; 0]);
        data(
            &webhooks
                .send("POST", &format!("{path}/replay"), Some(&request))
                .await,
        );
        assert_eq!(due_events(&webhooks, &path).await, events, "{request}");
    }
}

#[actix_web::test]
async fn replay_of_missing_event_is_rejected() {
    let webhooks = WebhookApp::new().await;
    let app = &webhooks.app;
    let path = webhooks.path().await;
    // The feed has the events 1 and 2 of keys, one of each environment.
    let sandbox_key = app.issue(Environment::Sandbox, &Scope::ALL, &[]).await;
    let secret = sandbox_key.secret.expose();
    let request = json!({"url": URL});
    let sandbox_endpoint = data(&send(app, secret, "POST", WEBHOOKS, Some(&request)).await);
    let sandbox_target = format!("{}/replay", path_of(&sandbox_endpoint));
    let live_target = format!("{path}/replay");
    let replay = |number: u64| json!({"event": number});
    for (secret, target, own, others) in [
        (app.secret.as_str(), &live_target, 1, [0, 2, 3]),
        (secret, &sandbox_target, 2, [0, 1, 3]),
    ] {
        data(&send(app, secret, "POST", target, Some(&replay(own))).await);
        for number in others {
            let answer = send(app, secret, "POST", target, Some(&replay(number))).await;
            answer.is_error(404, "m_g_n_1");
        }
    }
}
