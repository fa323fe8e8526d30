//! URL of the HTTP proxy of an operator.

use super::target::OutboundHost;
use std::fmt;
use std::str::FromStr;
use url::{Host, ParseError, Url};

/// Port of a proxy whose URL has none.
const DEFAULT_PORT: u16 = 80;

/// HTTP proxy through which connections are opened by `CONNECT`.
///
/// An operator names it, so it may be in a private network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProxyUrl {
    /// Name or address of the proxy.
    host: Host,
    /// Port of the proxy.
    port: u16,
}

/// Error of a text that is not the URL of a proxy, with the correct form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProxyUrlError {
    /// The scheme is not `http`.
    #[error("the scheme of a proxy is http, for example http://proxy.example:3128")]
    Scheme,
    /// The URL has a user name or a password.
    #[error("a proxy has no user name and no password; permit this machine by its address")]
    Userinfo,
    /// The host is empty or malformed.
    #[error(
        "the host of a proxy is a name or an IP address, for example http://proxy.example:3128"
    )]
    Host,
    /// The port is malformed.
    #[error(
        "the port of a proxy is a number from 1 to 65535, for example http://proxy.example:3128"
    )]
    Port,
    /// The URL has a path, a query or a fragment.
    #[error("a proxy has a host and a port only, for example http://proxy.example:3128")]
    Extra,
}

impl ProxyUrl {
    /// Returns the name or the address of the proxy.
    pub fn host(&self) -> OutboundHost<'_> {
        match &self.host {
            Host::Domain(name) => OutboundHost::Name(name),
            Host::Ipv4(address) => OutboundHost::Literal((*address).into()),
            Host::Ipv6(address) => OutboundHost::Literal((*address).into()),
        }
    }

    /// Returns the port of the proxy.
    pub const fn port(&self) -> u16 {
        self.port
    }
}

impl FromStr for ProxyUrl {
    type Err = ProxyUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let has_scheme = text
            .get(..7)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("http://"));
        if !has_scheme {
            return Err(ProxyUrlError::Scheme);
        }
        if text.contains('@') {
            return Err(ProxyUrlError::Userinfo);
        }
        let url = Url::parse(text).map_err(|error| match error {
            ParseError::InvalidPort => ProxyUrlError::Port,
            _ => ProxyUrlError::Host,
        })?;
        if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
            return Err(ProxyUrlError::Extra);
        }
        let port = url.port().unwrap_or(DEFAULT_PORT);
        if port == 0 {
            return Err(ProxyUrlError::Port);
        }
        let host = url.host().ok_or(ProxyUrlError::Host)?.to_owned();
        Ok(Self { host, port })
    }
}

impl fmt::Display for ProxyUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_and_port_are_parsed() {
        for (text, canonical) in [
            ("http://proxy.example:3128", "http://proxy.example:3128"),
            ("http://Proxy.Example:3128/", "http://proxy.example:3128"),
            ("http://proxy.example", "http://proxy.example:80"),
            ("http://10.0.0.1:8080", "http://10.0.0.1:8080"),
            ("http://[fd00::1]:8080", "http://[fd00::1]:8080"),
        ] {
            let proxy: ProxyUrl = text.parse().unwrap();
            assert_eq!(proxy.to_string(), canonical);
        }
    }

    #[test]
    fn invalid_proxy_is_explained() {
        for (text, error) in [
            ("", ProxyUrlError::Scheme),
            ("proxy.example:3128", ProxyUrlError::Scheme),
            ("https://proxy.example:3128", ProxyUrlError::Scheme),
            ("socks5://proxy.example:1080", ProxyUrlError::Scheme),
            (
                "http://user:pass@proxy.example:3128",
                ProxyUrlError::Userinfo,
            ),
            ("http://", ProxyUrlError::Host),
            ("http://a b", ProxyUrlError::Host),
            ("http://proxy.example:x", ProxyUrlError::Port),
            ("http://proxy.example:0", ProxyUrlError::Port),
            ("http://proxy.example:65536", ProxyUrlError::Port),
            ("http://proxy.example:3128/path", ProxyUrlError::Extra),
            ("http://proxy.example:3128?a", ProxyUrlError::Extra),
            ("http://proxy.example:3128/#a", ProxyUrlError::Extra),
        ] {
            assert_eq!(text.parse::<ProxyUrl>(), Err(error), "{text}");
        }
    }
}
