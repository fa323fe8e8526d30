//! Arguments of `verify_webhook`.

use crate::webhooks::fixture::{endpoint, secrets, sign};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use voight_domain::vocabulary::Timestamp;
use voight_domain::webhooks::SignatureKind;

/// Body of the requests.
pub(crate) const BODY: &str = r#"{"type":"verdict.flagged","timestamp":"2025-11-22T08:26:39.5Z","data":{"context_id":"spring.01kanc5xt6f3vq0d9g8m2y7rwb","note":"é","verdict_version":3}}"#;
/// Time of the requests in seconds since the epoch.
pub(crate) const NOW: u64 = 1_763_800_000;

/// Arguments of a call.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) body: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) keys: Vec<String>,
    pub(crate) now: Option<u64>,
    pub(crate) tolerance_ms: Option<u64>,
}

pub(crate) fn now() -> Timestamp {
    Timestamp::from_millis(i64::try_from(NOW * 1_000).expect("a time"))
}

impl Request {
    /// Creates the request of an endpoint, with the key of its receiver.
    pub(crate) fn signed(kind: SignatureKind, body: &str) -> Self {
        let headers = sign(&endpoint(kind), body, now());
        let headers = headers.entries();
        Self {
            body: body.to_owned(),
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            keys: vec![endpoint(kind).receiver_key(&secrets())],
            now: Some(NOW),
            tolerance_ms: None,
        }
    }

    pub(crate) fn hmac() -> Self {
        Self::signed(SignatureKind::Hmac, BODY)
    }

    pub(crate) fn ed25519() -> Self {
        Self::signed(SignatureKind::Ed25519, BODY)
    }

    pub(crate) fn with_keys(self, keys: &[&str]) -> Self {
        let keys = keys.iter().map(|key| (*key).to_owned()).collect();
        Self { keys, ..self }
    }

    pub(crate) fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers
            .insert(format!("webhook-{name}"), value.to_owned());
        self
    }

    pub(crate) fn without_header(mut self, name: &str) -> Self {
        self.headers.remove(&format!("webhook-{name}"));
        self
    }

    /// Returns the request as it is received at this time in seconds since the epoch.
    pub(crate) fn at(self, now: u64) -> Self {
        Self {
            now: Some(now),
            ..self
        }
    }

    pub(crate) fn key(&self) -> &str {
        &self.keys[0]
    }

    pub(crate) fn signature(&self) -> &str {
        &self.headers["webhook-signature"]
    }

    /// Returns the arguments, sorted by name.
    pub(crate) fn arguments(&self) -> BTreeMap<&str, Value> {
        let mut arguments = BTreeMap::from([
            ("body", json!(self.body)),
            ("headers", json!(self.headers)),
            ("keys", json!(self.keys)),
        ]);
        arguments.extend(self.now.map(|now| ("now", json!(now))));
        arguments.extend(
            self.tolerance_ms
                .map(|millis| ("tolerance_ms", json!(millis))),
        );
        arguments
    }
}
