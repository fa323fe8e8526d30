//! Validation of the caller's options before any request, with errors that name the option.

use uuid::Uuid;

use crate::Error;

/// Returns an address in lower case.
pub(crate) fn address(given: &str) -> Result<String, Error> {
    let address = given.to_lowercase();
    let is_hex =
        |digits: &str| digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match address.strip_prefix("0x") {
        Some(digits) if is_hex(digits) => Ok(address),
        _ => Err(Error::invalid(
            "eoa_address",
            "0x followed by 40 hexadecimal digits",
        )),
    }
}

/// Rejects an empty context id.
pub(crate) fn context(given: &str) -> Result<(), Error> {
    if given.is_empty() {
        return Err(Error::invalid(
            "context_id",
            "the id of a context that was registered",
        ));
    }
    Ok(())
}

/// Returns `true` for an API key.
pub(crate) fn is_api_key(given: &str) -> bool {
    let is_word = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    given.strip_prefix("vgt_").is_some_and(is_word)
}

/// Returns the idempotency key, or a new one. A key derived from a receipt would let it be redeemed twice.
pub(crate) fn idempotency_key(given: Option<&str>) -> Result<String, Error> {
    let Some(key) = given else {
        return Ok(Uuid::new_v4().to_string());
    };
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
    if key.is_empty() || key.len() > 255 || !key.bytes().all(is_allowed) {
        return Err(Error::invalid(
            "idempotency_key",
            "at most 255 letters, digits, '_', '.', ':' or '-'",
        ));
    }
    Ok(key.to_owned())
}
