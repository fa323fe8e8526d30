//! Networks in CIDR notation.

use ipnet::{IpNet, Ipv4Net};
use std::net::IpAddr;
use std::str::FromStr;

/// Prefix length of the IPv4-mapped addresses, `::ffff:0:0/96`.
const MAPPED_PREFIX: u8 = 96;

/// Network in CIDR notation, in the form in which the addresses of callers are compared with it.
///
/// A network of IPv4-mapped addresses becomes the IPv4 network: `::ffff:192.0.2.0/120` is `192.0.2.0/24`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

/// Error of a text that is not a network, with the correct form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// IPv4 address with an invalid prefix length.
    #[error("the prefix length of an IPv4 network is 0 to 32, for example 192.0.2.0/24")]
    Ipv4Length,
    /// IPv6 address with an invalid prefix length.
    #[error("the prefix length of an IPv6 network is 0 to 128, for example 2001:db8::/32")]
    Ipv6Length,
    /// Address without a prefix length.
    #[error("a network has a prefix length; of this address alone it is {0}")]
    NoLength(IpNet),
    /// IPv4-mapped address with a prefix that covers other addresses, too.
    #[error("no caller has an IPv4-mapped address; write the IPv4 network, for example {0}")]
    MappedLength(IpNet),
    /// No IP address.
    #[error(
        "a network is an IP address and a prefix length, for example 192.0.2.0/24 or 2001:db8::/32"
    )]
    Syntax,
}

impl From<Network> for IpNet {
    fn from(network: Network) -> Self {
        network.0
    }
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(network) = text.parse() {
            return canonical(network).map(Self);
        }
        let (address, has_length) = text
            .split_once('/')
            .map_or((text, false), |(address, _)| (address, true));
        Err(
            match address
                .parse::<IpAddr>()
                .map(|address| address.to_canonical())
            {
                Ok(IpAddr::V4(_)) if has_length => NetworkError::Ipv4Length,
                Ok(IpAddr::V6(_)) if has_length => NetworkError::Ipv6Length,
                Ok(address) => NetworkError::NoLength(IpNet::from(address)),
                Err(_) => NetworkError::Syntax,
            },
        )
    }
}

/// Returns the network of the canonical addresses: those of callers are never IPv4-mapped.
fn canonical(network: IpNet) -> Result<IpNet, NetworkError> {
    let ipv4_address = match network.addr() {
        IpAddr::V6(address) => address.to_ipv4_mapped(),
        IpAddr::V4(_) => None,
    };
    let Some(address) = ipv4_address else {
        return Ok(network);
    };
    network
        .prefix_len()
        .checked_sub(MAPPED_PREFIX)
        .and_then(|length| Ipv4Net::new(address, length).ok())
        .map(IpNet::V4)
        .ok_or(NetworkError::MappedLength(IpNet::from(IpAddr::V4(address))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::net::Ipv4Addr;

    fn parsed(text: &str) -> Result<String, String> {
        text.parse::<Network>()
            .map(|network| network.0.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn invalid_network_is_explained() {
        assert!(parsed("10.0.0.0/8").is_ok() && parsed("2001:db8::/32").is_ok());
        for (text, words) in [
            ("1.2.3.4/40", "0 to 32"),
            ("::1/129", "0 to 128"),
            ("1.2.3.4/x", "0 to 32"),
            ("1.2.3.4", "1.2.3.4/32"),
            ("::1", "::1/128"),
            ("::ffff:1.2.3.4", "1.2.3.4/32"),
            ("::ffff:1.2.3.4/80", "1.2.3.4/32"),
            ("office", "192.0.2.0/24"),
            ("", "192.0.2.0/24"),
        ] {
            let sentence = parsed(text).unwrap_err();
            assert!(sentence.contains(words), "{text}: {sentence}");
        }
    }

    #[test]
    fn mapped_network_becomes_the_ipv4_network() {
        for (text, network) in [
            ("::ffff:1.2.3.0/120", "1.2.3.0/24"),
            ("::ffff:102:300/120", "1.2.3.0/24"),
            ("::ffff:1.2.3.4/128", "1.2.3.4/32"),
            ("::ffff:0:0/96", "0.0.0.0/0"),
            ("::/0", "::/0"),
        ] {
            assert_eq!(parsed(text).as_deref(), Ok(network));
        }
    }

    proptest! {
        #[test]
        fn mapped_network_contains_equal_addresses(address: u32, length in 0_u8..=32, other: u32) {
            let address = Ipv4Addr::from(address);
            let other_address = Ipv4Addr::from(other);
            let network: Network = format!("{}/{}", address.to_ipv6_mapped(), MAPPED_PREFIX + length).parse().unwrap();
            let mapped_network = IpNet::new(address.to_ipv6_mapped().into(), MAPPED_PREFIX + length).unwrap();
            for caller in [address, other_address] {
                let is_inside = mapped_network.contains(&IpAddr::V6(caller.to_ipv6_mapped()));
                prop_assert_eq!(network.0.contains(&IpAddr::V4(caller)), is_inside);
            }
        }
    }
}
