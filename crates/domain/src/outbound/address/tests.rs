use super::*;
use proptest::prelude::*;

fn verify(address: &str, allow_networks: &[&str]) -> Result<(), String> {
    let networks: Vec<IpNet> = allow_networks
        .iter()
        .map(|network| network.parse().unwrap())
        .collect();
    verify_address(address.parse().unwrap(), &networks).map_err(|error| error.to_string())
}

/// Returns `true` for an IPv4 address of the internet, by comparison of octets instead of the table.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_special = match address.octets() {
        [100, second, ..] => second & 0b1100_0000 == 64,
        [172, second, ..] => (16..32).contains(&second),
        [192, 0, third, _] => third == 0 || third == 2,
        [0 | 10 | 127 | 224..=255, ..]
        | [169, 254, ..]
        | [192, 168, ..]
        | [192, 31, 196, _]
        | [192, 52, 193, _]
        | [192, 88, 99, _]
        | [192, 175, 48, _]
        | [198, 18 | 19, ..]
        | [198, 51, 100, _]
        | [203, 0, 113, _]
        | [168, 63, 129, 16] => true,
        _ => false,
    };
    !is_special
}

/// Returns `true` for an IPv6 address of the internet, by comparison of numbers instead of the table.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let bits = address.to_bits();
    let top = |length: u32| bits >> (128 - length);
    if top(96) == 0xffff {
        return address.to_ipv4_mapped().is_some_and(is_public_v4);
    }
    let is_global_unicast = top(3) == 0b001;
    let is_special = top(23) == 0x2001_0000 >> 9
        || top(32) == 0x2001_0db8
        || top(16) == 0x2002
        || top(20) == 0x3fff0
        || top(48) == 0x2620_004f_8000;
    is_global_unicast && !is_special
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Generates addresses near the ends of the special networks.
fn boundary_address() -> impl Strategy<Value = IpAddr> {
    let networks = prop::sample::select(super::super::SPECIAL_NETWORKS.to_vec());
    (networks, any::<bool>(), -2_i8..=2).prop_map(|(row, is_first, step)| {
        let end = if is_first {
            row.network.network()
        } else {
            row.network.broadcast()
        };
        match end {
            IpAddr::V4(end) => IpAddr::V4(Ipv4Addr::from(
                end.to_bits().wrapping_add_signed(step.into()),
            )),
            IpAddr::V6(end) => IpAddr::V6(Ipv6Addr::from(
                end.to_bits().wrapping_add_signed(step.into()),
            )),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_096))]

    #[test]
    fn ipv4_rule_equals_its_second_formulation(bits: u32) {
        let address = Ipv4Addr::from(bits);
        prop_assert_eq!(verify_address(address.into(), &[]).is_ok(), is_public_v4(address));
    }

    #[test]
    fn ipv6_rule_equals_its_second_formulation(bits: u128, is_global in any::<bool>()) {
        // Half of the addresses are in the global unicast space, which is an eighth of all.
        let bits = if is_global { (bits >> 3) | (1 << 125) } else { bits };
        let address = Ipv6Addr::from(bits);
        prop_assert_eq!(verify_address(address.into(), &[]).is_ok(), is_public_v6(address));
    }

    #[test]
    fn rules_agree_at_the_ends_of_each_network(address in boundary_address()) {
        prop_assert_eq!(verify_address(address, &[]).is_ok(), is_public(address), "{}", address);
    }

    #[test]
    fn mapped_address_is_judged_as_ipv4(bits: u32) {
        let address = Ipv4Addr::from(bits);
        prop_assert_eq!(verify_address(address.to_ipv6_mapped().into(), &[]), verify_address(address.into(), &[]));
    }

    #[test]
    fn no_allowed_network_opens_a_metadata_service(lengths in prop::collection::vec(0_u8..=16, 4)) {
        for service in super::super::METADATA_ADDRESSES {
            let networks: Vec<IpNet> = lengths
                .iter()
                .map(|length| IpNet::new(service.address, *length).unwrap().trunc())
                .collect();
            prop_assert_eq!(verify_address(service.address, &networks), Err(BlockedAddress::Metadata(
                metadata_service(service.address).unwrap()
            )));
        }
    }
}

#[test]
fn addresses_of_the_internet_are_permitted() {
    for address in [
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2001:200::1",
        "2606:4700:4700::1111",
        "2a00:1450:4001:81b::200e",
        "::ffff:1.1.1.1",
    ] {
        assert_eq!(verify(address, &[]), Ok(()), "{address}");
    }
}

#[test]
fn blocked_address_names_network_and_reason() {
    for (address, words) in [
        (
            "10.1.2.3",
            "10.0.0.0/8 is reserved for private use (RFC 1918)",
        ),
        ("::ffff:127.0.0.1", "127.0.0.0/8 is reserved for loopback"),
        ("::10.0.0.1", "10.0.0.0/8 is reserved for private use"),
        ("::8.8.8.8", "IPv4-compatible"),
        ("::ffff:0:10.0.0.1", "private use"),
        ("64:ff9b::7f00:1", "loopback"),
        ("64:ff9b::808:808", "NAT64"),
        ("64:ff9b:1::a00:1", "private use"),
        ("2002:7f00:1::", "loopback"),
        ("2002:808:808::", "6to4"),
        // The inverted address of the client is 10.0.0.1.
        ("2001:0:808:808::f5ff:fffe", "private use"),
        ("fe80::1", "link-local"),
        ("fec0::1", "site-local"),
        ("100::1", "discarded"),
        ("5f00::1", "segment routing"),
        ("169.254.169.254", "metadata service"),
        ("64:ff9b::a9fe:a9fe", "metadata service"),
        ("fd00:ec2::254", "metadata service"),
    ] {
        let sentence = verify(address, &[]).unwrap_err();
        assert!(sentence.contains(words), "{address}: {sentence}");
    }
}

#[test]
fn allowed_network_permits_its_addresses_alone() {
    let networks = ["10.20.0.0/16", "fd12::/32", "64:ff9b::/96"];
    for address in [
        "10.20.0.1",
        "10.20.255.255",
        "::ffff:10.20.0.1",
        "fd12::1",
        "64:ff9b::808:808",
        "64:ff9b::a14:1",
    ] {
        assert_eq!(verify(address, &networks), Ok(()), "{address}");
    }
    for address in [
        "10.21.0.0",
        "10.19.255.255",
        "fd13::1",
        "127.0.0.1",
        // The address inside of the translated one is not allowed.
        "64:ff9b::a15:1",
        // The IPv4-compatible network is not allowed.
        "::10.20.0.1",
    ] {
        assert!(verify(address, &networks).is_err(), "{address}");
    }
}

#[test]
fn metadata_stays_blocked_in_allowed_networks() {
    let networks = ["0.0.0.0/0", "::/0"];
    assert_eq!(verify("127.0.0.1", &networks), Ok(()));
    for address in [
        "169.254.169.254",
        "::ffff:169.254.169.254",
        "::169.254.169.254",
        "64:ff9b::169.254.169.254",
        "64:ff9b:1::169.254.169.254",
        "2002:a9fe:a9fe::1",
        "fd00:ec2::254",
        "168.63.129.16",
    ] {
        let sentence = verify(address, &networks).unwrap_err();
        assert!(
            sentence.contains("metadata service"),
            "{address}: {sentence}"
        );
    }
}
