//! Network of a caller, and the wider networks that contain it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Network by which callers are limited: an IPv4 address or the /64 of an IPv6 address, which is the size that one subscriber
/// gets, or a wider network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network {
    prefix: IpAddr,
    bits: u32,
}

/// Width of a network in bits, and the multiple of the limit of the narrowest width that all its callers share.
type Width = (u32, usize);

/// A caller may control a network of each of these widths: an address or a subscriber's, a site's, a provider's.
const V4_WIDTHS: &[Width] = &[(32, 1), (24, 8)];
const V6_WIDTHS: &[Width] = &[(64, 1), (48, 8), (32, Network::MAX_MULTIPLE)];
/// Divisor: a wider network has at most this share of what all callers share, or the limit of the narrowest width.
const WIDE_SHARE: usize = 2;

impl Network {
    /// Largest multiple of a limit. The multiples of all widths divide it.
    pub(crate) const MAX_MULTIPLE: usize = 64;

    /// Returns this network and those that contain it, narrowest first, each with the multiple of a limit that it has.
    pub fn widths(self) -> impl Iterator<Item = (Self, usize)> {
        let widths = match self.prefix {
            IpAddr::V4(_) => V4_WIDTHS,
            IpAddr::V6(_) => V6_WIDTHS,
        };
        widths
            .iter()
            .map(move |(bits, multiple)| (Self::new(self.prefix, *bits), *multiple))
    }

    /// Returns this network and those that contain it, each with its limit, if this one has `limit` of `all`.
    pub(crate) fn limits(self, limit: usize, all: usize) -> impl Iterator<Item = (Self, usize)> {
        let max_limit = limit.max(all / WIDE_SHARE);
        self.widths().map(move |(network, multiple)| {
            (network, limit.saturating_mul(multiple).min(max_limit))
        })
    }

    fn new(ip: IpAddr, bits: u32) -> Self {
        let prefix = match ip {
            IpAddr::V4(v4) => {
                Ipv4Addr::from_bits(v4.to_bits() & u32::MAX.unbounded_shl(u32::BITS - bits)).into()
            }
            IpAddr::V6(v6) => {
                Ipv6Addr::from_bits(v6.to_bits() & u128::MAX.unbounded_shl(u128::BITS - bits))
                    .into()
            }
        };
        Self { prefix, bits }
    }
}

impl From<IpAddr> for Network {
    fn from(ip: IpAddr) -> Self {
        match ip.to_canonical() {
            v4 @ IpAddr::V4(_) => Self::new(v4, 32),
            v6 @ IpAddr::V6(_) => Self::new(v6, 64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        text.parse::<IpAddr>().unwrap().into()
    }

    #[test]
    fn v6_subscriber_is_one_network() {
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::9"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
    }

    #[test]
    fn mapped_v4_address_is_the_v4_address() {
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
    }

    #[test]
    fn wider_networks_contain_a_network() {
        let shared_widths = |first_ip: &str, second_ip: &str| {
            let second_widths: Vec<_> = network(second_ip).widths().collect();
            network(first_ip)
                .widths()
                .filter(|width| second_widths.contains(width))
                .map(|(network, _)| network.bits)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            shared_widths("2001:db8:1:2::1", "2001:db8:1:3::1"),
            vec![48, 32]
        );
        assert_eq!(
            shared_widths("2001:db8:1:2::1", "2001:db8:2:2::1"),
            vec![32]
        );
        assert_eq!(
            shared_widths("2001:db8:1:2::1", "2001:db9:1:2::1"),
            Vec::<u32>::new()
        );
        assert_eq!(shared_widths("192.0.2.1", "192.0.2.255"), vec![24]);
        assert_eq!(shared_widths("192.0.2.1", "192.0.3.1"), Vec::<u32>::new());
    }

    #[test]
    fn limit_of_a_wider_network_is_a_multiple() {
        let limits = |limit, all| {
            network("2001:db8::1")
                .limits(limit, all)
                .map(|(_, limit)| limit)
                .collect::<Vec<_>>()
        };
        assert_eq!(limits(10, 10_000), [10, 80, 640]);
        assert_eq!(limits(10, 100), [10, 50, 50]);
        assert_eq!(limits(10, 4), [10, 10, 10]);
    }

    #[test]
    fn multiples_divide_the_largest() {
        for (_, multiple) in V4_WIDTHS.iter().chain(V6_WIDTHS) {
            assert_eq!(Network::MAX_MULTIPLE % multiple, 0);
        }
    }
}
