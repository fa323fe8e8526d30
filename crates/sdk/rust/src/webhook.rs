//! Verification of webhooks of the service: requests that are signed by Standard Webhooks 1.0.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use data_encoding::BASE64;
use ed25519_dalek::{Signature, VerifyingKey};
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use serde_json::Value;
use sha2::Sha256;

use crate::Error;

/// Usual maximum difference between the current time and the time of a request.
pub const WEBHOOK_TOLERANCE: Duration = Duration::from_mins(5);

/// Maximum number of digits of a time.
const MAX_DIGITS: usize = 12;

/// Event of a verified request.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WebhookEvent {
    /// Id, which is the same for all attempts of an event: ignore an id that was processed before.
    pub id: String,
    /// Type, such as `verdict.flagged`. The member is `type` in JSON.
    pub kind: String,
    /// Time of the event.
    pub timestamp: Timestamp,
    /// Data of the event.
    pub data: Value,
}

/// Key of an endpoint.
enum Key {
    Secret(Vec<u8>),
    Public(VerifyingKey),
}

/// Verifies a request to the platform's endpoint, and returns its event.
///
/// `body` is the body as it was received, before it is parsed. `keys` are those of the endpoint, `whsec_…` or `whpk_…`, several during a
/// rotation. `tolerance` is the maximum difference between `now` and the time of the request, usually [`WEBHOOK_TOLERANCE`].
///
/// The service sends an event again until the endpoint answers with a status of 200 to 299, so one event may arrive several times.
///
/// # Errors
///
/// `webhook_…` for an invalid request, and `invalid_argument` for a malformed key.
pub fn verify_webhook<N: AsRef<str>, V: AsRef<[u8]>>(
    body: &[u8],
    headers: impl IntoIterator<Item = (N, V)>,
    keys: &[&str],
    now: SystemTime,
    tolerance: Duration,
) -> Result<WebhookEvent, Error> {
    let parsed_keys = keys
        .iter()
        .map(|key| parse_key(key))
        .collect::<Option<Vec<_>>>();
    let keys = parsed_keys
        .filter(|keys| !keys.is_empty())
        .ok_or_else(|| Error::invalid("keys", "keys of the endpoint, whsec_… or whpk_…"))?;
    let [id, timestamp, signatures] = find_headers(headers)?;
    // A point in the id would make the parts of the message ambiguous.
    let seconds = parse_seconds(&timestamp).filter(|_| !id.contains('.'));
    let sent_at = UNIX_EPOCH + Duration::from_secs(seconds.ok_or_else(|| error("forged"))?);
    match now.duration_since(sent_at) {
        Ok(age) if age > tolerance => return Err(error("expired")),
        Err(lead) if lead.duration() > tolerance => return Err(error("early")),
        _ => {}
    }
    let message = [id.as_bytes(), timestamp.as_bytes(), body].join(&b'.');
    if !is_signed(&signatures, &message, &keys) {
        return Err(error("forged"));
    }
    parse_event(id, body).ok_or_else(|| error("malformed"))
}

fn error(reason: &str) -> Error {
    let advice = match reason {
        "missing" => {
            "The request lacks a header of webhooks, so the service has not sent it. Reject it."
        }
        "forged" => {
            "The request is not signed with one of the keys. Reject it. If the service has sent it, pass the current key of the endpoint, and the body as it was received."
        }
        "expired" => {
            "The request is older than the tolerance. Reject it. If all requests are, set the clock of this server."
        }
        "early" => {
            "The request is dated in the future. Reject it. If all requests are, set the clock of this server."
        }
        _ => {
            "The request is signed, but its body is not an event of the service. Read the documentation of its version."
        }
    };
    Error::new(&format!("webhook_{reason}"), advice)
}

fn parse_key(text: &str) -> Option<Key> {
    let (prefix, encoded) = text.split_once('_')?;
    let bytes = BASE64.decode(encoded.as_bytes()).ok()?;
    match prefix {
        "whsec" if (24..=64).contains(&bytes.len()) => Some(Key::Secret(bytes)),
        "whpk" => {
            let key = VerifyingKey::from_bytes(&bytes.try_into().ok()?).ok()?;
            Some(Key::Public(key))
        }
        _ => None,
    }
}

/// Returns the values of the three headers; values that are not text are malformed, and no header has an empty one.
fn find_headers<N: AsRef<str>, V: AsRef<[u8]>>(
    headers: impl IntoIterator<Item = (N, V)>,
) -> Result<[String; 3], Error> {
    let mut values = [const { String::new() }; 3];
    for (name, value) in headers {
        let name = name.as_ref().to_ascii_lowercase();
        let index = match name.strip_prefix("webhook-") {
            Some("id") => 0,
            Some("timestamp") => 1,
            Some("signature") => 2,
            _ => continue,
        };
        if values[index].is_empty() {
            values[index] = String::from_utf8_lossy(value.as_ref()).into_owned();
        }
    }
    if values.iter().any(String::is_empty) {
        return Err(error("missing"));
    }
    Ok(values)
}

fn parse_seconds(text: &str) -> Option<u64> {
    let is_number = text.len() <= MAX_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// Returns `true` if one of the signatures is by one of the keys. Other versions are skipped: a newer service may send them as well.
fn is_signed(signatures: &str, message: &[u8], keys: &[Key]) -> bool {
    signatures.split(' ').any(|entry| {
        let (version, encoded) = entry.split_once(',').unwrap_or_default();
        let signature = BASE64.decode(encoded.as_bytes()).unwrap_or_default();
        keys.iter().any(|key| match (version, key) {
            ("v1", Key::Secret(secret)) => is_mac(secret, message, &signature),
            ("v1a", Key::Public(key)) => Signature::from_slice(&signature)
                .is_ok_and(|signature| key.verify_strict(message, &signature).is_ok()),
            _ => false,
        })
    })
}

/// Compares in constant time.
fn is_mac(secret: &[u8], message: &[u8], signature: &[u8]) -> bool {
    Hmac::<Sha256>::new_from_slice(secret)
        .is_ok_and(|mac| mac.chain_update(message).verify_slice(signature).is_ok())
}

fn parse_event(id: String, body: &[u8]) -> Option<WebhookEvent> {
    let mut event: Value = serde_json::from_slice(body).ok()?;
    Some(WebhookEvent {
        id,
        kind: event["type"].as_str()?.to_owned(),
        timestamp: event["timestamp"].as_str()?.parse().ok()?,
        data: event.get_mut("data")?.take(),
    })
}
