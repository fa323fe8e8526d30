//! Export of recordings for training.

use crate::common::ADDRESS;
use crate::window::operator::{driven, get, lines, post};
use crate::window::service::Service;
use serde_json::{Value, json};

async fn label(service: &Service, label: &str, consent: bool) {
    let body = json!({"labels": [{"address": ADDRESS, "label": label, "consent": consent}], "reason": "asked"});
    assert_eq!(post(service, "labels", &body).await.status, 200);
}

async fn recordings(service: &Service, label: &str) -> Vec<Value> {
    lines(&get(service, &format!("recordings?label={label}")).await)
}

#[actix_web::test]
async fn recordings_require_consent() {
    let service = driven().await;
    let nothing = [json!({"done": {"gone": 0}})];
    assert_eq!(recordings(&service, "bot").await, nothing);
    label(&service, "bot", false).await;
    assert_eq!(recordings(&service, "bot").await, nothing);
    label(&service, "bot", true).await;
    assert_eq!(recordings(&service, "human").await, nothing);
    let recording_lines = recordings(&service, "bot").await;
    assert_eq!(recording_lines.len(), 2);
    let recording = &recording_lines[0]["recording"];
    assert_eq!(recording["batches"].as_array().unwrap().len(), 2);
    let first = &recording["batches"][0];
    assert_eq!(
        (&first["number"], &first["received_after_ms"]),
        (&json!(1), &json!(2000))
    );
    assert_eq!(first["body"]["env"]["webdriver"]["value"], true);
    assert_eq!(
        (&first["body"]["ctx"]["address"], &first["body"]["device"]),
        (&json!("recorded"), &Value::Null)
    );
    let text = recording_lines[0].to_string().to_lowercase();
    assert!(
        !text.contains(&ADDRESS.to_lowercase()) && !text.contains(&service.context),
        "{text}"
    );
    assert_eq!(
        recordings(&service, "bot").await,
        recording_lines,
        "a person has the same name at every export"
    );
}

#[actix_web::test]
async fn unknown_label_is_rejected() {
    let service = Service::new().await;
    get(&service, "recordings?label=robot")
        .await
        .is_error(400, "m_g_p_1");
    get(&service, "recordings").await.is_error(400, "m_g_p_1");
}
