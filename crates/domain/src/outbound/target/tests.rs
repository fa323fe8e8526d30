use super::*;
use proptest::prelude::*;

fn parse(text: &str) -> Result<TargetUrl, TargetError> {
    TargetUrl::parse(text)
}

#[test]
fn url_is_split_for_a_request() {
    for (text, authority, port, path_and_query) in [
        ("https://hooks.example", "hooks.example", 443, "/"),
        ("https://hooks.example?a=1", "hooks.example", 443, "/?a=1"),
        (
            "HTTPS://Hooks.Example:443/A?b=c%20d",
            "hooks.example",
            443,
            "/A?b=c%20d",
        ),
        (
            "https://hooks.example:8443/a/../b",
            "hooks.example:8443",
            8443,
            "/b",
        ),
        (
            "https://[2606:4700::1]:8443/x",
            "[2606:4700::1]:8443",
            8443,
            "/x",
        ),
        (
            "https://bücher.example/ü",
            "xn--bcher-kva.example",
            443,
            "/%C3%BC",
        ),
        ("https://a_b.example/@user", "a_b.example", 443, "/@user"),
    ] {
        let target = parse(text).unwrap();
        let parts = (target.authority(), target.port(), target.path_and_query());
        assert_eq!(parts, (authority, port, path_and_query), "{text}");
    }
}

#[test]
fn every_spelling_of_an_address_is_a_literal() {
    for (host, address) in [
        ("127.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("127.0.1", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("0x7f.0x0.0x0.0x1", "127.0.0.1"),
        ("0177.0.0.01", "127.0.0.1"),
        ("017700000001", "127.0.0.1"),
        ("%31%32%37.0.0.1", "127.0.0.1"),
        ("１２７.０.０.１", "127.0.0.1"),
        ("127。0。0。1", "127.0.0.1"),
        ("0", "0.0.0.0"),
        ("0x", "0.0.0.0"),
        ("[::1]", "::1"),
        ("[0:0:0:0:0:0:0:1]", "::1"),
        ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1"),
        ("[::ffff:7f00:1]", "::ffff:127.0.0.1"),
    ] {
        let target = parse(&format!("https://{host}/")).unwrap();
        let literal = address.parse().unwrap();
        assert_eq!(target.host(), OutboundHost::Literal(literal), "{host}");
    }
}

#[test]
fn invalid_url_is_explained() {
    let long_path = format!("https://hooks.example/{}", "a".repeat(MAX_TARGET_CHARS));
    let long_when_encoded = format!("https://hooks.example/{}", "ü".repeat(MAX_TARGET_CHARS / 6));
    let long_label = format!("https://{}.example/", "a".repeat(64));
    let long_name = format!("https://{}example/", "a.".repeat(124));
    let cases = [
        ("", TargetError::Scheme),
        ("hooks.example", TargetError::Scheme),
        ("http://hooks.example/", TargetError::Scheme),
        ("ftp://hooks.example/", TargetError::Scheme),
        ("https:hooks.example", TargetError::Scheme),
        ("https:/hooks.example", TargetError::Scheme),
        ("//hooks.example/", TargetError::Scheme),
        ("file:///etc/passwd", TargetError::Scheme),
        ("ééééééé", TargetError::Scheme),
        ("https://", TargetError::EmptyHost),
        ("https:///hooks.example", TargetError::EmptyHost),
        ("https://?a", TargetError::EmptyHost),
        ("https://:443/", TargetError::EmptyHost),
        ("https://user@hooks.example/", TargetError::Userinfo),
        ("https://user:pass@hooks.example/", TargetError::Userinfo),
        ("https://@hooks.example/", TargetError::Userinfo),
        ("https://hooks.example@127.0.0.1/", TargetError::Userinfo),
        (" https://hooks.example/", TargetError::Character),
        ("https://hooks.example/\n", TargetError::Character),
        ("https://hooks.exa\tmple/", TargetError::Character),
        ("https://hooks.example\\@127.0.0.1/", TargetError::Character),
        ("https:\\\\127.0.0.1/", TargetError::Character),
        ("https://hooks.example\u{a0}/", TargetError::Character),
        ("https://hooks.example/#top", TargetError::Fragment),
        ("https://hooks.example#@127.0.0.1", TargetError::Fragment),
        ("https://hooks.example./", TargetError::TrailingDot),
        ("https://localhost./", TargetError::TrailingDot),
        ("https://hooks..example/", TargetError::Host),
        ("https://.hooks.example/", TargetError::Host),
        ("https://-hooks.example/", TargetError::Host),
        ("https://hooks-.example/", TargetError::Host),
        ("https://hooks*.example/", TargetError::Host),
        ("https://1.2.3.4.5/", TargetError::Host),
        ("https://256.0.0.1/", TargetError::Host),
        ("https://hooks.08/", TargetError::Host),
        ("https://[::1/", TargetError::Host),
        ("https://[fe80::1%25eth0]/", TargetError::Host),
        ("https://[::1].example/", TargetError::Host),
        ("https://a%00b.example/", TargetError::Host),
        ("https://hooks.example:x/", TargetError::PortSyntax),
        ("https://hooks.example:65536/", TargetError::PortSyntax),
        (&long_path, TargetError::Length),
        (&long_when_encoded, TargetError::Length),
        (&long_label, TargetError::Host),
        (&long_name, TargetError::Host),
    ];
    for (text, error) in cases {
        assert_eq!(parse(text), Err(error), "{text}");
    }
}

#[test]
fn longest_labels_and_names_are_accepted() {
    let label = "a".repeat(MAX_LABEL_CHARS);
    let name = format!("{label}.{label}.{label}.{}", "a".repeat(61));
    assert_eq!(name.len(), MAX_NAME_CHARS);
    assert!(parse(&format!("https://{name}/")).is_ok());
    assert_eq!(parse(&format!("https://{name}a/")), Err(TargetError::Host));
}

proptest! {
    #[test]
    fn accepted_url_is_its_own_canonical_form(text in "https?://[a-z0-9.:@#\\[\\]%x/?-]{0,24}") {
        if let Ok(target) = parse(&text) {
            prop_assert_eq!(parse(target.as_str()), Ok(target.clone()));
            let parts = format!("https://{}{}", target.authority(), target.path_and_query());
            prop_assert_eq!(parts, target.as_str());
        }
    }

    #[test]
    fn ipv4_numbers_are_literals_in_every_base(bits: u32, tail in 0_u8..=3) {
        let address = std::net::Ipv4Addr::from(bits);
        let [a, b, c, d] = address.octets();
        let host = match tail {
            0 => format!("{bits}"),
            1 => format!("{bits:#x}"),
            2 => format!("0{bits:o}"),
            _ => format!("{a:#x}.0{b:o}.{}", u16::from_be_bytes([c, d])),
        };
        let target = parse(&format!("https://{host}/")).unwrap();
        prop_assert_eq!(target.host(), OutboundHost::Literal(address.into()));
    }
}
