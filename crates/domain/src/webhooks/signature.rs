//! Signatures of requests by Standard Webhooks 1.0.

use super::{Endpoint, SignatureKind};
use crate::events::FeedPosition;
use crate::secrets::Secrets;
use crate::vocabulary::{ClientId, Timestamp};
use data_encoding::HEXLOWER;
use std::fmt;
use std::str::FromStr;

/// Maximum length of a webhook id in bytes.
const MAX_ID_LENGTH: usize = 64;

/// Webhook id, which is the same for all attempts of an event: a receiver recognises repetitions by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookId(String);

/// Error of a text that is not a webhook id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a webhook id has 1 to {MAX_ID_LENGTH} letters, digits, hyphens and underscores")]
pub struct WebhookIdError;

/// Headers of a signed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookHeaders {
    /// Value of `webhook-id`.
    pub id: String,
    /// Value of `webhook-timestamp`: the time of the attempt in seconds since the Unix epoch.
    pub timestamp: String,
    /// Value of `webhook-signature`: the signatures, separated by spaces.
    pub signature: String,
}

impl WebhookHeaders {
    /// Returns the names and values of the headers.
    pub fn entries(&self) -> [(&'static str, &str); 3] {
        [
            ("webhook-id", &self.id),
            ("webhook-timestamp", &self.timestamp),
            ("webhook-signature", &self.signature),
        ]
    }
}

impl Endpoint {
    /// Returns the headers of a request with this body that is sent at `now`.
    ///
    /// While a rotation overlaps, a signature of the former key follows that of the current one.
    pub fn sign(
        &self,
        secrets: &Secrets,
        id: &WebhookId,
        body: &[u8],
        now: Timestamp,
    ) -> WebhookHeaders {
        let timestamp = now.as_seconds().to_string();
        let message = [id.0.as_bytes(), timestamp.as_bytes(), body].join(&b'.');
        let generations = [Some(self.generation), self.overlapping_generation(now)];
        let signatures: Vec<_> = generations
            .into_iter()
            .flatten()
            .map(|generation| self.signature(secrets, generation, &message))
            .collect();
        WebhookHeaders {
            id: id.0.clone(),
            timestamp,
            signature: signatures.join(" "),
        }
    }

    /// Returns the text of the key with which the receiver verifies signatures: `whsec_…` or `whpk_…`.
    pub fn receiver_key(&self, secrets: &Secrets) -> String {
        match self.signature_kind {
            SignatureKind::Hmac => secrets.webhook_secret(self.id, self.generation).expose(),
            SignatureKind::Ed25519 => secrets
                .webhook_key_pair(self.id, self.generation)
                .public_key()
                .to_string(),
        }
    }

    fn signature(&self, secrets: &Secrets, generation: u32, message: &[u8]) -> String {
        match self.signature_kind {
            SignatureKind::Hmac => secrets.webhook_secret(self.id, generation).sign(message),
            SignatureKind::Ed25519 => secrets.webhook_key_pair(self.id, generation).sign(message),
        }
    }
}

impl WebhookId {
    /// Returns the id of the client's event with this number: that of the event in the feed.
    pub fn for_event(client: ClientId, number: u64) -> Self {
        Self(FeedPosition { client, number }.to_string())
    }

    /// Returns the id of a test.
    pub fn for_test(entropy: [u8; 16]) -> Self {
        Self(format!("test-{}", HEXLOWER.encode(&entropy)))
    }
}

impl FromStr for WebhookId {
    type Err = WebhookIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_permitted = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if (1..=MAX_ID_LENGTH).contains(&text.len()) && text.bytes().all(is_permitted) {
            Ok(Self(text.to_owned()))
        } else {
            Err(WebhookIdError)
        }
    }
}

impl fmt::Display for WebhookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::Pepper;
    use crate::webhooks::testing;
    use std::time::Duration;

    fn secrets() -> Secrets {
        Secrets::derive(&Pepper::from_bytes([3; 32]), 0)
    }

    fn now() -> Timestamp {
        "2026-11-29T12:00:00.999Z".parse().unwrap()
    }

    fn endpoint(signature_kind: SignatureKind) -> Endpoint {
        Endpoint {
            signature_kind,
            ..testing::endpoint(now())
        }
    }

    fn id() -> WebhookId {
        "01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap()
    }

    fn sign(endpoint: &Endpoint, now: Timestamp) -> WebhookHeaders {
        endpoint.sign(&secrets(), &id(), b"{}", now)
    }

    #[test]
    fn signature_covers_id_timestamp_and_body() {
        let endpoint = endpoint(SignatureKind::Hmac);
        let headers = sign(&endpoint, now());
        let secret = secrets().webhook_secret(endpoint.id, 0);
        let expected_signature = secret.sign(b"01k0ab3cdefghjkmnpqrstvwxy.1795953600.{}");
        assert_eq!(
            headers.entries(),
            [
                ("webhook-id", "01k0ab3cdefghjkmnpqrstvwxy"),
                ("webhook-timestamp", "1795953600"),
                ("webhook-signature", expected_signature.as_str()),
            ]
        );
        assert_eq!(endpoint.receiver_key(&secrets()), secret.expose());
    }

    #[test]
    fn former_key_signs_second_during_the_overlap() {
        for kind in SignatureKind::ALL {
            let first = endpoint(kind);
            let rotated_endpoint = Endpoint {
                generation: 1,
                rotated_at: Some(now()),
                ..first.clone()
            };
            assert_ne!(
                first.receiver_key(&secrets()),
                rotated_endpoint.receiver_key(&secrets())
            );
            let later = now().saturating_add(Duration::from_hours(24));
            let old_signature = sign(&first, now()).signature;
            let both = sign(&rotated_endpoint, now()).signature;
            let (new_signature, second) = both.split_once(' ').unwrap();
            assert_eq!(second, old_signature);
            assert_ne!(new_signature, old_signature);
            assert!(!sign(&rotated_endpoint, later).signature.contains(' '));
        }
    }

    #[test]
    fn webhook_id_has_no_separator() {
        let longest = WebhookId::for_event(ClientId::from_bytes([255; 16]), u64::MAX);
        assert_eq!(longest.to_string().parse(), Ok(longest));
        for text in [
            "a",
            "01k0ab3cdefghjkmnpqrstvwxy",
            "msg_2-x",
            &"a".repeat(64),
        ] {
            assert_eq!(text.parse::<WebhookId>().unwrap().to_string(), text);
        }
        for text in ["", "a.b", ".", "a b", "\u{e9}", "a\n", &"a".repeat(65)] {
            assert_eq!(text.parse::<WebhookId>(), Err(WebhookIdError), "{text:?}");
        }
    }
}
