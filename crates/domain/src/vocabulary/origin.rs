//! Web origins.

use std::fmt;
use std::str::FromStr;

/// An http(s) origin as a browser serialises it: scheme, lower-case host, and a port unless it is the scheme's own.
///
/// Only what `location.origin` can print is accepted, so that comparing text compares origins
/// ([RFC 6454](https://www.rfc-editor.org/rfc/rfc6454), section 6).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(String);

/// Why text is not an origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OriginError {
    /// Neither `http://` nor `https://`.
    #[error("an origin starts with http:// or https://; pages from files or opaque origins cannot host a check")]
    Scheme,
    /// A path, query, fragment or user name.
    #[error("an origin is scheme, host and port only, for example https://quest.example")]
    Extra,
    /// An empty or malformed host.
    #[error("the host of an origin is a lower-case name or an address")]
    Host,
    /// A malformed port, or the scheme's default port written out.
    #[error("the port of an origin is a number from 1 to 65535 and is left out when it is the scheme's own")]
    Port,
}

impl Origin {
    const MAX: usize = 255;

    /// The origin as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The origin of an http(s) URL, as a browser would compute it.
    pub fn of_url(url: &str) -> Result<Self, OriginError> {
        let (scheme, rest) = split_scheme(url)?;
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase();
        let default = if scheme == "https" { ":443" } else { ":80" };
        let authority = authority.strip_suffix(default).unwrap_or(&authority);
        format!("{scheme}://{authority}").parse()
    }
}

fn split_scheme(text: &str) -> Result<(&'static str, &str), OriginError> {
    [("https", "https://"), ("http", "http://")]
        .into_iter()
        .find_map(|(scheme, prefix)| Some((scheme, text.strip_prefix(prefix)?)))
        .ok_or(OriginError::Scheme)
}

fn check_host(host: &str) -> Result<(), OriginError> {
    let bracketed = host.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
    let sound = match bracketed {
        Some(inner) => inner.parse::<std::net::Ipv6Addr>().is_ok_and(|ip| ip.to_string() == inner),
        None => {
            !host.is_empty()
                && host.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-._".contains(&b))
        }
    };
    if sound { Ok(()) } else { Err(OriginError::Host) }
}

fn check_port(scheme: &str, port: &str) -> Result<(), OriginError> {
    let default = if scheme == "https" { 443 } else { 80 };
    match port.parse::<u16>() {
        Ok(number) if number != 0 && number != default && number.to_string() == port => Ok(()),
        _ => Err(OriginError::Port),
    }
}

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (scheme, authority) = split_scheme(text)?;
        if authority.contains(['/', '?', '#', '@']) || text.len() > Self::MAX {
            return Err(OriginError::Extra);
        }
        // In a bracketed IPv6 host the last colon belongs to the address unless a bracket closes before it.
        match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => {
                check_host(host)?;
                check_port(scheme, port)?;
            }
            _ => check_host(authority)?,
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn origins_as_browsers_print_them_are_accepted() {
        for text in [
            "https://quest.example",
            "http://127.0.0.1:8080",
            "https://[::1]:8443",
            "http://localhost",
            "https://xn--bcher-kva.example",
        ] {
            assert_eq!(text.parse::<Origin>().unwrap().as_str(), text);
        }
    }

    #[test]
    fn each_broken_rule_has_its_own_error() {
        for (text, error) in [
            ("null", OriginError::Scheme),
            ("file://", OriginError::Scheme),
            ("https://quest.example/", OriginError::Extra),
            ("https://a@quest.example", OriginError::Extra),
            ("https://", OriginError::Host),
            ("https://Quest.example", OriginError::Host),
            ("https://[::1", OriginError::Host),
            ("https://quest.example:443", OriginError::Port),
            ("http://quest.example:0", OriginError::Port),
            ("http://quest.example:08080", OriginError::Port),
        ] {
            assert_eq!(text.parse::<Origin>(), Err(error), "{text}");
        }
    }

    #[test]
    fn the_origin_of_a_url_is_what_a_browser_computes() {
        for (url, origin) in [
            ("https://Quest.example/q/1?x#y", "https://quest.example"),
            ("https://quest.example:443/", "https://quest.example"),
            ("http://127.0.0.1:4801", "http://127.0.0.1:4801"),
        ] {
            assert_eq!(Origin::of_url(url).unwrap().as_str(), origin);
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text: String) {
            let _ = text.parse::<Origin>();
            let _ = Origin::of_url(&text);
            let _ = Origin::of_url(&format!("https://{text}"));
        }
    }
}
