//! Clients that send byte by byte.

use super::evidence::OpenCheck;
use crate::campaign::TimeBudget;
use crate::rig::{HttpConnection, StopFlag, pause};
use crate::row::CycleResult;
use anyhow::{Result, ensure};
use std::time::Duration;

/// Connections of each kind.
const CONNECTIONS: usize = 200;
/// Between two bytes of a connection, in microseconds.
const PAUSE: u64 = 500_000;
/// The longest that a head and a body may take, as a server is configured, and what a machine may add that is kept busy.
const HEAD: Duration = Duration::from_secs(5 + 10);
const BODY: Duration = Duration::from_secs(10 + 10);
/// What a head is that never ends.
const ENDLESS: &str = "GET / HTTP/1.1\r\nhost: x\r\nx-slow: ";

/// Connections that never finish what they send.
pub(super) struct SlowClient {
    what: &'static str,
    port: u16,
    /// A request that comes first, whole, and is answered.
    first: Option<&'static str>,
    /// What is sent at once; what follows comes byte by byte.
    start: String,
    patience: Duration,
}

/// Heads of the first request of a connection.
pub(super) fn first_head(port: u16) -> SlowClient {
    SlowClient { what: "the head of a first request", port, first: None, start: ENDLESS.to_owned(), patience: HEAD }
}

/// Heads of the second request of a connection.
pub(super) fn second_head(port: u16) -> SlowClient {
    let whole = "GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n";
    SlowClient { what: "the head of a second request", first: Some(whole), ..first_head(port) }
}

/// Bodies of evidence for a check that is open.
pub(super) fn body(port: u16, check: &OpenCheck) -> SlowClient {
    SlowClient { what: "a body", port, first: None, start: check.head(60_000), patience: BODY }
}

/// A connection, and how long it may last.
struct OpenConnection {
    wire: HttpConnection,
    patience: TimeBudget,
}

impl SlowClient {
    /// Keeps connections at it until told to stop. An error is a connection that the server puts up with for too long.
    pub(super) fn run(&self, stop: &StopFlag) -> Result<CycleResult> {
        let mut held = (0..CONNECTIONS).map(|_| self.open()).collect::<Result<Vec<_>>>()?;
        let (running, mut tally) = (TimeBudget::start(None), CycleResult::default());
        while !stop.is_set() {
            pause(PAUSE);
            for connection in &mut held {
                if connection.wire.is_closed_by_peer()? || connection.wire.send("a").is_err() {
                    tally.count("slow connections cut", 1);
                    *connection = self.open()?;
                }
                let (since, now) = (connection.patience.millis(), running.millis());
                ensure!(
                    !connection.patience.is_spent(),
                    "{} is still waited for after {since} ms, {now} ms in",
                    self.what
                );
            }
        }
        Ok(tally)
    }

    fn open(&self) -> Result<OpenConnection> {
        let mut wire = HttpConnection::open(self.port)?;
        if let Some(first) = self.first {
            wire.request(first)?;
        }
        wire.send(&self.start)?;
        Ok(OpenConnection { wire, patience: TimeBudget::start(Some(self.patience)) })
    }
}
