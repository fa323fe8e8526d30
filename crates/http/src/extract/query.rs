//! Strict parsing of query strings.

mod pairs;

use crate::error::ApiError;
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use pairs::{QueryError, Value, decode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;
use std::borrow::Cow;
use std::future::{Ready, ready};
use std::ops::Deref;
use std::str::FromStr;
use voight_api::public::routes::PageLimits;

/// Query string as a `T` of `String` and `Option<String>` members, which denies unknown fields. A missing, unknown or repeated
/// parameter is a 400 that names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query<T>(pub T);

/// Query of a path without parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoQuery {}

impl<T: DeserializeOwned> Query<T> {
    /// Parses the query string of `request`.
    pub fn parse(request: &HttpRequest) -> Result<Self, ApiError> {
        parse_query(request.query_string()).map(Self)
    }
}

impl<T> Deref for Query<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::parse(request))
    }
}

/// Returns the values of a query string that has exactly these two parameters in any order and needs no decoding. Any other
/// query string is for [`parse_query`].
pub(crate) fn plain_pair<'a>(query: &'a str, names: [&str; 2]) -> Option<[&'a str; 2]> {
    // The compiler vectorises a count, but not a search.
    let special = query
        .bytes()
        .map(|byte| usize::from(matches!(byte, b'&' | b'%' | b'+')))
        .sum::<usize>();
    if special != 1 {
        return None;
    }
    let (first, second) = query.split_once('&')?;
    let value = |pair: &'a str, name| pair.strip_prefix(name)?.strip_prefix('=');
    let [one, other] = names;
    match (value(first, one), value(second, other)) {
        (Some(one), Some(other)) => Some([one, other]),
        _ => Some([value(second, one)?, value(first, other)?]),
    }
}

/// Returns the first value of a parameter of a query string that may be invalid.
pub(crate) fn first_value<'a>(query: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let value = |pair: &'a str| pair.strip_prefix(name)?.strip_prefix('=');
    query.split('&').find_map(value).and_then(decode)
}

/// Parses a query string as [`Query`] does. An invalid one is `INVALID_REQUEST` with a message that names the parameter.
pub fn parse_query<T: DeserializeOwned>(query: &str) -> Result<T, ApiError> {
    let pairs = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((Value(decode(name)?), Value(decode(value)?)))
        });
    let pairs = pairs.collect::<Option<Vec<_>>>();
    let pairs =
        pairs.ok_or_else(|| ApiError::invalid("The query string is not percent-encoded UTF-8."))?;
    let query = T::deserialize(MapDeserializer::<_, QueryError>::new(pairs.into_iter()));
    query.map_err(|error| ApiError::invalid(error.0))
}

/// Parses a whole number that consists of digits only.
pub(crate) fn number<T: FromStr>(text: Option<&str>, default: T) -> Option<T> {
    let Some(text) = text else {
        return Some(default);
    };
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}

/// Parses the number of entries of a page; an error names the limits.
pub(crate) fn page_limit(text: Option<&str>, limits: PageLimits) -> Result<usize, ApiError> {
    let PageLimits { default, max } = limits;
    number(text, default)
        .filter(|limit| (1..=max).contains(limit))
        .ok_or_else(|| {
            ApiError::invalid(format!(
                "limit is a number from 1 to {max}; the default is {default}."
            ))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct TestQuery {
        a: String,
        b: Option<String>,
    }

    fn read(query: &str) -> Result<TestQuery, String> {
        parse_query(query).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn parameters_come_in_any_order() {
        assert_eq!(
            read("b=2&a=%31+x"),
            Ok(TestQuery {
                a: "1 x".into(),
                b: Some("2".into())
            })
        );
        assert_eq!(
            read("a=&&b"),
            Ok(TestQuery {
                a: String::new(),
                b: Some(String::new())
            })
        );
        assert_eq!(
            read("a=1"),
            Ok(TestQuery {
                a: "1".into(),
                b: None
            })
        );
    }

    #[test]
    fn first_value_of_an_invalid_query_is_found() {
        let value = |query| first_value(query, "context_id").map(Cow::into_owned);
        assert_eq!(
            value("a=%zz&context_id=%31+x&context_id=2"),
            Some("1 x".into())
        );
        for query in ["", "context_id", "a_context_id=1", "context_id=%zz"] {
            assert_eq!(value(query), None, "{query}");
        }
    }

    #[test]
    fn parameter_at_fault_is_named() {
        for (query, words) in [
            ("", "parameter a is missing"),
            ("b=1", "parameter a is missing"),
            ("a=1&b=2&a=1", "parameter a is repeated"),
            ("a=1&b=2&%61=1", "parameter a is repeated"),
            ("a=1&b=2&c=3", "this path takes a and b"),
            ("a=%zz", "percent-encoded"),
            ("a=%f", "percent-encoded"),
            ("a=%ff", "percent-encoded"),
        ] {
            let message = read(query).unwrap_err();
            assert!(message.contains(words), "{query}: {message}");
        }
        assert!(
            parse_query::<NoQuery>("x=1")
                .unwrap_err()
                .message()
                .contains("takes no query parameters")
        );
        assert!(parse_query::<NoQuery>("").is_ok());
    }

    proptest! {
        #[test]
        fn no_query_panics(query in ".{0,80}") {
            if let Err(error) = parse_query::<TestQuery>(&query) {
                prop_assert_eq!(error.id().row().status, 400);
            }
        }

        #[test]
        fn encoded_query_is_decoded(a in any::<String>(), b in any::<String>()) {
            let encode = |text: &str| text.bytes().fold(String::new(), |coded, byte| format!("{coded}%{byte:02X}"));
            let query = format!("a={}&b={}", encode(&a), encode(&b));
            prop_assert_eq!(read(&query), Ok(TestQuery { a, b: Some(b) }));
        }
    }
}
