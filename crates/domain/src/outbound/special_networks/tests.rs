use super::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use voight_support::assert_committed;

const HEAD: &str = "\
# Networks that receivers must not be in

The service opens no connection to these networks, unless `outbound.allow_networks` contains the address
([guide](../guides/outbound-connections.md)). The smallest network that contains an address gives the reason. An IPv6 address that embeds an IPv4
address is rejected if either of the two is; of an IPv4-mapped address only the embedded one counts.

This page is generated from `crates/domain/src/outbound/special_networks.rs`; `VOIGHT_UPDATE=1 cargo test -p voight-domain` writes it.

| network | reserved for | registry |
|---|---|---|
";

const METADATA_HEAD: &str = "
## Metadata services

At these addresses clouds hand credentials of a machine to every program on it. No setting allows them.

| address | service |
|---|---|
";

/// Returns the page docs/reference/blocked-networks.md.
fn page() -> String {
    let mut page = HEAD.to_owned();
    for SpecialNetwork {
        network,
        reason,
        source,
    } in SPECIAL_NETWORKS
    {
        let (_, registry) = source.rsplit_once('/').unwrap();
        let _ = writeln!(page, "| `{network}` | {reason} | [{registry}]({source}) |");
    }
    page.push_str(METADATA_HEAD);
    for MetadataAddress { address, service } in METADATA_ADDRESSES {
        let _ = writeln!(page, "| `{address}` | {service} |");
    }
    page
}

#[test]
fn committed_page_lists_every_network() {
    let remedy = "look at the change, then run VOIGHT_UPDATE=1 cargo test -p voight-domain";
    assert_committed("docs/reference/blocked-networks.md", page(), remedy);
}

#[test]
fn rows_are_distinct_networks_with_zero_host_bits() {
    let networks: BTreeSet<_> = SPECIAL_NETWORKS.iter().map(|row| row.network).collect();
    assert_eq!(networks.len(), SPECIAL_NETWORKS.len());
    for row in SPECIAL_NETWORKS {
        assert_eq!(row.network, row.network.trunc(), "{}", row.network);
    }
}

#[test]
fn rows_name_a_document_and_a_registry_of_their_family() {
    for row in SPECIAL_NETWORKS {
        assert!(row.reason.contains("(RFC "), "{}", row.reason);
        let family = match row.network {
            IpNet::V4(_) => "ipv4",
            IpNet::V6(_) => "ipv6",
        };
        assert!(
            row.source.contains(family),
            "{}: {}",
            row.network,
            row.source
        );
    }
}

#[test]
fn smallest_network_gives_the_reason() {
    for (address, reason) in [
        ("255.255.255.255", "limited broadcast"),
        ("255.255.255.254", "class E"),
        ("2001:0:1::1", "Teredo"),
        ("2001:5::1", "protocol assignments"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("::2", "IPv4-compatible"),
        ("fd00::1", "unique local"),
        ("4000::1", "reserved"),
    ] {
        let row = smallest_network(address.parse().unwrap()).unwrap();
        assert!(row.reason.contains(reason), "{address}: {}", row.reason);
    }
}

#[test]
fn first_and_last_address_of_each_network_are_special() {
    for row in SPECIAL_NETWORKS {
        for address in [row.network.network(), row.network.broadcast()] {
            let smallest = smallest_network(address).unwrap();
            assert!(
                smallest.network.prefix_len() >= row.network.prefix_len(),
                "{address}"
            );
        }
    }
}
