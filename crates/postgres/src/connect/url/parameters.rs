//! URL parameters that the driver does not support, or supports only in part.

use crate::connect::roots::Roots;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// URL split into the part for the driver and the parameters handled here.
pub(super) struct Parameters {
    /// URL for the driver.
    pub(super) plain: String,
    pub(super) ssl_mode: Option<String>,
    pub(super) roots: Option<Roots>,
}

impl Parameters {
    /// Splits a URL. The error names an invalid parameter.
    pub(super) fn take(text: &str) -> Result<Self, String> {
        let (base, query) = text.split_once('?').unwrap_or((text, ""));
        let mut pairs: Vec<_> = query.split('&').filter(|pair| !pair.is_empty()).collect();
        let ssl_mode = take(&mut pairs, "sslmode")?;
        let roots = take(&mut pairs, "sslrootcert")?.map(|value| Roots::parse(&value));
        if take(&mut pairs, "require_auth")?.is_some() {
            return Err("require_auth is not supported: write channel_binding=require, with which only SCRAM over TLS is accepted, or leave it out".to_owned());
        }
        let plain = if pairs.is_empty() {
            base.to_owned()
        } else {
            format!("{base}?{}", pairs.join("&"))
        };
        Ok(Self {
            plain,
            ssl_mode,
            roots,
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
