//! Response that was read completely.

use actix_web::body::{BoxBody, to_bytes};
use actix_web::dev::ServiceResponse;
use actix_web::http::header::HeaderMap;

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) async fn read(response: ServiceResponse<BoxBody>) -> Self {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = to_bytes(response.into_body()).await.unwrap();
        Self {
            status,
            headers,
            body: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Returns the chain head of the ledger after the row of a lookup.
    pub(crate) fn chain_head(&self) -> String {
        self.header("voight-meter")
            .unwrap()
            .split_once("head=")
            .unwrap()
            .1
            .to_owned()
    }

    /// Returns the id of the error; also asserts that the envelope is complete.
    #[track_caller]
    pub(crate) fn error_id(&self) -> String {
        let value = self.json();
        let members: Vec<_> = value
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(members, ["error", "success"], "{}", self.body);
        assert_eq!(value["success"], false);
        let error = value["error"].as_object().unwrap();
        let members: Vec<_> = error
            .keys()
            .map(String::as_str)
            .filter(|member| *member != "remaining")
            .collect();
        assert_eq!(members, ["code", "id", "message"]);
        assert!(
            !error.contains_key("remaining") || error["code"] == "QUOTA_EXCEEDED",
            "{}",
            self.body
        );
        assert!(!error["message"].as_str().unwrap().is_empty());
        error["id"].as_str().unwrap().to_owned()
    }

    /// Asserts the status and id of an error.
    #[track_caller]
    pub(crate) fn is_error(&self, status: u16, id: &str) {
        assert_eq!(
            (self.status, self.error_id().as_str()),
            (status, id),
            "{}",
            self.body
        );
    }
}
