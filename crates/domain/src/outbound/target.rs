//! URLs of targets.

use super::address::BlockedAddress;
use std::fmt;
use std::net::IpAddr;
use url::{Host, ParseError, Url};

/// Maximum length of the URL of a target.
pub const MAX_TARGET_CHARS: usize = 2_048;
/// Maximum length of a name in DNS.
const MAX_NAME_CHARS: usize = 253;
/// Maximum length of a label of a name in DNS.
const MAX_LABEL_CHARS: usize = 63;
/// Scheme of all targets, with the separator that follows.
const SCHEME: &str = "https://";

/// URL of a target in the form in which the service calls it.
///
/// The scheme is `https`, there is no user and no fragment, and the host is a name in lower case or an IP address. Every
/// other form of a host that URL parsers accept becomes one of these: `0x7f.1` is `127.0.0.1`, and a name outside of ASCII
/// is written in Punycode. Ports and addresses are no part of the type; [`OutboundPolicy`](super::OutboundPolicy) judges
/// them.
///
/// ```
/// use voight_domain::outbound::{OutboundHost, TargetUrl};
///
/// let target = TargetUrl::parse("https://0x7f.1/hook")?;
/// assert_eq!(target.as_str(), "https://127.0.0.1/hook");
/// assert_eq!(target.host(), OutboundHost::Literal([127, 0, 0, 1].into()));
/// # Ok::<(), voight_domain::outbound::TargetError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TargetUrl(Url);

/// Host of a target or of a proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutboundHost<'a> {
    /// Name in lower case, to be resolved.
    Name(&'a str),
    /// IP address.
    Literal(IpAddr),
}

/// Error of a text that is not the URL of a target, with the correct form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The URL is too long.
    #[error("the URL has more than {MAX_TARGET_CHARS} characters; give a shorter one")]
    Length,
    /// The URL has a character that URL parsers drop or disagree about.
    #[error("the URL has a space, a control character or a backslash; write it percent-encoded")]
    Character,
    /// The scheme is not `https`.
    #[error(
        "the URL does not start with https://; give one that does, for example https://hooks.example/voight"
    )]
    Scheme,
    /// The URL has a user name or a password.
    #[error(
        "the URL has a user name or a password before an @; leave it out, and verify the signature instead"
    )]
    Userinfo,
    /// The URL has no host.
    #[error(
        "the URL has no host after https://; give one, for example https://hooks.example/voight"
    )]
    EmptyHost,
    /// The host is neither a name of DNS nor an IP address.
    #[error(
        "the host of the URL is neither a name nor an IP address; a name has labels of 1 to 63 letters, digits, - or _, and at most \
         253 characters"
    )]
    Host,
    /// The name ends with a dot.
    #[error("the host of the URL ends with a dot; leave the dot out")]
    TrailingDot,
    /// The URL has a fragment.
    #[error("the URL has a fragment after a #; leave it out: a server never receives it")]
    Fragment,
    /// The port is not a number of 16 bits.
    #[error("the port of the URL is not a number from 1 to 65535; leave it out for port 443")]
    PortSyntax,
    /// The operator does not permit the port.
    #[error("port {port} is not permitted; use one of: {}", list(.permitted))]
    Port {
        /// Port of the URL.
        port: u16,
        /// Permitted ports.
        permitted: Vec<u16>,
    },
    /// The host has an address that the service must not connect to.
    #[error("the host of the URL is not on the internet: {0}; give a host that is")]
    Blocked(#[from] BlockedAddress),
    /// The name has no address.
    #[error("the host of the URL has no IP address; give a name that DNS resolves")]
    NoAddress,
}

fn list(ports: &[u16]) -> String {
    let ports: Vec<_> = ports.iter().map(u16::to_string).collect();
    ports.join(", ")
}

impl TargetUrl {
    /// Parses a URL.
    pub fn parse(text: &str) -> Result<Self, TargetError> {
        let authority = authority(text)?;
        if authority.contains('@') {
            return Err(TargetError::Userinfo);
        }
        if authority.is_empty() || authority.starts_with(':') {
            return Err(TargetError::EmptyHost);
        }
        let url = Url::parse(text).map_err(|error| match error {
            ParseError::InvalidPort => TargetError::PortSyntax,
            ParseError::EmptyHost => TargetError::EmptyHost,
            _ => TargetError::Host,
        })?;
        if url.fragment().is_some() {
            return Err(TargetError::Fragment);
        }
        if let Some(Host::Domain(name)) = url.host() {
            verify_name(name)?;
        }
        if url.as_str().len() > MAX_TARGET_CHARS {
            return Err(TargetError::Length);
        }
        Ok(Self(url))
    }

    /// Returns the URL.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the host.
    pub fn host(&self) -> OutboundHost<'_> {
        match self.0.host() {
            Some(Host::Ipv4(address)) => OutboundHost::Literal(address.into()),
            Some(Host::Ipv6(address)) => OutboundHost::Literal(address.into()),
            Some(Host::Domain(name)) => OutboundHost::Name(name),
            // The constructor rejects URLs without a host.
            None => OutboundHost::Name(""),
        }
    }

    /// Returns the host as text; an IPv6 address is in brackets.
    pub fn host_text(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or_default()
    }

    /// Returns host and port for the header `Host`: the port of the scheme is left out, an IPv6 address is in brackets.
    pub fn authority(&self) -> &str {
        self.0.authority()
    }

    /// Returns path and query for the first line of a request.
    pub fn path_and_query(&self) -> &str {
        let text = self.0.as_str();
        let start = SCHEME.len() + self.authority().len();
        text.get(start..).unwrap_or("/")
    }
}

impl fmt::Display for TargetUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Returns the part of a URL between `https://` and the path. Rejects characters that parsers drop or disagree about.
fn authority(text: &str) -> Result<&str, TargetError> {
    if text.len() > MAX_TARGET_CHARS {
        return Err(TargetError::Length);
    }
    let is_ambiguous = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    if text.contains(is_ambiguous) {
        return Err(TargetError::Character);
    }
    let (scheme, rest) = text
        .split_at_checked(SCHEME.len())
        .ok_or(TargetError::Scheme)?;
    if !scheme.eq_ignore_ascii_case(SCHEME) {
        return Err(TargetError::Scheme);
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    Ok(rest.get(..end).unwrap_or_default())
}

/// Verifies that DNS and TLS could have this name.
fn verify_name(name: &str) -> Result<(), TargetError> {
    if name.ends_with('.') {
        return Err(TargetError::TrailingDot);
    }
    let is_known =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    let is_label = |label: &str| {
        (1..=MAX_LABEL_CHARS).contains(&label.len())
            && label.bytes().all(is_known)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    if name.len() <= MAX_NAME_CHARS && name.split('.').all(is_label) {
        Ok(())
    } else {
        Err(TargetError::Host)
    }
}

#[cfg(test)]
mod tests;
