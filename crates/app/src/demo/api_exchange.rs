//! Request of the demo's backend to the public API, with its response.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// Request of the backend and its response.
#[derive(Debug, Serialize)]
pub(super) struct ApiExchange {
    /// Request line, and the body if there is one.
    pub(super) request: String,
    /// HTTP status.
    pub(super) status: u16,
    /// Response body, byte for byte.
    pub(super) body: Box<RawValue>,
}

impl ApiExchange {
    /// Creates a response with this data in its envelope, without a request.
    #[cfg(test)]
    pub(super) fn from_json(data: &Value) -> Self {
        let body =
            RawValue::from_string(serde_json::json!({ "success": true, "data": data }).to_string())
                .unwrap();
        Self {
            request: String::new(),
            status: 200,
            body,
        }
    }

    /// Returns the data in the envelope of a success, and null otherwise.
    pub(super) fn data(&self) -> Value {
        let envelope: Value = serde_json::from_str(self.body.get()).unwrap_or_default();
        envelope["data"].clone()
    }
}
