//! Webhook endpoints of clients.

use crate::public::{CreateWebhook, WebhookSignature};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Webhook endpoint to create for a client.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWebhook {
    /// URL of the receiver, with the scheme https.
    pub url: String,
    /// Environment whose events are sent: `live` (default) or `test`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// Types of the events to send. Default, also for an empty list: all types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<String>,
    /// Contexts of the events to send. Default, also for an empty list: all events, also those without a context.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<String>,
    /// Kind of the signatures, which never changes. Default: `hmac`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<WebhookSignature>,
}

impl From<NewWebhook> for CreateWebhook {
    fn from(new: NewWebhook) -> Self {
        Self {
            url: new.url,
            types: new.types,
            contexts: new.contexts,
            signature: new.signature,
        }
    }
}
