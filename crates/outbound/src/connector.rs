//! TCP connections to verified addresses.

use async_trait::async_trait;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;
use voight_domain::ports::OutboundError;

/// Maximum number of addresses of a host that a call tries.
const MAX_ADDRESSES: usize = 4;

/// Opens TCP connections.
#[async_trait]
pub trait Connector: Send + Sync {
    /// Opens a connection to an address.
    async fn connect(&self, address: SocketAddr) -> io::Result<TcpStream>;
}

/// Connector of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct TcpConnector;

#[async_trait]
impl Connector for TcpConnector {
    async fn connect(&self, address: SocketAddr) -> io::Result<TcpStream> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }
}

/// Opens a connection to the first address that accepts one.
///
/// The addresses share the time equally, so that a silent one does not use the time of the next.
pub(crate) async fn connect_first(
    connector: &dyn Connector,
    addresses: &[IpAddr],
    port: u16,
    connect_timeout: Duration,
) -> Result<TcpStream, OutboundError> {
    let addresses = addresses.get(..MAX_ADDRESSES).unwrap_or(addresses);
    let parts = u32::try_from(addresses.len()).unwrap_or(u32::MAX);
    let address_timeout = connect_timeout / parts.max(1);
    let mut failure = OutboundError::ConnectTimeout(connect_timeout);
    for address in addresses {
        let attempt = connector.connect(SocketAddr::new(*address, port));
        match timeout(address_timeout, attempt).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => failure = OutboundError::Connect(error.to_string()),
            Err(_) => failure = OutboundError::ConnectTimeout(connect_timeout),
        }
    }
    Err(failure)
}
