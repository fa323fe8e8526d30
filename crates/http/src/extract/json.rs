//! Strict parsing of JSON objects.

use super::read_body;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest};
use serde::de::{self, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use voight_api::ErrorId;

/// Body as one JSON object of type `T`, for endpoints without [`Authorized`](super::Authorized) in their signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<T> Deref for Json<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for Json<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move { read_json(&request, payload).await.map(Self) })
    }
}

/// Body as one JSON object whose members are all optional. A request without a body is an object without members.
#[derive(Debug)]
pub(crate) struct OptionalJson<T>(pub(crate) T);

impl<T: DeserializeOwned + Default + 'static> FromRequest for OptionalJson<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move {
            if has_body(&request) {
                read_json(&request, payload).await.map(Self)
            } else {
                Ok(Self(T::default()))
            }
        })
    }
}

/// Returns `true` if the request headers announce a body.
fn has_body(request: &HttpRequest) -> bool {
    let headers = request.headers();
    let is_empty = headers
        .get(header::CONTENT_LENGTH)
        .is_none_or(|length| length == "0");
    !is_empty
        || headers.contains_key(header::TRANSFER_ENCODING)
        || headers.contains_key(header::CONTENT_TYPE)
}

/// Maximum body of operators, in bytes.
const LARGE_BODY_BYTES: usize = 4 << 20;

/// Body as one JSON object with the larger limit for operators, who send lists of addresses and files.
#[derive(Debug)]
pub(crate) struct LargeJson<T>(pub(crate) T);

impl<T: DeserializeOwned + 'static> FromRequest for LargeJson<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move {
            read_json_up_to(&request, payload, LARGE_BODY_BYTES)
                .await
                .map(Self)
        })
    }
}

/// Reads the body as one JSON object of type `T`. Checks the media type (415), then the limits of the body, the syntax and the
/// fields.
pub async fn read_json<T: DeserializeOwned>(
    request: &HttpRequest,
    payload: Payload,
) -> Result<T, ApiError> {
    read_json_up_to(
        request,
        payload,
        AppState::from_http_request(request)?.settings.body_bytes,
    )
    .await
}

/// Reads the body as [`read_json`] does, up to `limit` bytes.
pub(crate) async fn read_json_up_to<T: DeserializeOwned>(
    request: &HttpRequest,
    payload: Payload,
    limit: usize,
) -> Result<T, ApiError> {
    if !is_json(request) {
        return Err(ErrorId::UnsupportedMediaType.into());
    }
    parse_json(
        &read_body(
            request,
            payload,
            limit,
            AppState::from_http_request(request)?.settings.body_timeout,
        )
        .await?,
    )
}

/// Returns `true` for `application/json`, with the charset UTF-8 if one is given.
fn is_json(request: &HttpRequest) -> bool {
    let mut types = request.headers().get_all(header::CONTENT_TYPE);
    let (Some(Ok(value)), None) = (types.next().map(|value| value.to_str()), types.next()) else {
        return false;
    };
    let (essence, parameters) = value.split_once(';').unwrap_or((value, ""));
    let charset = parameters
        .split(';')
        .filter_map(|pair| pair.split_once('='))
        .find_map(|(name, value)| {
            name.trim()
                .eq_ignore_ascii_case("charset")
                .then(|| value.trim().trim_matches('"'))
        });
    essence.trim().eq_ignore_ascii_case("application/json")
        && charset.is_none_or(|charset| charset.eq_ignore_ascii_case("utf-8"))
}

/// Parses one JSON object. A body that is not one complete object with distinct members is `INVALID_JSON`. A member that is
/// missing, unknown (`T` denies unknown fields) or of the wrong type is `INVALID_REQUEST` and named in the message.
pub fn parse_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    // A derived struct would also accept an array of its fields in order.
    if body.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(ErrorId::InvalidJson.into());
    }
    serde_json::from_slice::<UniqueMembers>(body).map_err(|error| not_json(&error))?;
    serde_json::from_slice(body).map_err(|error| ApiError::invalid(describe(&error)))
}

fn not_json(error: &serde_json::Error) -> ApiError {
    let message = if error.is_data() {
        format!(
            "The body repeats a member of an object (line {}, column {}).",
            error.line(),
            error.column()
        )
    } else {
        format!(
            "The body is not one JSON object (line {}, column {}).",
            error.line(),
            error.column()
        )
    };
    ApiError::with_message(ErrorId::InvalidJson, message)
}

/// Describes the error with serde's message, which names the field and the expected type. The message is shortened, since a
/// field name may be as long as the body, and control characters are replaced, since a name may contain any character.
fn describe(error: &serde_json::Error) -> String {
    let printable = |c: char| {
        if c.is_control() {
            char::REPLACEMENT_CHARACTER
        } else {
            c
        }
    };
    let text: String = error.to_string().chars().take(200).map(printable).collect();
    format!("The body does not fit: {text}.")
}

/// JSON value of any type whose objects have no duplicate members.
struct UniqueMembers;

impl<'de> de::Deserialize<'de> for UniqueMembers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DistinctVisitor)
    }
}

struct DistinctVisitor;

impl<'de> Visitor<'de> for DistinctVisitor {
    type Value = UniqueMembers;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value without repeated members")
    }

    fn visit_unit<E>(self) -> Result<UniqueMembers, E> {
        Ok(UniqueMembers)
    }

    fn visit_bool<E>(self, _: bool) -> Result<UniqueMembers, E> {
        Ok(UniqueMembers)
    }

    fn visit_i64<E>(self, _: i64) -> Result<UniqueMembers, E> {
        Ok(UniqueMembers)
    }

    fn visit_u64<E>(self, _: u64) -> Result<UniqueMembers, E> {
        Ok(UniqueMembers)
    }

    fn visit_f64<E>(self, _: f64) -> Result<UniqueMembers, E> {
        Ok(UniqueMembers)
    }

    fn visit_str<E>(self, _: &str) -> Result<UniqueMembers, E> {
        Ok(UniqueMembers)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<UniqueMembers, A::Error> {
        while list.next_element::<UniqueMembers>()?.is_some() {}
        Ok(UniqueMembers)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<UniqueMembers, A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = object.next_key::<String>()? {
            if !names.insert(name) {
                return Err(de::Error::custom("a repeated member"));
            }
            object.next_value::<UniqueMembers>()?;
        }
        Ok(UniqueMembers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Body {
        title: String,
        #[serde(default)]
        list: Vec<u8>,
    }

    fn rejection_id(body: &[u8]) -> ErrorId {
        parse_json::<Body>(body).unwrap_err().id()
    }

    #[test]
    fn object_is_read() {
        let body = Body {
            title: "a".into(),
            list: vec![1],
        };
        assert_eq!(
            parse_json::<Body>(b" {\"title\":\"a\",\"list\":[1]} \n"),
            Ok(body)
        );
    }

    #[test]
    fn body_other_than_one_object_is_rejected() {
        let bodies: [&[u8]; 12] = [
            b"",
            b"null",
            b"\"a\"",
            b"[\"a\"]",
            b"{",
            b"{\"title\":\"a\"} x",
            b"{\"title\":\"a\"}{}",
            b"{\"title\":\"a\",\"title\":\"b\"}",
            b"{\"title\":\"a\",\"other\":{\"x\":1,\"x\":2}}",
            b"\xef\xbb\xbf{\"title\":\"a\"}",
            b"{\"title\":\"\xff\"}",
            b"{\"title\":\"\\ud800\"}",
        ];
        for body in bodies {
            assert_eq!(
                rejection_id(body),
                ErrorId::InvalidJson,
                "{}",
                String::from_utf8_lossy(body)
            );
        }
    }

    #[test]
    fn member_that_does_not_fit_is_named() {
        for (body, name) in [
            ("{}", "title"),
            (r#"{"title":"a","other":1}"#, "other"),
            (r#"{"title":1}"#, "integer"),
        ] {
            let error = parse_json::<Body>(body.as_bytes()).unwrap_err();
            assert_eq!(error.id(), ErrorId::InvalidRequest);
            assert!(error.message().contains(name), "{}", error.message());
        }
    }

    #[test]
    fn name_with_a_line_end_stays_on_one_line() {
        let error = parse_json::<Body>(br#"{"title":"a","a\nb":1}"#).unwrap_err();
        assert!(
            error.message().contains("a\u{fffd}b"),
            "{}",
            error.message()
        );
    }

    proptest! {
        #[test]
        fn no_bytes_panic(body in proptest::collection::vec(any::<u8>(), 0..64)) {
            if let Err(error) = parse_json::<Body>(&body) {
                prop_assert_eq!(error.id().row().status, 400);
            }
        }

        #[test]
        fn parsed_json_equals_the_written_value(title in any::<String>(), list in any::<Vec<u8>>()) {
            let text = serde_json::json!({ "title": title, "list": list }).to_string();
            prop_assert_eq!(parse_json::<Body>(text.as_bytes()), Ok(Body { title, list }));
        }
    }
}
