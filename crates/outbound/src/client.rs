//! Implementation of the port.

use crate::call_permits::CallPermits;
use crate::connector::{Connector, TcpConnector, connect_first};
use crate::exchange::{RequestBody, exchange};
use crate::message::http_request;
use crate::options::{OpenError, OutboundOptions};
use crate::proxy::open_tunnel;
use crate::resolver::{Resolver, SystemResolver};
use crate::tls;
use async_trait::async_trait;
use hyper::Request;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use voight_domain::outbound::{OutboundHost, OutboundPolicy, ProxyUrl, TargetUrl};
use voight_domain::ports::{Outbound, OutboundError, OutboundRequest, OutboundResponse};

/// Client for outbound requests: each call has a connection of its own, to a verified address.
pub struct OutboundClient {
    policy: OutboundPolicy,
    proxy: Option<ProxyUrl>,
    connect_timeout: Duration,
    timeout: Duration,
    max_calls: usize,
    permits: CallPermits,
    tls: TlsConnector,
    resolver: Arc<dyn Resolver>,
    connector: Arc<dyn Connector>,
}

impl OutboundClient {
    /// Creates a client with the resolver and the connections of the operating system.
    pub fn new(options: OutboundOptions) -> Result<Self, OpenError> {
        let resolver = SystemResolver::new(options.max_concurrent_requests);
        Self::with_network(options, Arc::new(resolver), Arc::new(TcpConnector))
    }

    /// Creates a client with a resolver and a connector, for tests.
    pub fn with_network(
        options: OutboundOptions,
        resolver: Arc<dyn Resolver>,
        connector: Arc<dyn Connector>,
    ) -> Result<Self, OpenError> {
        Ok(Self {
            max_calls: options.max_concurrent_requests,
            permits: CallPermits::new(options.max_concurrent_requests),
            tls: tls::connector(options.roots)?,
            policy: options.policy,
            proxy: options.proxy,
            connect_timeout: options.connect_timeout,
            timeout: options.timeout,
            resolver,
            connector,
        })
    }

    /// Connects and sends the request.
    async fn call(
        &self,
        target: &TargetUrl,
        request: Request<RequestBody>,
        max_body_bytes: usize,
    ) -> Result<OutboundResponse, OutboundError> {
        match &self.proxy {
            None => {
                let addresses = self.verified_addresses(target).await?;
                let stream = self.connect(&addresses, target.port()).await?;
                self.exchange(target, stream, request, max_body_bytes).await
            }
            Some(proxy) => {
                let addresses = self.addresses(proxy.host()).await?;
                let tunnel = async {
                    let stream = self.connect(&addresses, proxy.port()).await?;
                    open_tunnel(stream, target).await
                };
                let stream = timeout(self.connect_timeout, tunnel)
                    .await
                    .map_err(|_| OutboundError::ConnectTimeout(self.connect_timeout))??;
                self.exchange(target, stream, request, max_body_bytes).await
            }
        }
    }

    /// Establishes TLS over a connection, and sends the request.
    async fn exchange(
        &self,
        target: &TargetUrl,
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
        request: Request<RequestBody>,
        max_body_bytes: usize,
    ) -> Result<OutboundResponse, OutboundError> {
        let stream = tls::establish(&self.tls, target, stream).await?;
        exchange(stream, request, max_body_bytes).await
    }

    /// Returns the addresses of the target. One blocked address rejects all.
    async fn verified_addresses(&self, target: &TargetUrl) -> Result<Vec<IpAddr>, OutboundError> {
        let addresses = self.addresses(target.host()).await?;
        self.policy.verify_answers(&addresses)?;
        Ok(addresses)
    }

    /// Returns the addresses of a host.
    async fn addresses(&self, host: OutboundHost<'_>) -> Result<Vec<IpAddr>, OutboundError> {
        match host {
            OutboundHost::Literal(address) => Ok(vec![address]),
            OutboundHost::Name(name) => {
                let answer = self.resolver.resolve(name).await;
                answer.map_err(|error| OutboundError::Resolve(error.to_string()))
            }
        }
    }

    async fn connect(&self, addresses: &[IpAddr], port: u16) -> Result<TcpStream, OutboundError> {
        connect_first(&*self.connector, addresses, port, self.connect_timeout).await
    }
}

#[async_trait]
impl Outbound for OutboundClient {
    fn max_calls(&self) -> usize {
        self.max_calls
    }

    fn parse_target(&self, url: &str) -> Result<TargetUrl, OutboundError> {
        Ok(self.policy.parse_target(url)?)
    }

    async fn send(&self, request: &OutboundRequest) -> Result<OutboundResponse, OutboundError> {
        let target = &request.target;
        self.policy.verify_target(target)?;
        let http_request = http_request(request)?;
        let host = target.host_text();
        let _permit = self.permits.acquire(host, self.connect_timeout).await?;
        let call = self.call(target, http_request, request.max_response_bytes);
        timeout(self.timeout, call)
            .await
            .unwrap_or(Err(OutboundError::Timeout(self.timeout)))
    }
}
