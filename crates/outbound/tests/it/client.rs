//! Clients and requests of tests.

use crate::authority::Authority;
use crate::network::{RecordingConnector, Route, ScriptedResolver};
use rustls::RootCertStore;
use std::sync::Arc;
use std::time::Duration;
use voight_domain::outbound::{OutboundPolicy, TargetUrl};
use voight_domain::ports::{
    Outbound, OutboundError, OutboundMethod, OutboundRequest, OutboundResponse,
};
use voight_outbound::{OutboundClient, OutboundOptions};

/// Timeout of calls that are expected to succeed, or to fail for another reason.
pub(crate) const LONG: Duration = Duration::from_secs(20);
/// Timeout of calls that are expected to exceed it.
pub(crate) const SHORT: Duration = Duration::from_millis(300);
/// Maximum size of the bodies that are read.
pub(crate) const MAX_BODY: usize = 4_096;

/// Returns options with a policy and a trust store.
pub(crate) fn options(policy: OutboundPolicy, roots: RootCertStore) -> OutboundOptions {
    OutboundOptions {
        policy,
        proxy: None,
        connect_timeout: LONG,
        timeout: LONG,
        max_concurrent_requests: 64,
        roots,
    }
}

/// Returns a policy that permits the loopback network and a port.
pub(crate) fn loopback_policy(port: u16) -> OutboundPolicy {
    OutboundPolicy::new([port], vec!["127.0.0.0/8".parse().unwrap()])
}

/// Creates a client of the operating system for a receiver on the loopback address.
pub(crate) fn loopback_client(
    authority: &Authority,
    port: u16,
    timeout: Duration,
) -> OutboundClient {
    let options = OutboundOptions {
        timeout,
        ..options(loopback_policy(port), authority.roots())
    };
    OutboundClient::new(options).unwrap()
}

/// Client with a network that the test controls.
pub(crate) struct ControlledClient {
    pub(crate) client: OutboundClient,
    pub(crate) resolver: Arc<ScriptedResolver>,
    pub(crate) connector: Arc<RecordingConnector>,
}

impl ControlledClient {
    pub(crate) fn new(options: OutboundOptions, default_route: Route) -> Self {
        let resolver = Arc::new(ScriptedResolver::default());
        let connector = Arc::new(RecordingConnector::new(default_route));
        let client =
            OutboundClient::with_network(options, resolver.clone(), connector.clone()).unwrap();
        Self {
            client,
            resolver,
            connector,
        }
    }
}

/// Returns a request to a target.
pub(crate) fn request(target: TargetUrl) -> OutboundRequest {
    OutboundRequest {
        method: OutboundMethod::Post,
        target,
        headers: vec![("webhook-id".to_owned(), "msg_1".to_owned())],
        body: br#"{"type":"test"}"#[..].into(),
        max_response_bytes: MAX_BODY,
    }
}

/// Sends a request to a URL.
pub(crate) async fn send(
    client: &OutboundClient,
    url: &str,
) -> Result<OutboundResponse, OutboundError> {
    client.send(&request(TargetUrl::parse(url)?)).await
}
