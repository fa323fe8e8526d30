//! Query strings, read strictly.

use crate::error::ApiError;

/// The values of the parameters `names`, each of which has to be there once, and nothing else.
pub fn strict_query<const N: usize>(query: &str, names: [&str; N]) -> Result<[String; N], ApiError> {
    let mut values = optional_query(query, names)?;
    for (name, value) in names.iter().zip(&values) {
        if value.is_none() {
            return Err(ApiError::invalid(format!("The query parameter {name} is missing.")));
        }
    }
    Ok(std::array::from_fn(|place| values[place].take().unwrap_or_default()))
}

/// The values of the parameters `names`, each of which may be there once, and nothing else.
pub(crate) fn optional_query<const N: usize>(query: &str, names: [&str; N]) -> Result<[Option<String>; N], ApiError> {
    let mut values = [const { None }; N];
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let place = decode(name).and_then(|name| names.iter().position(|known| *known == name));
        let Some(place) = place else { return Err(unknown(&names)) };
        let value = decode(value).ok_or_else(|| {
            ApiError::invalid(format!("The query parameter {} is not percent-encoded UTF-8.", names[place]))
        })?;
        if values[place].replace(value).is_some() {
            return Err(ApiError::invalid(format!("The query parameter {} is repeated.", names[place])));
        }
    }
    Ok(values)
}

/// Accepts the parameters `names`, each at most once, for nothing; every other one is refused.
pub(crate) fn ignored_query<const N: usize>(query: &str, names: [&str; N]) -> Result<(), ApiError> {
    optional_query(query, names).map(drop)
}

fn unknown(names: &[&str]) -> ApiError {
    let known = if names.is_empty() { "none".to_owned() } else { names.join(" and ") };
    ApiError::invalid(format!("There is an unknown query parameter; this path takes {known}."))
}

/// Undoes the encoding of a form: `+` is a space, `%xx` a byte; `None` if a byte is cut short or the bytes are not UTF-8.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => (hex(rest.next()?)? << 4) | hex(rest.next()?)?,
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| value.try_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(query: &str) -> Result<[String; 2], String> {
        strict_query(query, ["a", "b"]).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn parameters_come_in_any_order() {
        assert_eq!(read("b=2&a=%31+x"), Ok(["1 x".to_owned(), "2".to_owned()]));
        assert_eq!(read("a=&&b"), Ok([String::new(), String::new()]));
    }

    #[test]
    fn the_parameter_at_fault_is_named() {
        assert!(read("a=1").unwrap_err().contains("b is missing"));
        assert!(read("").unwrap_err().contains("a is missing"));
        assert!(read("a=1&b=2&a=1").unwrap_err().contains("a is repeated"));
        assert!(read("a=1&b=2&%61=1").unwrap_err().contains("a is repeated"));
        assert!(read("a=1&b=2&c=3").unwrap_err().contains("this path takes a and b"));
        assert!(read("a=%zz&b=2").unwrap_err().contains("a is not percent-encoded"));
        assert!(read("a=%f&b=2").unwrap_err().contains("a is not percent-encoded"));
        assert!(read("a=%ff&b=2").unwrap_err().contains("a is not percent-encoded"));
    }

    proptest! {
        #[test]
        fn no_query_panics(query in ".{0,80}") {
            if let Err(error) = strict_query(&query, ["a", "b"]) {
                prop_assert_eq!(error.id().row().status, 400);
            }
        }

        #[test]
        fn what_is_encoded_is_read_back(a in any::<String>(), b in any::<String>()) {
            let encode = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
            let query = format!("a={}&b={}", encode(&a), encode(&b));
            prop_assert_eq!(read(&query), Ok([a, b]));
        }
    }
}
