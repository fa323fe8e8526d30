//! Hostile targets: no connection is opened, or only to the verified address.

use crate::authority::Authority;
use crate::client::{ControlledClient, LONG, SHORT, loopback_policy, options, send};
use crate::hostile_targets::{HOSTILE_NAMES, HOSTILE_URLS, REBINDING_NAME};
use crate::network::Route;
use crate::receiver::Receiver;
use rustls::RootCertStore;
use std::collections::BTreeSet;
use voight_domain::outbound::{OutboundPolicy, TargetError};
use voight_domain::ports::{Outbound, OutboundError};
use voight_outbound::OutboundOptions;

fn default_client() -> ControlledClient {
    ControlledClient::new(
        options(OutboundPolicy::default(), RootCertStore::empty()),
        Route::Reject,
    )
}

#[tokio::test]
async fn hostile_urls_cause_no_connection() {
    let ControlledClient {
        client,
        resolver,
        connector,
    } = default_client();
    let distinct_urls: BTreeSet<_> = HOSTILE_URLS.into_iter().collect();
    assert_eq!(distinct_urls.len(), HOSTILE_URLS.len());
    for url in HOSTILE_URLS {
        let error = send(&client, url).await.unwrap_err();
        assert!(
            matches!(error, OutboundError::Target(_)),
            "{url}: {error:?}"
        );
        assert!(error.is_unsent());
        // Settings reject the URL with the same reason.
        assert_eq!(client.parse_target(url), Err(error), "{url}");
    }
    assert_eq!(connector.addresses(), Vec::<String>::new());
    assert_eq!(resolver.queries(), Vec::<String>::new());
}

#[tokio::test]
async fn hostile_answers_cause_no_connection() {
    let ControlledClient {
        client,
        resolver,
        connector,
    } = default_client();
    for (name, answers) in HOSTILE_NAMES {
        resolver.script(name, answers);
        let error = send(&client, &format!("https://{name}/"))
            .await
            .unwrap_err();
        let is_blocked = matches!(error, OutboundError::Target(TargetError::Blocked(_)));
        assert!(is_blocked, "{name}: {error:?}");
    }
    assert_eq!(connector.addresses(), Vec::<String>::new());
    assert_eq!(resolver.queries().len(), HOSTILE_NAMES.len());
}

#[tokio::test]
async fn name_without_addresses_is_an_error() {
    let ControlledClient {
        client,
        resolver,
        connector,
    } = default_client();
    resolver.script("empty.test", &[&[]]);
    let error = send(&client, "https://empty.test/").await.unwrap_err();
    assert_eq!(error, OutboundError::Target(TargetError::NoAddress));
    let error = send(&client, "https://missing.test/").await.unwrap_err();
    assert!(matches!(error, OutboundError::Resolve(_)), "{error:?}");
    assert_eq!(connector.addresses(), Vec::<String>::new());
}

#[tokio::test]
async fn rebinding_name_reaches_no_other_address() {
    let ControlledClient {
        client,
        resolver,
        connector,
    } = default_client();
    let (name, answers) = REBINDING_NAME;
    resolver.script(name, answers);
    let url = format!("https://{name}/");
    let error = send(&client, &url).await.unwrap_err();
    // The verified address is the one that is connected to, without a second query.
    assert!(matches!(error, OutboundError::Connect(_)), "{error:?}");
    assert_eq!(resolver.queries().len(), 1);
    for _ in 0..3 {
        let error = send(&client, &url).await.unwrap_err();
        assert!(matches!(error, OutboundError::Target(_)), "{error:?}");
    }
    assert_eq!(resolver.queries().len(), 4);
    assert_eq!(connector.addresses(), ["1.1.1.1:443"]);
}

#[tokio::test]
async fn redirect_to_loopback_is_not_followed() {
    let authority = Authority::new();
    let sink = Receiver::start_plain(|_| async { Ok(()) }).await;
    for (status, location) in [
        (301, format!("https://{}/", sink.address)),
        (302, format!("http://{}/", sink.address)),
        (303, "/again".to_owned()),
        (307, format!("https://{}/", sink.address)),
        (308, format!("//{}/", sink.address)),
    ] {
        let answer =
            format!("HTTP/1.1 {status} Moved\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
        let receiver = Receiver::start_with_answer(authority.acceptor("hooks.test"), answer).await;
        let ControlledClient {
            client,
            resolver,
            connector,
        } = ControlledClient::new(
            options(OutboundPolicy::default(), authority.roots()),
            Route::To(receiver.address),
        );
        resolver.script("hooks.test", &[&["1.1.1.1"]]);
        let response = send(&client, "https://hooks.test/").await.unwrap();
        assert_eq!(response.status, status);
        assert_eq!(connector.addresses(), ["1.1.1.1:443"]);
        assert_eq!(receiver.connections(), 1);
    }
    assert_eq!(sink.connections(), 0);
}

#[tokio::test]
async fn silent_address_leaves_time_for_the_next() {
    let authority = Authority::new();
    let answer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
    let receiver = Receiver::start_with_answer(authority.acceptor("hooks.test"), answer).await;
    let options = OutboundOptions {
        connect_timeout: 2 * SHORT,
        ..options(OutboundPolicy::default(), authority.roots())
    };
    let ControlledClient {
        client,
        resolver,
        connector,
    } = ControlledClient::new(options, Route::Silence);
    resolver.script("hooks.test", &[&["2606:4700::1", "1.1.1.1"]]);
    let error = send(&client, "https://hooks.test/").await.unwrap_err();
    assert_eq!(error, OutboundError::ConnectTimeout(2 * SHORT));
    connector.route("1.1.1.1", Route::To(receiver.address));
    assert_eq!(
        send(&client, "https://hooks.test/").await.unwrap().status,
        200
    );
}

#[tokio::test]
async fn at_most_four_addresses_are_tried() {
    let ControlledClient {
        client,
        resolver,
        connector,
    } = default_client();
    let answer: Vec<String> = (1..=200).map(|number| format!("1.1.1.{number}")).collect();
    let answer: Vec<&str> = answer.iter().map(String::as_str).collect();
    resolver.script("many.test", &[&answer]);
    let error = send(&client, "https://many.test/").await.unwrap_err();
    assert!(matches!(error, OutboundError::Connect(_)), "{error:?}");
    assert_eq!(connector.addresses().len(), 4);
}

#[tokio::test]
async fn allowed_networks_open_no_metadata_service() {
    let policy = loopback_policy(8443);
    let options = OutboundOptions {
        timeout: LONG,
        ..options(policy, RootCertStore::empty())
    };
    let ControlledClient {
        client,
        resolver,
        connector,
    } = ControlledClient::new(options, Route::Reject);
    resolver.script(
        "hooks.test",
        &[&["127.0.0.1"], &["127.0.0.1", "169.254.169.254"]],
    );
    let error = send(&client, "https://hooks.test:8443/").await.unwrap_err();
    assert!(matches!(error, OutboundError::Connect(_)), "{error:?}");
    let error = send(&client, "https://hooks.test:8443/").await.unwrap_err();
    assert!(error.to_string().contains("metadata service"), "{error}");
    assert_eq!(connector.addresses(), ["127.0.0.1:8443"]);
}
