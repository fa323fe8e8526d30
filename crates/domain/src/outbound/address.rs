//! Addresses that the service may connect to.

use super::special_networks::{
    MetadataAddress, SpecialNetwork, metadata_service, smallest_network,
};
use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Reason for which an address is blocked.
///
/// The text has no address: it is shown to the platform, which must not learn addresses of the operator's network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BlockedAddress {
    /// The address is in a special network that the operator has not allowed.
    #[error("{} is reserved for {}", .0.network, .0.reason)]
    Special(&'static SpecialNetwork),
    /// The address is that of a metadata service. No setting allows it.
    #[error("the address belongs to a metadata service ({})", .0.service)]
    Metadata(&'static MetadataAddress),
}

/// Verifies that the service may connect to `address`.
///
/// An address with an embedded IPv4 address is blocked if either of the two is. Of an IPv4-mapped address only the
/// embedded one counts: operating systems connect to that. A special network is permitted if `allow_networks` contains
/// the address; metadata services are always blocked.
pub(super) fn verify_address(
    address: IpAddr,
    allow_networks: &[IpNet],
) -> Result<(), BlockedAddress> {
    let canonical = address.to_canonical();
    let addresses = || {
        embedded_ipv4(canonical)
            .map(IpAddr::V4)
            .into_iter()
            .chain([canonical])
    };
    if let Some(service) = addresses().find_map(metadata_service) {
        return Err(BlockedAddress::Metadata(service));
    }
    let is_allowed = |address: &IpAddr| {
        allow_networks
            .iter()
            .any(|network| network.contains(address))
    };
    let blocking_network = addresses()
        .filter(|address| !is_allowed(address))
        .find_map(smallest_network);
    blocking_network.map_or(Ok(()), |network| Err(BlockedAddress::Special(network)))
}

/// Returns the IPv4 address that a translator or a tunnel would forward packets for `address` to.
fn embedded_ipv4(address: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V6(address) = address else {
        return None;
    };
    let low_bits = low_32_bits(address);
    match address.segments() {
        // The unspecified address and loopback embed nothing.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => None,
        // IPv4-compatible, IPv4-translated, NAT64, NAT64 of a local network.
        [0, 0, 0, 0, 0 | 0xffff, 0, ..]
        | [0x64, 0xff9b, 0, 0, 0, 0, ..]
        | [0x64, 0xff9b, 1, ..] => Some(Ipv4Addr::from(low_bits)),
        // Teredo has the client's address with all bits inverted.
        [0x2001, 0, ..] => Some(Ipv4Addr::from(!low_bits)),
        // 6to4.
        [0x2002, high_bits, low_bits, ..] => Some(Ipv4Addr::from(
            (u32::from(high_bits) << 16) | u32::from(low_bits),
        )),
        _ => None,
    }
}

/// Returns the last 32 bits of an address.
fn low_32_bits(address: Ipv6Addr) -> u32 {
    let [.., a, b, c, d] = address.octets();
    u32::from_be_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests;
