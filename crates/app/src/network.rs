//! Networks in CIDR notation.

use ipnet::IpNet;
use std::net::IpAddr;

/// Parses a network in CIDR notation, or returns a message with the problem and the correct form.
pub(crate) fn parse_network(text: &str) -> Result<IpNet, String> {
    if let Ok(network) = text.parse() {
        return Ok(network);
    }
    let (address, has_length) = text.split_once('/').map_or((text, false), |(address, _)| (address, true));
    Err(match address.parse::<IpAddr>() {
        Ok(IpAddr::V4(_)) if has_length => {
            "the prefix length of an IPv4 network is 0 to 32, for example 192.0.2.0/24".into()
        }
        Ok(IpAddr::V6(_)) if has_length => {
            "the prefix length of an IPv6 network is 0 to 128, for example 2001:db8::/32".into()
        }
        Ok(IpAddr::V4(address)) => format!("a network has a prefix length; of this address alone it is {address}/32"),
        Ok(IpAddr::V6(address)) => format!("a network has a prefix length; of this address alone it is {address}/128"),
        Err(_) => "a network is an IP address and a prefix length, for example 192.0.2.0/24 or 2001:db8::/32".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_network_is_explained() {
        assert!(parse_network("10.0.0.0/8").is_ok() && parse_network("2001:db8::/32").is_ok());
        for (text, words) in [
            ("1.2.3.4/40", "0 to 32"),
            ("::1/129", "0 to 128"),
            ("1.2.3.4/x", "0 to 32"),
            ("1.2.3.4", "1.2.3.4/32"),
            ("::1", "::1/128"),
            ("office", "192.0.2.0/24"),
            ("", "192.0.2.0/24"),
        ] {
            let sentence = parse_network(text).unwrap_err();
            assert!(sentence.contains(words), "{text}: {sentence}");
        }
    }
}
