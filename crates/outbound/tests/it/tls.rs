//! Certificates of receivers.

use crate::authority::Authority;
use crate::client::{ControlledClient, LONG, SHORT, loopback_client, options, send};
use crate::network::Route;
use crate::receiver::Receiver;
use tokio::io::AsyncWriteExt;
use tokio_rustls::TlsAcceptor;
use voight_domain::outbound::OutboundPolicy;
use voight_domain::ports::OutboundError;
use voight_outbound::{OutboundClient, system_roots};

const ANSWER: &str = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

/// Sends a request to a receiver with this certificate.
async fn error_of(acceptor: TlsAcceptor, authority: &Authority) -> OutboundError {
    let receiver = Receiver::start_with_answer(acceptor, ANSWER).await;
    let client = loopback_client(authority, receiver.address.port(), LONG);
    send(&client, &receiver.url()).await.unwrap_err()
}

fn assert_tls_error(error: &OutboundError, words: &str) {
    assert!(
        matches!(error, OutboundError::Tls(cause) if cause.contains(words)),
        "{error:?}"
    );
    assert!(error.is_unsent());
}

#[tokio::test]
async fn invalid_certificates_are_rejected() {
    let authority = Authority::new();
    let untrusted_authority = Authority::named("another authority");
    let error = error_of(untrusted_authority.acceptor("127.0.0.1"), &authority).await;
    assert_tls_error(&error, "UnknownIssuer");
    let error = error_of(authority.acceptor("127.0.0.2"), &authority).await;
    assert_tls_error(&error, "not valid for");
    let error = error_of(authority.acceptor("hooks.test"), &authority).await;
    assert_tls_error(&error, "not valid for");
    let error = error_of(authority.acceptor_until("127.0.0.1", 2020), &authority).await;
    assert_tls_error(&error, "expired");
}

#[tokio::test]
async fn system_trusts_no_authority_of_a_test() {
    let authority = Authority::new();
    let receiver = Receiver::start_with_answer(authority.acceptor("127.0.0.1"), ANSWER).await;
    let port = receiver.address.port();
    let options = options(
        crate::client::loopback_policy(port),
        system_roots().unwrap(),
    );
    let client = OutboundClient::new(options).unwrap();
    let error = send(&client, &receiver.url()).await.unwrap_err();
    assert_tls_error(&error, "UnknownIssuer");
}

#[tokio::test]
async fn certificate_must_have_the_name_of_the_url() {
    let authority = Authority::new();
    for (certificate_name, is_valid) in [
        ("a.hooks.test", true),
        ("*.hooks.test", true),
        ("other.test", false),
        ("1.1.1.1", false),
    ] {
        let receiver =
            Receiver::start_with_answer(authority.acceptor(certificate_name), ANSWER).await;
        let ControlledClient {
            client, resolver, ..
        } = ControlledClient::new(
            options(OutboundPolicy::default(), authority.roots()),
            Route::To(receiver.address),
        );
        resolver.script("a.hooks.test", &[&["1.1.1.1"]]);
        let result = send(&client, "https://a.hooks.test/").await;
        assert_eq!(result.is_ok(), is_valid, "{certificate_name}: {result:?}");
    }
}

#[tokio::test]
async fn receiver_without_tls_gets_no_request() {
    let authority = Authority::new();
    let receiver = Receiver::start_plain(|mut stream| async move {
        stream.write_all(ANSWER.as_bytes()).await?;
        stream.shutdown().await
    })
    .await;
    let client = loopback_client(&authority, receiver.address.port(), LONG);
    let error = send(&client, &receiver.url()).await.unwrap_err();
    assert!(matches!(error, OutboundError::Tls(_)), "{error:?}");
}

#[tokio::test]
async fn silent_handshake_ends_at_the_timeout() {
    let authority = Authority::new();
    let receiver = Receiver::start_plain(|stream| async move {
        let _stream = stream;
        std::future::pending().await
    })
    .await;
    let client = loopback_client(&authority, receiver.address.port(), SHORT);
    let result = send(&client, &receiver.url()).await;
    assert_eq!(result, Err(OutboundError::Timeout(SHORT)));
}
