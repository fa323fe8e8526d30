//! Admin API of a service that runs checks.

use crate::common::Answer;
use crate::window::service::Service;
use actix_web::http::Method;
use actix_web::test::{TestRequest, init_service, try_call_service};
use serde_json::Value;
use voight_api::AdminTokenSecret;
use voight_http::admin::create_admin_app;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// Creates a service whose only visitor used an automated browser.
pub(crate) async fn driven() -> Service {
    let service = Service::new().await;
    let check = service.drive().await;
    assert_eq!(service.complete(&check).await.status, 200);
    service
}

pub(crate) async fn get(service: &Service, path: &str) -> Answer {
    send(service, TestRequest::get(), path).await
}

pub(crate) async fn post(service: &Service, path: &str, body: &Value) -> Answer {
    let request = TestRequest::default()
        .method(Method::POST)
        .set_payload(body.to_string());
    send(
        service,
        request.insert_header(("content-type", "application/json")),
        path,
    )
    .await
}

/// Returns the metrics of the service.
pub(crate) async fn metrics(service: &Service) -> String {
    let answer = call(service, TestRequest::get().uri("/metrics")).await;
    assert_eq!(answer.status, 200);
    answer.body
}

/// Sends a request to a path below the context.
async fn send(service: &Service, request: TestRequest, path: &str) -> Answer {
    call(
        service,
        request.uri(&format!("/admin/v1/contexts/{}/{path}", service.context)),
    )
    .await
}

async fn call(service: &Service, request: TestRequest) -> Answer {
    let app = create_admin_app(
        service.app.state.clone(),
        AdminTokenSecret::parse(TOKEN).unwrap(),
    );
    let request = request
        .insert_header(("host", "127.0.0.1:8081"))
        .insert_header(("authorization", format!("Bearer {TOKEN}")));
    Answer::read(
        try_call_service(&init_service(app).await, request.to_request())
            .await
            .unwrap(),
    )
    .await
}

/// Returns the lines of a streamed response.
pub(crate) fn lines(answer: &Answer) -> Vec<Value> {
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("application/x-ndjson")),
        "{}",
        answer.body
    );
    answer
        .body
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
