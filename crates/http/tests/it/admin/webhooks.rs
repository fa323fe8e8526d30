//! Webhook endpoints through the admin API.

use crate::admin::console::{Console, call, data};
use crate::common::{App, RecordingOutbound};
use crate::webhooks::URL;
use actix_web::http::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use voight_http::HttpSettings;

const WEBHOOKS: &str = "/admin/v1/clients/acme/webhooks";

async fn console() -> Console {
    let outbound = Arc::new(RecordingOutbound::new());
    Console {
        app: App::with_outbound(HttpSettings::default(), outbound).await,
    }
}

fn path_of(endpoint: &Value) -> String {
    format!("{WEBHOOKS}/{}", endpoint["id"].as_str().unwrap())
}

#[actix_web::test]
async fn operator_manages_endpoints_of_both_environments() {
    let console = console().await;
    let live_request = json!({"url": URL});
    let mut live_endpoint = data(&console.post(WEBHOOKS, &live_request).await);
    let request =
        json!({"url": URL, "environment": "test", "types": ["key.issued"], "signature": "ed25519"});
    let by_id = format!("/admin/v1/clients/{}/webhooks", console.app.client.id);
    let sandbox_endpoint = data(&console.post(&by_id, &request).await);
    assert_eq!(sandbox_endpoint["environment"], "test");
    let secret = live_endpoint.as_object_mut().unwrap().remove("secret");
    assert!(secret.unwrap().as_str().unwrap().starts_with("whsec_"));
    let list = data(&console.get(WEBHOOKS).await);
    assert_eq!(list, json!([live_endpoint, sandbox_endpoint]));
    let path = path_of(&sandbox_endpoint);
    assert_eq!(data(&console.get(&path).await), sandbox_endpoint);
    let change = json!({"state": "paused", "types": []});
    let paused_endpoint = data(&console.patch(&path, &change).await);
    assert_eq!(paused_endpoint["state"], "paused");
    assert_eq!(paused_endpoint["types"], json!([]));

    let rotate = call(Method::POST, &format!("{path}/rotate"));
    let rotated_endpoint = data(&console.send(rotate).await);
    assert_ne!(
        rotated_endpoint["public_key"],
        sandbox_endpoint["public_key"]
    );
    let test = call(Method::POST, &format!("{path}/test"));
    assert_eq!(data(&console.send(test).await)["status"], 204);
    let log = data(&console.get(&format!("{path}/deliveries?limit=1")).await);
    assert_eq!(log["deliveries"][0]["number"], 1);
    let replay = json!({"after": 0});
    data(&console.post(&format!("{path}/replay"), &replay).await);
    let delete = call(Method::DELETE, &path);
    let deleted_id = data(&console.send(delete).await);
    assert_eq!(deleted_id, json!({"id": sandbox_endpoint["id"]}));
    assert_eq!(data(&console.get(WEBHOOKS).await), json!([live_endpoint]));
    let records = data(&console.get("/admin/v1/audit?limit=1000").await);
    let actions: Vec<_> = records
        .as_array()
        .unwrap()
        .iter()
        .filter(|record| record["subject"] == sandbox_endpoint["id"])
        .map(|record| {
            (
                record["actor"].as_str().unwrap(),
                record["action"].as_str().unwrap(),
            )
        })
        .collect();
    let expected_actions = [
        "created", "changed", "changed", "rotated", "tested", "replayed", "deleted",
    ];
    let expected_actions = expected_actions.map(|word| format!("webhook.{word}"));
    let expected: Vec<_> = expected_actions
        .iter()
        .map(|action| ("operator", action.as_str()))
        .collect();
    assert_eq!(actions, expected);
}

#[actix_web::test]
async fn webhook_errors_name_the_cause() {
    let console = console().await;
    let endpoint = data(&console.post(WEBHOOKS, &json!({"url": URL})).await);
    let path = path_of(&endpoint);
    for (body, words) in [
        (json!({"url": URL, "environment": "prod"}), "environment"),
        (json!({"url": URL, "types": ["key.lost"]}), "key.lost"),
        (json!({"url": "ftp://hooks.example"}), "https://"),
        (json!({"url": URL, "secret": "x"}), "secret"),
    ] {
        let answer = console.post(WEBHOOKS, &body).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(words), "{}", answer.body);
    }
    let answer = console.patch(&path, &json!({})).await;
    answer.is_error(400, "m_g_p_1");
    for missing_path in [
        format!("{WEBHOOKS}/nothing"),
        path.replace("acme", "globex"),
    ] {
        let answer = console.get(&missing_path).await;
        answer.is_error(404, "m_g_n_1");
    }
    let replay = console
        .post(&format!("{path}/replay"), &json!({"event": 99}))
        .await;
    replay.is_error(404, "m_g_n_1");
    assert!(
        replay.body.contains("there is no event 99"),
        "{}",
        replay.body
    );
    let app = App::new().await;
    let disabled = Console { app }.post(WEBHOOKS, &json!({"url": URL})).await;
    disabled.is_error(409, "m_g_c_1");
    assert!(
        disabled.body.contains("outbound.enabled"),
        "{}",
        disabled.body
    );
}

#[actix_web::test]
async fn endpoint_of_another_client_does_not_exist() {
    let console = console().await;
    let endpoint = data(&console.post(WEBHOOKS, &json!({"url": URL})).await);
    let new_client = json!({"name": "other"});
    data(&console.post("/admin/v1/clients", &new_client).await);
    let path = path_of(&endpoint).replace("acme", "other");
    console.get(&path).await.is_error(404, "m_g_n_1");
    let delete = call(Method::DELETE, &path);
    console.send(delete).await.is_error(404, "m_g_n_1");
    assert_eq!(
        data(&console.get(WEBHOOKS).await).as_array().unwrap().len(),
        1
    );
}
