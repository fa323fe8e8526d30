//! Snapshots as a platform's backend takes them.

use super::Service;
use super::lookups::address;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::io::{self, Read};
use std::thread;
use std::time::Duration;
use ureq::SendBody;
use voight_tests::server::TestAccount;

/// Name of the client of the snapshots. Its ledger is not that of the lookups.
const CLIENT: &str = "payout";
/// Bytes of a file between two pauses.
const PIECE_BYTES: usize = 64 << 10;
/// Interval between two requests for the state.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Client of snapshots of always the same addresses.
#[derive(Debug)]
pub(crate) struct SnapshotClient {
    agent: ureq::Agent,
    url: String,
    account: TestAccount,
    addresses: String,
}

impl SnapshotClient {
    /// Creates a client, a key and a context at the service.
    pub(crate) fn new(service: &Service, addresses: u64) -> Self {
        let lines: Vec<_> = (0..addresses)
            .map(|number| address(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
            .collect();
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .proxy(None)
            .build()
            .into();
        let url = format!("http://127.0.0.1:{}/api/v1/snapshots", service.port());
        Self {
            agent,
            url,
            account: service.another_account(CLIENT),
            addresses: lines.join("\n"),
        }
    }

    /// Takes a snapshot, downloads its rows as CSV and deletes it. Pauses after each piece of a file: a load on the same core
    /// would otherwise be late while this client copies a file.
    pub(crate) fn take(&self, pause: Duration) -> Result<()> {
        let TestAccount { key, context, .. } = &self.account;
        let request = json!({ "context_id": context, "source": "upload" }).to_string();
        let request_builder = self
            .agent
            .post(&self.url)
            .header("x-api-key", key)
            .header("content-type", "application/json");
        let snapshot = data(request_builder.send(&request)?)?;
        let url = format!(
            "{}/{}",
            self.url,
            snapshot["id"]
                .as_str()
                .context("a snapshot without an id")?
        );
        let upload = self
            .agent
            .put(format!("{url}/addresses"))
            .header("x-api-key", key);
        let mut addresses = PacedReader {
            inner: self.addresses.as_bytes(),
            pause,
        };
        let upload = upload.header("content-type", "text/csv");
        data(upload.send(SendBody::from_reader(&mut addresses))?)?;
        while data(self.agent.get(&url).header("x-api-key", key).call()?)?["state"] != "draft" {
            thread::sleep(POLL_INTERVAL);
        }
        let file = self
            .agent
            .get(format!("{url}/file?format=csv"))
            .header("x-api-key", key)
            .call()?;
        ensure!(
            file.status() == 200,
            "a download was answered {}",
            file.status()
        );
        let mut rows = PacedReader {
            inner: file.into_body().into_reader(),
            pause,
        };
        let mut piece = vec![0; PIECE_BYTES];
        while rows.read(&mut piece)? > 0 {}
        data(self.agent.delete(&url).header("x-api-key", key).call()?).map(drop)
    }
}

/// Reader that pauses before each piece.
struct PacedReader<R> {
    inner: R,
    pause: Duration,
}

impl<R: Read> Read for PacedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        thread::sleep(self.pause);
        let size = buffer.len().min(PIECE_BYTES);
        self.inner.read(&mut buffer[..size])
    }
}

/// Returns the data of a successful response.
fn data(response: ureq::http::Response<ureq::Body>) -> Result<Value> {
    let status = response.status();
    let text = response.into_body().read_to_string()?;
    ensure!(
        status == 200,
        "a request of a snapshot was answered {status}: {text}"
    );
    Ok(serde_json::from_str::<Value>(&text)?["data"].take())
}
