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
        let connected = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await;
        let stream = connected.with_context(|| format!("no server answers at port {port}"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, request: Vec::with_capacity(BUFFER_BYTES), answer: Vec::with_capacity(BUFFER_BYTES) })
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
    pub(super) fn prepare(&mut self, asker: &mut impl LoadClient) -> bool {
        self.request.clear();
        asker.write_request(&mut self.request)
    }

    /// Sends the prepared request and returns the response.
    pub(super) async fn exchange(&mut self) -> Result<RawResponse<'_>> {
        self.stream.write_all(&self.request).await.context("a connection has ended")?;
        self.answer.clear();
        let ends = loop {
            let length = self.stream.read_buf(&mut self.answer).await.context("a connection has ended")?;
            ensure!(length > 0, "the server has ended a connection in the middle of an answer");
            if let Some(ends) = Ends::find(&self.answer).context("an answer is no HTTP")? {
                break ends;
            }
        };
        RawResponse::parse_with(&self.answer, ends).context("an answer is cut short")
    }
}
