//! Admin console of a service under test.

use crate::admin::description::assert_described;
use crate::common::{Answer, App};
use actix_web::http::Method;
use actix_web::test::{TestRequest, init_service, try_call_service};
use serde_json::Value;
use voight_api::AdminTokenSecret;
use voight_domain::metering::MeterRules;
use voight_http::admin::create_admin_app;

pub(crate) const TOKEN: &str = "0123456789abcdef0123456789abcdef";
pub(crate) const HOST: &str = "127.0.0.1:8081";

/// Service with access to its admin API.
pub(crate) struct Console {
    pub(crate) app: App,
}

impl Console {
    pub(crate) async fn new() -> Self {
        Self {
            app: App::new().await,
        }
    }

    /// Creates a service without rate limits.
    pub(crate) async fn without_rate_limits() -> Self {
        Self::billing(MeterRules::default()).await
    }

    /// Creates a service without rate limits that bills lookups by these rules.
    pub(crate) async fn billing(rules: MeterRules) -> Self {
        Self {
            app: App::billing(rules).await,
        }
    }

    /// Sends a request unchanged.
    pub(crate) async fn send(&self, request: TestRequest) -> Answer {
        let token = AdminTokenSecret::parse(TOKEN).unwrap();
        let service = init_service(create_admin_app(self.app.state.clone(), token)).await;
        let request = request.to_request();
        let method = request.method().to_string();
        let path = request.path().to_owned();
        let answer = Answer::read(try_call_service(&service, request).await.unwrap()).await;
        assert_described(&method, &path, &answer);
        answer
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(call(Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(with_body(call(Method::POST, path), body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(with_body(call(Method::PATCH, path), body)).await
    }
}

/// Creates a request to the admin API, with `Host` and token.
pub(crate) fn call(method: Method, path: &str) -> TestRequest {
    probe(path, HOST)
        .method(method)
        .insert_header(("authorization", format!("Bearer {TOKEN}")))
}

/// Creates a request without a token.
pub(crate) fn probe(path: &str, host: &str) -> TestRequest {
    TestRequest::get()
        .uri(path)
        .insert_header(("host", host.to_owned()))
}

fn with_body(request: TestRequest, body: &Value) -> TestRequest {
    request
        .insert_header(("content-type", "application/json"))
        .set_payload(body.to_string())
}

/// Returns the data of a successful response.
#[track_caller]
pub(crate) fn data(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.body);
    let mut value = answer.json();
    assert_eq!(value["success"], true);
    value["data"].take()
}
