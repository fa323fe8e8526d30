use super::*;
use proptest::prelude::*;

/// Returns the spelling of browsers for a text with another spelling.
fn spelling(origin: &str) -> Result<Origin, OriginError> {
    Err(OriginError::Spelling(Origin(origin.to_owned())))
}

#[test]
fn browser_origins_are_accepted() {
    let label = "a".repeat(63);
    for text in [
        "https://quest.example",
        "http://127.0.0.1:8080",
        "https://[::1]:8443",
        "https://[2001:db8::1]",
        "http://localhost",
        "http://quest.example:443",
        "https://quest.example:65535",
        "https://my_app-1.quest.example",
        "https://xn--bcher-kva.example",
        &format!("https://{label}.example"),
    ] {
        assert_eq!(text.parse::<Origin>().unwrap().as_str(), text);
        assert_eq!(Origin::from_record(text).unwrap().as_str(), text);
    }
}

#[test]
fn broken_rules_have_distinct_errors() {
    let long_label = format!("https://{}.example", "a".repeat(64));
    let long_host = format!("https://{}example", "a.".repeat(130));
    for (text, error) in [
        ("", OriginError::Scheme),
        ("null", OriginError::Scheme),
        ("quest.example", OriginError::Scheme),
        ("file://", OriginError::Scheme),
        ("data:text/html,x", OriginError::Scheme),
        ("blob:https://quest.example/1", OriginError::Scheme),
        ("ftp://quest.example", OriginError::Scheme),
        ("chrome-extension://abcdef", OriginError::Scheme),
        ("https://quest.example/q", OriginError::Extra),
        ("https://quest.example?q", OriginError::Extra),
        ("https://quest.example#q", OriginError::Extra),
        ("https://a@quest.example", OriginError::Extra),
        ("https://a:b@quest.example", OriginError::Extra),
        ("https://@quest.example", OriginError::Extra),
        ("https://", OriginError::Host),
        ("https://a..b", OriginError::Host),
        ("https://.quest.example", OriginError::Host),
        ("https://quest.example.", OriginError::Host),
        ("https://127.0.0.1..", OriginError::Host),
        ("https://.", OriginError::Host),
        ("https://[::1", OriginError::Host),
        ("https://[::1]x", OriginError::Host),
        ("https://[::g]", OriginError::Host),
        ("https://1.2.3.256", OriginError::Host),
        ("https://quest example", OriginError::Host),
        ("https://quest;example", OriginError::Host),
        ("https://*.quest.example", OriginError::Host),
        ("https://xn--a.example", OriginError::Host),
        (&long_label, OriginError::Host),
        (&long_host, OriginError::Host),
        ("http://quest.example:0", OriginError::Port),
        ("http://quest.example:65536", OriginError::Port),
        ("http://quest.example:8o", OriginError::Port),
    ] {
        assert_eq!(text.parse::<Origin>(), Err(error), "{text}");
    }
}

#[test]
fn rejected_origin_names_its_canonical_form() {
    for (text, origin) in [
        ("https://Quest.example", "https://quest.example"),
        ("HTTPS://quest.example", "https://quest.example"),
        ("https://quest.example/", "https://quest.example"),
        ("https:quest.example", "https://quest.example"),
        ("https:\\\\quest.example", "https://quest.example"),
        (" https://quest.example\n", "https://quest.example"),
        ("https://quest.example:443", "https://quest.example"),
        ("http://quest.example:80", "http://quest.example"),
        ("http://quest.example:", "http://quest.example"),
        ("http://quest.example:08080", "http://quest.example:8080"),
        (
            "https://b\u{fc}cher.example",
            "https://xn--bcher-kva.example",
        ),
        (
            "https://XN--bcher-kva.example",
            "https://xn--bcher-kva.example",
        ),
        ("https://quest\u{3002}example", "https://quest.example"),
        ("http://127.1", "http://127.0.0.1"),
        ("http://0x7f000001", "http://127.0.0.1"),
        ("http://127.0.0.1.", "http://127.0.0.1"),
        ("https://[2001:DB8::1]:443", "https://[2001:db8::1]"),
    ] {
        let parse_result = text.parse::<Origin>();
        assert_eq!(parse_result, spelling(origin), "{text}");
        assert!(parse_result.unwrap_err().to_string().ends_with(origin));
    }
}

#[test]
fn ipv6_origin_is_canonicalised() {
    for (text, origin) in [
        ("https://[0:0:0:0:0:0:0:1]", "https://[::1]"),
        ("http://[0001::]:8080", "http://[1::]:8080"),
        ("https://[::ffff:1.2.3.4]", "https://[::ffff:102:304]"),
    ] {
        assert_eq!(text.parse::<Origin>().unwrap().as_str(), origin);
    }
    assert_eq!(
        "https://[2001:DB8::1]".parse::<Origin>(),
        spelling("https://[2001:db8::1]")
    );
    assert_eq!(
        "https://[0:0:0:0:0:0:0:1]:443".parse::<Origin>(),
        spelling("https://[::1]")
    );
}

#[test]
fn last_host_label_begins_with_a_letter() {
    for text in ["https://a.7b", "https://7b", "https://a._b", "https://-"] {
        assert_eq!(text.parse::<Origin>(), Err(OriginError::Host), "{text}");
    }
    assert_eq!(
        "https://7b.example".parse::<Origin>().unwrap().as_str(),
        "https://7b.example"
    );
}

#[test]
fn url_origin_is_that_of_browsers() {
    for (url, origin) in [
        ("https://Quest.example/q/1?x#y", "https://quest.example"),
        ("https://quest.example:443/", "https://quest.example"),
        ("http://127.0.0.1:4801", "http://127.0.0.1:4801"),
        ("https://a:b@quest.example/", "https://quest.example"),
        (
            "https://quest.example@evil.example/",
            "https://evil.example",
        ),
        (
            "https://evil.example\\@quest.example/",
            "https://evil.example",
        ),
        (
            "https://b\u{fc}cher.example/q",
            "https://xn--bcher-kva.example",
        ),
    ] {
        assert_eq!(Origin::of_url(url).unwrap().as_str(), origin);
    }
    assert_eq!(
        Origin::of_url("blob:https://quest.example/1"),
        Err(OriginError::Scheme)
    );
    assert_eq!(Origin::of_url("https://a..b/q"), Err(OriginError::Host));
}

#[test]
fn authority_is_host_and_port() {
    for (text, authority) in [
        ("https://quest.example", "quest.example"),
        ("http://[::1]:8080", "[::1]:8080"),
    ] {
        assert_eq!(text.parse::<Origin>().unwrap().authority(), authority);
    }
}

#[test]
fn recorded_origins_stay_readable() {
    for text in ["https://a..b", "https://quest.example.", "http://-"] {
        assert_eq!(Origin::from_record(text).unwrap().as_str(), text);
    }
    for text in [
        "",
        "null",
        "https://",
        "https://a b",
        "https://a;b",
        "https://quest.example/",
    ] {
        assert_eq!(Origin::from_record(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn parser_never_panics(text: String) {
        let _ = text.parse::<Origin>();
        let _ = Origin::of_url(&text);
        let _ = Origin::of_url(&format!("https://{text}"));
    }

    #[test]
    fn accepted_origin_is_canonical(host in "[a-z0-9.\\-_\\[\\]:]{1,24}") {
        let text = format!("https://{host}");
        if let Ok(origin) = text.parse::<Origin>() {
            prop_assert_eq!(Origin::of_url(&format!("{origin}/page?query#part")), Ok(origin.clone()));
            prop_assert_eq!(Origin::from_record(origin.as_str()), Some(origin));
        }
    }
}
