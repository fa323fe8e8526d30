//! Parsers of the domain's vocabulary. Accepted values are formatted and parsed back identically.

use std::fmt::{Debug, Display};
use std::str::{FromStr, from_utf8};
use voight_domain::metering::{MAX_RANGE_DAYS, Period, PeriodStartDay};
use voight_domain::secrets::Pepper;
use voight_domain::vocabulary::{
    ApiKey, CheckId, ClientName, ContextId, ContextTitle, EoaAddress, IdempotencyKey, Origin,
    Scope, Timestamp,
};

/// Parses a value; asserts that its text parses to the same value.
fn parsed<T: FromStr<Err: Debug> + Display + PartialEq + Debug>(bytes: &[u8]) -> Option<T> {
    let value: T = from_utf8(bytes).ok()?.parse().ok()?;
    assert!(
        value
            .to_string()
            .parse()
            .is_ok_and(|again: T| again == value),
        "{value:?} is parsed back as another value"
    );
    Some(value)
}

/// Parses a value of a type with a single spelling; asserts that its text is the input.
fn parse_single_spelling<T: FromStr<Err: Debug> + Display>(bytes: &[u8]) -> Option<T> {
    let text = from_utf8(bytes).ok()?;
    let value: T = text.parse().ok()?;
    assert_eq!(value.to_string(), text, "one value has two spellings");
    Some(value)
}

/// Parses the address of an account.
pub fn address(bytes: &[u8]) -> bool {
    let Some(address) = parsed::<EoaAddress>(bytes) else {
        return false;
    };
    assert_eq!(address.to_lower_hex().parse(), Ok(address));
    assert_eq!(
        address.to_lower_hex().as_bytes(),
        bytes.to_ascii_lowercase()
    );
    true
}

/// Parses the secret text of an API key.
pub fn api_key(bytes: &[u8]) -> bool {
    let Some(key) = from_utf8(bytes)
        .ok()
        .and_then(|text| text.parse::<ApiKey>().ok())
    else {
        return false;
    };
    assert_eq!(key.expose().as_bytes(), bytes);
    assert_eq!(bytes.len(), 47);
    assert!(
        key.expose()
            .starts_with(&format!("vgt_{}_", key.environment().label()))
    );
    assert!(key.expose().starts_with(&key.hint()) && key.hint().len() == 13);
    true
}

/// Parses a client's name.
pub fn client_name(bytes: &[u8]) -> bool {
    let Some(name) = parse_single_spelling::<ClientName>(bytes) else {
        return false;
    };
    assert!(name.as_str() == name.as_str().trim() && !name.as_str().contains(char::is_control));
    true
}

/// Parses a context's id.
pub fn context_id(bytes: &[u8]) -> bool {
    let Some(id) = parse_single_spelling::<ContextId>(bytes) else {
        return false;
    };
    assert!(id.title().parse::<ContextTitle>().is_ok());
    assert_eq!(id.title().len() + ".".len() + 26, id.as_str().len());
    true
}

/// Parses an identifier of the service.
pub fn id(bytes: &[u8]) -> bool {
    let Some(id) = parse_single_spelling::<CheckId>(bytes) else {
        return false;
    };
    assert_eq!(CheckId::from_bytes(id.to_bytes()), id);
    true
}

/// Parses the header `Idempotency-Key`; a quoted string has the same meaning.
pub fn idempotency_key(bytes: &[u8]) -> bool {
    let Some(key) = from_utf8(bytes)
        .ok()
        .and_then(|text| text.parse::<IdempotencyKey>().ok())
    else {
        return false;
    };
    let quoted_key = format!(
        "\"{}\"",
        key.as_str().replace('\\', "\\\\").replace('"', "\\\"")
    );
    assert_eq!(quoted_key.parse(), Ok(key));
    true
}

/// Parses a web origin, which is its own origin and that of every page on it.
pub fn origin(bytes: &[u8]) -> bool {
    if let Some(of_url) = from_utf8(bytes)
        .ok()
        .and_then(|text| Origin::of_url(text).ok())
    {
        assert_eq!(of_url.as_str().parse(), Ok(of_url.clone()));
        assert_eq!(Origin::of_url(of_url.as_str()), Ok(of_url));
    }
    let Some(origin) = parsed::<Origin>(bytes) else {
        return false;
    };
    // Only an IPv6 address has several spellings.
    assert!(
        origin.as_str().as_bytes() == bytes || bytes.contains(&b'['),
        "one name has two spellings"
    );
    assert_eq!(
        Origin::of_url(&format!("{origin}/page?query#part")),
        Ok(origin)
    );
    true
}

/// Parses the secret of an installation.
pub fn pepper(bytes: &[u8]) -> bool {
    let Some(pepper) = from_utf8(bytes)
        .ok()
        .and_then(|text| text.parse::<Pepper>().ok())
    else {
        return false;
    };
    assert!(
        pepper
            .to_hex()
            .parse()
            .is_ok_and(|again: Pepper| again.to_hex() == pepper.to_hex())
    );
    true
}

/// Parses the scope of a key.
pub fn scope(bytes: &[u8]) -> bool {
    parse_single_spelling::<Scope>(bytes).is_some()
}

/// Parses the date range of a usage query: `from` and `to`, each on its own line; an empty one is absent.
pub fn span(bytes: &[u8]) -> bool {
    let Ok(text) = from_utf8(bytes) else {
        return false;
    };
    let (from, to) = text.split_once('\n').unwrap_or((text, ""));
    let [from, to] = [from, to].map(|end| Some(end).filter(|end| !end.is_empty()));
    let current = Period::month_containing(
        Timestamp::from_millis(1_795_255_200_000),
        PeriodStartDay::default(),
    );
    let Ok(span) = Period::parse_range(from, to, current) else {
        return false;
    };
    assert!(
        span.start < span.end
            && span.end.saturating_since(span.start).as_secs()
                <= MAX_RANGE_DAYS.cast_unsigned() * 86_400
    );
    let from = span.start.to_string();
    let to = span.end.to_string();
    assert_eq!(
        Period::parse_range(Some(&from), Some(&to), current),
        Ok(span)
    );
    true
}

/// Parses a timestamp.
pub fn timestamp(bytes: &[u8]) -> bool {
    parsed::<Timestamp>(bytes).is_some()
}

/// Parses a context's title, which becomes part of an id.
pub fn title(bytes: &[u8]) -> bool {
    let Some(title) = parse_single_spelling::<ContextTitle>(bytes) else {
        return false;
    };
    let id = ContextId::new(&title, Timestamp::default(), [0; 10]);
    assert!(
        id.to_string()
            .parse()
            .is_ok_and(|again: ContextId| again == id)
            && id.title() == title.as_str()
    );
    true
}
