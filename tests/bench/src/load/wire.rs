//! Keep-alive connection to a server.

use super::client::{LoadClient, RawResponse};
use anyhow::{Context, Result, ensure};
use std::net::Ipv4Addr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use voight_tests::answer::Ends;

/// Size of the buffers, enough for any request and response, so that they never grow.
const BUFFER_BYTES: usize = 16 * 1024;

/// Connection with its send and receive buffers.
pub(super) struct LoadConnection {
    stream: TcpStream,
    request: Vec<u8>,
    answer: Vec<u8>,
}

impl LoadConnection {
    /// Connects to a loopback port.
    pub(super) async fn open(port: u16) -> Result<Self> {
        let connection = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await;
        let stream = connection.with_context(|| format!("no server answers at port {port}"))?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            request: Vec::with_capacity(BUFFER_BYTES),
            answer: Vec::with_capacity(BUFFER_BYTES),
        })
    }

    /// Connects to each of these loopback ports.
    pub(super) async fn open_all(ports: impl Iterator<Item = u16>) -> Result<Vec<Self>> {
        let mut wires = Vec::new();
        for port in ports {
            wires.push(Self::open(port).await?);
        }
        Ok(wires)
    }

    /// Lets the client write its next request; returns `false` if it has none. Called before the latency measurement.
    pub(super) fn prepare(&mut self, client: &mut impl LoadClient) -> bool {
        self.request.clear();
        client.write_request(&mut self.request)
    }

    /// Sends the prepared request and returns the response.
    pub(super) async fn exchange(&mut self) -> Result<RawResponse<'_>> {
        self.stream
            .write_all(&self.request)
            .await
            .context("a connection was closed")?;
        self.answer.clear();
        let bounds = loop {
            let length = self
                .stream
                .read_buf(&mut self.answer)
                .await
                .context("a connection was closed")?;
            ensure!(
                length > 0,
                "the server closed a connection within a response"
            );
            if let Some(bounds) = Ends::find(&self.answer).context("a response is not HTTP")? {
                break bounds;
            }
        };
        RawResponse::parse_with(&self.answer, bounds).context("a response is truncated")
    }
}
