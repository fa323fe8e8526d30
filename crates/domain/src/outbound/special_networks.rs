//! Table of the networks that no receiver on the internet has an address of, and of the metadata services of clouds.

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IANA IPv4 Special-Purpose Address Registry.
const IPV4_SPECIAL: &str = "https://www.iana.org/assignments/iana-ipv4-special-registry";
/// IANA IPv4 Address Space Registry.
const IPV4_SPACE: &str = "https://www.iana.org/assignments/ipv4-address-space";
/// IANA IPv6 Special-Purpose Address Registry.
const IPV6_SPECIAL: &str = "https://www.iana.org/assignments/iana-ipv6-special-registry";
/// IANA Internet Protocol Version 6 Address Space.
const IPV6_SPACE: &str = "https://www.iana.org/assignments/ipv6-address-space";

/// Network of addresses that are not those of a receiver on the internet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpecialNetwork {
    /// The network.
    pub network: IpNet,
    /// Use of its addresses, with the document that defines it.
    pub reason: &'static str,
    /// Address of the registry that lists the network.
    pub source: &'static str,
}

/// Address at which a cloud hands credentials of the machine to every program on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetadataAddress {
    /// The address.
    pub address: IpAddr,
    /// Clouds and services that use the address.
    pub service: &'static str,
}

/// Creates the row of an IPv4 network.
const fn v4(
    bytes: [u8; 4],
    length: u8,
    reason: &'static str,
    source: &'static str,
) -> SpecialNetwork {
    let [a, b, c, d] = bytes;
    let network = IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length));
    SpecialNetwork {
        network,
        reason,
        source,
    }
}

/// Creates the row of an IPv6 network from the first four groups of its address; the other groups are zero.
const fn v6(
    groups: [u16; 4],
    length: u8,
    reason: &'static str,
    source: &'static str,
) -> SpecialNetwork {
    let [first, second, third, fourth] = groups;
    let groups = [first, second, third, fourth, 0, 0, 0, 0];
    v6_in_full(groups, length, reason, source)
}

/// Creates the row of an IPv6 network from all groups of its address.
const fn v6_in_full(
    groups: [u16; 8],
    length: u8,
    reason: &'static str,
    source: &'static str,
) -> SpecialNetwork {
    let mut bits = 0;
    let mut index = 0;
    while index < groups.len() {
        bits = (bits << 16) | groups[index] as u128;
        index += 1;
    }
    let address = Ipv6Addr::from_bits(bits);
    let network = IpNet::V6(Ipv6Net::new_assert(address, length));
    SpecialNetwork {
        network,
        reason,
        source,
    }
}

/// Special networks. The smallest network that contains an address gives the reason.
///
/// IPv4-mapped addresses have no row: the IPv4 address inside decides.
pub static SPECIAL_NETWORKS: [SpecialNetwork; 47] = [
    v4([0, 0, 0, 0], 8, "this network (RFC 791)", IPV4_SPECIAL),
    v4([10, 0, 0, 0], 8, "private use (RFC 1918)", IPV4_SPECIAL),
    v4(
        [100, 64, 0, 0],
        10,
        "shared use by carrier-grade NAT (RFC 6598)",
        IPV4_SPECIAL,
    ),
    v4([127, 0, 0, 0], 8, "loopback (RFC 1122)", IPV4_SPECIAL),
    v4(
        [169, 254, 0, 0],
        16,
        "link-local use (RFC 3927)",
        IPV4_SPECIAL,
    ),
    v4([172, 16, 0, 0], 12, "private use (RFC 1918)", IPV4_SPECIAL),
    v4(
        [192, 0, 0, 0],
        24,
        "protocol assignments (RFC 6890)",
        IPV4_SPECIAL,
    ),
    v4([192, 0, 2, 0], 24, "documentation (RFC 5737)", IPV4_SPECIAL),
    v4(
        [192, 31, 196, 0],
        24,
        "AS112 name servers (RFC 7535)",
        IPV4_SPECIAL,
    ),
    v4(
        [192, 52, 193, 0],
        24,
        "multicast tunnels (RFC 7450)",
        IPV4_SPECIAL,
    ),
    v4(
        [192, 88, 99, 0],
        24,
        "6to4 relays, deprecated (RFC 7526)",
        IPV4_SPECIAL,
    ),
    v4([192, 168, 0, 0], 16, "private use (RFC 1918)", IPV4_SPECIAL),
    v4(
        [192, 175, 48, 0],
        24,
        "AS112 name servers (RFC 7534)",
        IPV4_SPECIAL,
    ),
    v4([198, 18, 0, 0], 15, "benchmarking (RFC 2544)", IPV4_SPECIAL),
    v4(
        [198, 51, 100, 0],
        24,
        "documentation (RFC 5737)",
        IPV4_SPECIAL,
    ),
    v4(
        [203, 0, 113, 0],
        24,
        "documentation (RFC 5737)",
        IPV4_SPECIAL,
    ),
    v4([224, 0, 0, 0], 4, "multicast (RFC 5771)", IPV4_SPACE),
    v4(
        [240, 0, 0, 0],
        4,
        "future use, class E (RFC 1112)",
        IPV4_SPECIAL,
    ),
    v4(
        [255, 255, 255, 255],
        32,
        "limited broadcast (RFC 919)",
        IPV4_SPECIAL,
    ),
    v6(
        [0, 0, 0, 0],
        128,
        "the unspecified address (RFC 4291)",
        IPV6_SPECIAL,
    ),
    v6_in_full(
        [0, 0, 0, 0, 0, 0, 0, 1],
        128,
        "loopback (RFC 4291)",
        IPV6_SPECIAL,
    ),
    v6(
        [0, 0, 0, 0],
        96,
        "IPv4-compatible addresses, deprecated (RFC 4291)",
        IPV6_SPACE,
    ),
    v6_in_full(
        [0, 0, 0, 0, 0xffff, 0, 0, 0],
        96,
        "IPv4-translated addresses (RFC 2765)",
        IPV6_SPACE,
    ),
    v6([0x64, 0xff9b, 0, 0], 96, "NAT64 (RFC 6052)", IPV6_SPECIAL),
    v6(
        [0x64, 0xff9b, 1, 0],
        48,
        "NAT64 of a local network (RFC 8215)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x100, 0, 0, 0],
        64,
        "discarded traffic (RFC 6666)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x100, 0, 0, 1],
        64,
        "dummy addresses (RFC 9780)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x2001, 0, 0, 0],
        23,
        "protocol assignments (RFC 2928)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x2001, 0, 0, 0],
        32,
        "Teredo tunnels (RFC 4380)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x2001, 2, 0, 0],
        48,
        "benchmarking (RFC 5180)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x2001, 3, 0, 0],
        32,
        "multicast tunnels (RFC 7450)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x2001, 4, 0x112, 0],
        48,
        "AS112 name servers (RFC 7535)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x2001, 0x10, 0, 0],
        28,
        "hash identifiers, deprecated (RFC 4843)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x2001, 0x20, 0, 0],
        28,
        "hash identifiers (RFC 7343)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x2001, 0x30, 0, 0],
        28,
        "identifiers of drones (RFC 9374)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x2001, 0xdb8, 0, 0],
        32,
        "documentation (RFC 3849)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x2002, 0, 0, 0],
        16,
        "6to4 tunnels (RFC 3056)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x2620, 0x4f, 0x8000, 0],
        48,
        "AS112 name servers (RFC 7534)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x3fff, 0, 0, 0],
        20,
        "documentation (RFC 9637)",
        IPV6_SPECIAL,
    ),
    v6(
        [0x5f00, 0, 0, 0],
        16,
        "segment routing (RFC 9602)",
        IPV6_SPECIAL,
    ),
    v6(
        [0xfc00, 0, 0, 0],
        7,
        "unique local use (RFC 4193)",
        IPV6_SPECIAL,
    ),
    v6(
        [0xfe80, 0, 0, 0],
        10,
        "link-local use (RFC 4291)",
        IPV6_SPECIAL,
    ),
    v6(
        [0xfec0, 0, 0, 0],
        10,
        "site-local use, deprecated (RFC 3879)",
        IPV6_SPACE,
    ),
    v6([0xff00, 0, 0, 0], 8, "multicast (RFC 4291)", IPV6_SPACE),
    // Only 2000::/3 has global unicast addresses. These three networks are the others.
    v6(
        [0, 0, 0, 0],
        3,
        "reserved by the IETF (RFC 4291)",
        IPV6_SPACE,
    ),
    v6(
        [0x4000, 0, 0, 0],
        2,
        "reserved by the IETF (RFC 4291)",
        IPV6_SPACE,
    ),
    v6(
        [0x8000, 0, 0, 0],
        1,
        "reserved by the IETF (RFC 4291)",
        IPV6_SPACE,
    ),
];

/// Metadata services. They stay blocked in networks that an operator allows.
pub static METADATA_ADDRESSES: [MetadataAddress; 8] = [
    MetadataAddress {
        address: IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254)),
        service: "instance metadata of most clouds",
    },
    MetadataAddress {
        address: IpAddr::V4(Ipv4Addr::new(169, 254, 170, 2)),
        service: "credentials of Amazon ECS tasks",
    },
    MetadataAddress {
        address: IpAddr::V4(Ipv4Addr::new(169, 254, 170, 23)),
        service: "credentials of Amazon EKS pods",
    },
    MetadataAddress {
        address: IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
        service: "host agent of Microsoft Azure",
    },
    MetadataAddress {
        address: IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
        service: "instance metadata of Alibaba Cloud",
    },
    MetadataAddress {
        address: IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
        service: "instance metadata of Amazon EC2",
    },
    MetadataAddress {
        address: IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23)),
        service: "credentials of Amazon EKS pods",
    },
    MetadataAddress {
        address: IpAddr::V6(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)),
        service: "instance metadata of Google Cloud",
    },
];

/// Returns the smallest special network that contains `address` itself, whatever is embedded in it.
pub(super) fn smallest_network(address: IpAddr) -> Option<&'static SpecialNetwork> {
    SPECIAL_NETWORKS
        .iter()
        .filter(|row| row.network.contains(&address))
        .max_by_key(|row| row.network.prefix_len())
}

/// Returns the metadata service at `address`.
pub(super) fn metadata_service(address: IpAddr) -> Option<&'static MetadataAddress> {
    METADATA_ADDRESSES.iter().find(|row| row.address == address)
}

#[cfg(test)]
mod tests;
