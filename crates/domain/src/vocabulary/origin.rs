//! Web origins.

use std::fmt;
use std::str::FromStr;
use url::{Host, ParseError, Url};

/// Origin of an http(s) page as a browser serialises it.
///
/// The origin is scheme, lower-case host, and a port unless it is the default of the scheme. Only values that
/// `location.origin` can print are accepted, so that comparing text compares origins ([RFC
/// 6454](https://www.rfc-editor.org/rfc/rfc6454), section 6). Names outside ASCII are written in Punycode, as browsers
/// write them.
///
/// The parser is that of the [URL Standard](https://url.spec.whatwg.org/), with additional rules: no label of a host is
/// empty (`a..b`, and the trailing dot of `quest.example.`), none is longer than DNS permits, the last one begins with
/// a letter, and a host has only letters, digits, `-`, `.` and `_`, so that an origin can be a header value without
/// escaping. An IPv6 address can have any lower-case spelling; the origin has the spelling of browsers.
///
/// ```
/// use voight_domain::Origin;
///
/// let origin = Origin::of_url("https://Quest.Example:443/spring?step=2")?;
/// assert_eq!(origin.as_str(), "https://quest.example");
/// assert_eq!(origin.authority(), "quest.example");
/// assert!("https://quest.example/spring".parse::<Origin>().is_err());
/// # Ok::<(), voight_domain::vocabulary::OriginError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(String);

/// Error returned for a text that is not an origin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OriginError {
    /// The scheme is neither `http://` nor `https://`.
    #[error(
        "an origin starts with http:// or https://; pages from files or opaque origins cannot host a check"
    )]
    Scheme,
    /// The text has a path, query, fragment or user name.
    #[error("an origin is scheme, host and port only, for example https://quest.example")]
    Extra,
    /// The host is empty or malformed.
    #[error(
        "the host of an origin is a lower-case name whose labels have 1 to 63 letters, digits, - or _, the last beginning with a \
         letter, or an address"
    )]
    Host,
    /// The port is malformed.
    #[error(
        "the port of an origin is a number from 1 to 65535 and is left out when it is the scheme's own"
    )]
    Port,
    /// The spelling differs from that of browsers.
    #[error("an origin is spelled as browsers print it: {0}")]
    Spelling(Origin),
}

impl Origin {
    const MAX: usize = 255;
    const LABEL_MAX: usize = 63;

    /// Returns the origin as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns host and port, without the scheme.
    ///
    /// This is the `Host` header of a browser, and the domain of an ERC-4361 message.
    pub fn authority(&self) -> &str {
        self.0
            .split_once("://")
            .map_or(&self.0, |(_, authority)| authority)
    }

    /// Returns the origin of an http(s) URL, as a browser computes it.
    pub fn of_url(url: &str) -> Result<Self, OriginError> {
        Self::from_url(&parse(url)?)
    }

    /// Parses an origin from a record. Earlier versions stored some that are rejected today (`https://a..b`); their
    /// records stay readable, and no page's origin equals them.
    pub fn from_record(text: &str) -> Option<Self> {
        let authority = ["https://", "http://"]
            .into_iter()
            .find_map(|scheme| text.strip_prefix(scheme))?;
        let is_known = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-._:[]".contains(&byte)
        };
        let is_sound =
            !authority.is_empty() && text.len() <= Self::MAX && authority.bytes().all(is_known);
        is_sound.then(|| Self(text.to_owned()))
    }

    fn from_url(url: &Url) -> Result<Self, OriginError> {
        let host = url.host_str().unwrap_or_default();
        let is_address = !matches!(url.host(), Some(Host::Domain(_)));
        if !has_sound_labels(host) || !(is_address || ends_like_a_name(host)) {
            return Err(OriginError::Host);
        }
        if url.port() == Some(0) {
            return Err(OriginError::Port);
        }
        let text = url.origin().ascii_serialization();
        if text.len() > Self::MAX {
            Err(OriginError::Host)
        } else {
            Ok(Self(text))
        }
    }
}

/// Parses an http(s) URL.
fn parse(text: &str) -> Result<Url, OriginError> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url),
        Ok(_) | Err(ParseError::RelativeUrlWithoutBase) => Err(OriginError::Scheme),
        Err(ParseError::InvalidPort) => Err(OriginError::Port),
        Err(_) => Err(OriginError::Host),
    }
}

/// Returns `true` for an address in brackets, and for a name of labels that DNS could resolve.
fn has_sound_labels(host: &str) -> bool {
    let is_known =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    let is_label =
        |label: &str| (1..=Origin::LABEL_MAX).contains(&label.len()) && label.bytes().all(is_known);
    host.starts_with('[') || host.split('.').all(is_label)
}

/// Returns `true` if the last label of a host begins with a letter, as top-level domains do.
fn ends_like_a_name(host: &str) -> bool {
    host.rsplit('.')
        .next()
        .is_some_and(|label| label.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// Returns `true` if `text` differs from `origin` only in the lower-case spelling of its IPv6 address.
fn spells_address_of(text: &str, origin: &Origin) -> bool {
    let parts = |text: &str| {
        let (scheme, rest) = text.split_once('[')?;
        let (address, port) = rest.split_once(']')?;
        Some((scheme.to_owned(), address.to_owned(), port.to_owned()))
    };
    let (Some((scheme, address, port)), Some(browsers)) = (parts(text), parts(&origin.0)) else {
        return false;
    };
    scheme == browsers.0
        && port == browsers.2
        && !address.bytes().any(|byte| byte.is_ascii_uppercase())
}

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let url = parse(text)?;
        let origin = Self::from_url(&url)?;
        let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let is_anonymous = url.username().is_empty() && url.password().is_none();
        if origin.0 == text || spells_address_of(text, &origin) {
            Ok(origin)
        } else if is_bare && is_anonymous && !text.contains('@') {
            Err(OriginError::Spelling(origin))
        } else {
            Err(OriginError::Extra)
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests;
