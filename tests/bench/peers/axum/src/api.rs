//! HTTP API over any storage.

use crate::ledger::{Books, Failure, Key, Question, Verdicts};
use crate::digest;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use hmac::Hmac;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::Sha256;
use std::sync::Arc;
use uuid::Uuid;

const METER: HeaderName = HeaderName::from_static("voight-meter");
const LONGEST_TITLE: usize = 64;

/// State of the program: the key of the HMAC over API keys, and the storage.
pub(crate) struct Peer<B> {
    pub(crate) keys: Hmac<Sha256>,
    pub(crate) books: B,
}

/// Query of a lookup.
#[derive(Deserialize)]
struct Asked {
    eoa_address: String,
    context_id: String,
}

/// Context to register.
#[derive(Deserialize)]
struct Title {
    context_title: String,
}

/// Reason of a rejected request.
enum Refusal {
    NoKey,
    Malformed(&'static str),
    Failed(Failure),
}

pub(crate) fn router<B: Books>(peer: Arc<Peer<B>>) -> Router {
    Router::new()
        .route("/api/v1/users/eoa", get(look_up::<B>))
        .route("/api/v1/register/context_id", post(register::<B>))
        .route("/api/v1/verdicts", post(decide::<B>))
        .route("/api/v1/usage", get(usage::<B>))
        .with_state(peer)
}

async fn look_up<B: Books>(
    State(peer): State<Arc<Peer<B>>>,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Result<Response, Refusal> {
    let Asked { mut eoa_address, context_id: context } = asked;
    if !is_address(&eoa_address) {
        return Err(Refusal::Malformed("eoa_address is 0x and 40 hexadecimal digits."));
    }
    eoa_address.make_ascii_lowercase();
    let idempotency_key = header(&headers, "idempotency-key").map(str::to_owned);
    let question = Question { key: peer.key(&headers)?, idempotency_key, context, address: eoa_address };
    let row = peer.books.look_up(question).await?;
    let data = json!({"isBot": row.is_bot, "confidence": {"score": row.score}});
    Ok(([(METER, format!("seq={}", row.seq))], success(&data)).into_response())
}

async fn register<B: Books>(
    State(peer): State<Arc<Peer<B>>>,
    headers: HeaderMap,
    Json(Title { context_title }): Json<Title>,
) -> Result<Json<Value>, Refusal> {
    if !is_title(&context_title) {
        return Err(Refusal::Malformed("context_title has letters, digits, _ and -, 64 at most."));
    }
    let context = format!("{context_title}.{}", Uuid::new_v4());
    peer.books.register(peer.key(&headers)?, context.clone()).await?;
    Ok(success(&json!({"context_id": context})))
}

/// Stores the verdicts of a check.
async fn decide<B: Books>(
    State(peer): State<Arc<Peer<B>>>,
    headers: HeaderMap,
    Json(mut found): Json<Verdicts>,
) -> Result<Json<Value>, Refusal> {
    found.addresses.iter_mut().for_each(|address| address.make_ascii_lowercase());
    peer.books.decide(peer.key(&headers)?, found).await?;
    Ok(success(&json!({})))
}

/// Returns the number of billed lookups.
async fn usage<B: Books>(State(peer): State<Arc<Peer<B>>>, headers: HeaderMap) -> Result<Json<Value>, Refusal> {
    let billable = peer.books.count(peer.key(&headers)?).await?;
    Ok(success(&json!({"billable": billable})))
}

impl<B> Peer<B> {
    fn key(&self, headers: &HeaderMap) -> Result<Key, Refusal> {
        header(headers, "x-api-key").map(|key| digest(&self.keys, key)).ok_or(Refusal::NoKey)
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn is_address(text: &str) -> bool {
    text.strip_prefix("0x").is_some_and(|digits| digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_title(text: &str) -> bool {
    let plain = |it: u8| it.is_ascii_alphanumeric() || it == b'_' || it == b'-';
    !text.is_empty() && text.len() <= LONGEST_TITLE && text.bytes().all(plain)
}

fn success(data: &Value) -> Json<Value> {
    Json(json!({"success": true, "data": data}))
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, message) = match self {
            Self::NoKey => (StatusCode::UNAUTHORIZED, "Send your API key in the header x-api-key."),
            Self::Malformed(message) => (StatusCode::BAD_REQUEST, message),
            Self::Failed(Failure::UnknownKey) => (StatusCode::UNAUTHORIZED, "This API key is not known."),
            Self::Failed(Failure::UnknownContext) => (StatusCode::NOT_FOUND, "This context is not yours."),
            Self::Failed(Failure::KeyReused) => {
                (StatusCode::UNPROCESSABLE_ENTITY, "This Idempotency-Key was used with other parameters.")
            }
            Self::Failed(Failure::Broken(why)) => {
                eprintln!("{why}");
                (StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong.")
            }
        };
        (status, Json(json!({"error": {"message": message}}))).into_response()
    }
}
