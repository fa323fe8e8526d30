//! Connections through a proxy.

use crate::authority::Authority;
use crate::client::{ControlledClient, SHORT, options, send};
use crate::hostile_targets::HOSTILE_URLS;
use crate::network::Route;
use crate::receiver::{Receiver, read_request};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncWriteExt, copy_bidirectional};
use tokio::net::TcpStream;
use voight_domain::outbound::OutboundPolicy;
use voight_domain::ports::OutboundError;
use voight_outbound::OutboundOptions;

/// Proxy that connects every tunnel to one receiver, with the heads of its requests.
struct Proxy {
    receiver: Receiver,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    async fn start(to: SocketAddr) -> Self {
        let heads = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&heads);
        let receiver = Receiver::start_plain(move |mut client| {
            let log = Arc::clone(&log);
            async move {
                let head = read_request(&mut client).await?;
                log.lock().unwrap().push(head);
                let mut server = TcpStream::connect(to).await?;
                client
                    .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
                    .await?;
                copy_bidirectional(&mut client, &mut server).await.map(drop)
            }
        })
        .await;
        Self { receiver, heads }
    }
}

/// Creates a client with a proxy. Its connections are recorded, and go to the address of the proxy.
fn client(authority: &Authority, proxy: &Receiver) -> ControlledClient {
    let port = proxy.address.port();
    let options = OutboundOptions {
        proxy: Some(format!("http://proxy.internal:{port}").parse().unwrap()),
        ..options(OutboundPolicy::default(), authority.roots())
    };
    let controlled = ControlledClient::new(options, Route::To(proxy.address));
    // The proxy may be in a private network.
    controlled
        .resolver
        .script("proxy.internal", &[&["10.0.0.9"]]);
    controlled
}

/// Returns the result of a call through a proxy that writes `answer` and closes the connection.
async fn error_of(answer: &'static str) -> OutboundError {
    let proxy = Receiver::start_plain(move |mut stream| async move {
        read_request(&mut stream).await?;
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await
    })
    .await;
    let ControlledClient { client, .. } = client(&Authority::new(), &proxy);
    send(&client, "https://hooks.test/").await.unwrap_err()
}

#[tokio::test]
async fn proxy_connects_and_tls_is_with_the_receiver() {
    let authority = Authority::new();
    let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    let receiver = Receiver::start_with_answer(authority.acceptor("hooks.test"), answer).await;
    let proxy = Proxy::start(receiver.address).await;
    let ControlledClient {
        client,
        resolver,
        connector,
    } = client(&authority, &proxy.receiver);
    let response = send(&client, "https://hooks.test/a").await.unwrap();
    assert_eq!(response.body, b"ok");
    // The proxy resolves the name of the target.
    assert_eq!(resolver.queries(), ["proxy.internal"]);
    let port = proxy.receiver.address.port();
    assert_eq!(connector.addresses(), [format!("10.0.0.9:{port}")]);
    let heads = proxy.heads.lock().unwrap().clone();
    assert!(
        heads[0].starts_with("CONNECT hooks.test:443 HTTP/1.1\r\n"),
        "{heads:?}"
    );
    assert!(
        heads[0].contains("\r\nhost: hooks.test:443\r\n"),
        "{heads:?}"
    );
    assert!(!heads[0].contains("webhook-id"), "{heads:?}");
    // The certificate is still verified.
    let error = send(&client, "https://other.test/").await.unwrap_err();
    assert!(matches!(error, OutboundError::Tls(_)), "{error:?}");
}

#[tokio::test]
async fn hostile_urls_reach_no_proxy() {
    let authority = Authority::new();
    let proxy = Receiver::start_plain(|_| async { Ok(()) }).await;
    let ControlledClient {
        client, connector, ..
    } = client(&authority, &proxy);
    for url in HOSTILE_URLS {
        let error = send(&client, url).await.unwrap_err();
        assert!(
            matches!(error, OutboundError::Target(_)),
            "{url}: {error:?}"
        );
    }
    assert_eq!(connector.addresses(), Vec::<String>::new());
}

#[tokio::test]
async fn proxy_that_does_not_connect_is_an_error() {
    for (answer, words) in [
        (
            "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n",
            "403 Forbidden",
        ),
        (
            "HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n",
            "407",
        ),
        (
            "HTTP/1.1 301 Moved\r\nlocation: https://127.0.0.1/\r\n\r\n",
            "301",
        ),
        ("SSH-2.0-OpenSSH_9.9\r\n", "invalid HTTP"),
        ("", "connection closed"),
    ] {
        let error = error_of(answer).await;
        assert!(
            matches!(&error, OutboundError::Proxy(cause) if cause.contains(words)),
            "{error:?}"
        );
        assert!(error.is_unsent());
    }
    let error = error_of("HTTP/1.1 200 OK\r\n\r\n").await;
    assert!(matches!(error, OutboundError::Tls(_)), "{error:?}");
}

#[tokio::test]
async fn silent_proxy_ends_at_the_connect_timeout() {
    let proxy = Receiver::start_plain(|stream| async move {
        let _stream = stream;
        std::future::pending().await
    })
    .await;
    let options = OutboundOptions {
        proxy: Some(format!("http://{}", proxy.address).parse().unwrap()),
        connect_timeout: SHORT,
        ..options(OutboundPolicy::default(), Authority::new().roots())
    };
    let ControlledClient { client, .. } = ControlledClient::new(options, Route::To(proxy.address));
    let error = send(&client, "https://hooks.test/").await.unwrap_err();
    assert_eq!(error, OutboundError::ConnectTimeout(SHORT));
}
