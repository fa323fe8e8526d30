//! URL parameters that the driver does not support, or supports only in part.

use crate::connect::auth::AuthMethods;
use crate::connect::roots::Roots;
use crate::connect::ssl_mode::SslMode;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// URL split into the part for the driver and the parameters handled here.
pub(super) struct Parameters {
    /// URL for the driver.
    pub(super) plain: String,
    pub(super) ssl_mode: Option<SslMode>,
    pub(super) roots: Option<Roots>,
    pub(super) auth_methods: AuthMethods,
}

impl Parameters {
    /// Splits a URL. The error names an invalid parameter.
    pub(super) fn take(text: &str) -> Result<Self, String> {
        let Some((base, query)) = text.split_once('?') else {
            return Ok(Self {
                plain: text.to_owned(),
                ssl_mode: None,
                roots: None,
                auth_methods: AuthMethods::default(),
            });
        };
        let mut pairs: Vec<_> = query.split('&').collect();
        let ssl_mode = take(&mut pairs, "sslmode")?
            .map(|value| SslMode::parse(&value))
            .transpose()?;
        let roots = take(&mut pairs, "sslrootcert")?.map(|value| Roots::parse(&value));
        let auth_methods = take(&mut pairs, "require_auth")?
            .map(|value| AuthMethods::parse(&value))
            .transpose()?;
        let plain = if pairs.is_empty() {
            base.to_owned()
        } else {
            format!("{base}?{}", pairs.join("&"))
        };
        Ok(Self {
            plain,
            ssl_mode,
            roots,
            auth_methods: auth_methods.unwrap_or_default(),
        })
    }
}

/// Removes the parameter with this name and returns its value.
fn take(pairs: &mut Vec<&str>, name: &str) -> Result<Option<String>, String> {
    let is_named = |pair: &&str| decode(pair.split('=').next().unwrap_or(pair)) == name;
    let mut matching_pairs = pairs.extract_if(.., |pair| is_named(&&**pair));
    let value = matching_pairs
        .next()
        .map(|pair| decode(pair.split_once('=').map_or("", |(_, value)| value)).into_owned());
    if matching_pairs.next().is_some() {
        return Err(format!("it has the parameter {name} twice"));
    }
    Ok(value)
}

/// Decodes percent-encoded text.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}
