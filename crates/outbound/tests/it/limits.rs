//! Bounds on concurrent calls, and the timeouts of connections.

use crate::authority::Authority;
use crate::client::{ControlledClient, LONG, SHORT, options, send};
use crate::network::Route;
use crate::receiver::Receiver;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;
use voight_domain::outbound::OutboundPolicy;
use voight_domain::ports::OutboundError;
use voight_outbound::OutboundOptions;

/// Creates a client for four calls at once, whose connections all go to a receiver that never answers.
fn client_for(authority: &Authority, receiver: &Receiver, timeout: Duration) -> ControlledClient {
    let options = OutboundOptions {
        connect_timeout: SHORT,
        timeout,
        max_concurrent_requests: 4,
        ..options(OutboundPolicy::default(), authority.roots())
    };
    let controlled = ControlledClient::new(options, Route::To(receiver.address));
    for name in ["a.test", "b.test", "c.test", "d.test", "e.test"] {
        controlled.resolver.script(name, &[&["1.1.1.1"]]);
    }
    controlled
}

async fn silent_receiver() -> Receiver {
    Receiver::start_plain(|stream| async move {
        let _stream = stream;
        std::future::pending().await
    })
    .await
}

#[tokio::test]
async fn calls_beyond_the_limits_are_rejected() {
    let authority = Authority::new();
    let receiver = silent_receiver().await;
    let client = Arc::new(client_for(&authority, &receiver, LONG).client);
    let call = |name: &'static str| {
        let client = Arc::clone(&client);
        tokio::spawn(async move { send(&client, &format!("https://{name}/")).await })
    };
    let first_call = call("a.test");
    sleep(SHORT / 3).await;
    // A quarter of the calls may be to one host.
    assert_eq!(call("a.test").await.unwrap(), Err(OutboundError::Busy));
    let calls = ["b.test", "c.test", "d.test"].map(call);
    sleep(SHORT / 3).await;
    assert_eq!(call("e.test").await.unwrap(), Err(OutboundError::Busy));
    assert_eq!(receiver.connections(), 4);
    // A call that is dropped frees its permit.
    first_call.abort();
    let next_call = call("e.test");
    sleep(SHORT).await;
    assert_eq!(receiver.connections(), 5);
    next_call.abort();
    for call in calls {
        call.abort();
    }
}

#[tokio::test]
async fn call_that_times_out_frees_its_permits() {
    let authority = Authority::new();
    let receiver = silent_receiver().await;
    let ControlledClient { client, .. } = client_for(&authority, &receiver, SHORT);
    for _ in 0..6 {
        let error = send(&client, "https://a.test/").await.unwrap_err();
        assert_eq!(error, OutboundError::Timeout(SHORT));
    }
    assert_eq!(receiver.connections(), 6);
}

#[tokio::test]
async fn connection_that_is_never_established_times_out() {
    let authority = Authority::new();
    let options = OutboundOptions {
        connect_timeout: SHORT,
        ..options(OutboundPolicy::default(), authority.roots())
    };
    let ControlledClient { client, .. } = ControlledClient::new(options, Route::Silence);
    let error = send(&client, "https://1.1.1.1/").await.unwrap_err();
    assert_eq!(error, OutboundError::ConnectTimeout(SHORT));
    assert!(error.is_unsent());
}

#[tokio::test]
async fn rejected_connection_is_an_error() {
    let authority = Authority::new();
    let options = options(OutboundPolicy::default(), authority.roots());
    let ControlledClient { client, .. } = ControlledClient::new(options, Route::Reject);
    let error = send(&client, "https://1.1.1.1/").await.unwrap_err();
    assert!(matches!(error, OutboundError::Connect(_)), "{error:?}");
}
