//! Clients that send byte by byte.

use super::evidence::OpenCheck;
use crate::harness::{HttpConnection, StopFlag, pause};
use crate::scenario::CycleResult;
use crate::time_budget::TimeBudget;
use anyhow::{Result, ensure};
use std::time::Duration;

/// Number of connections of each kind.
const CONNECTIONS: usize = 200;
/// Interval of two bytes of a connection, in microseconds.
const PAUSE: u64 = 500_000;
/// Maximum time for a head: the configured timeout and an allowance for a busy machine.
const HEAD: Duration = Duration::from_secs(5 + 10);
const BODY: Duration = Duration::from_secs(10 + 10);
/// Head of a request that never ends.
const ENDLESS: &str = "GET / HTTP/1.1\r\nhost: x\r\nx-slow: ";

/// Connections that never finish their request.
pub(super) struct SlowClient {
    what: &'static str,
    port: u16,
    /// Complete request that is sent first and answered.
    first: Option<&'static str>,
    /// Text that is sent at once; the rest follows byte by byte.
    start: String,
    timeout: Duration,
}

/// Returns a client that sends an endless head of the first request of a connection.
pub(super) fn first_head(port: u16) -> SlowClient {
    SlowClient {
        what: "the head of a first request",
        port,
        first: None,
        start: ENDLESS.to_owned(),
        timeout: HEAD,
    }
}

/// Returns a client that sends an endless head of the second request of a connection.
pub(super) fn second_head(port: u16) -> SlowClient {
    let complete = "GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n";
    SlowClient {
        what: "the head of a second request",
        first: Some(complete),
        ..first_head(port)
    }
}

/// Returns a client that sends an endless body of evidence for an open check.
pub(super) fn body(port: u16, check: &OpenCheck) -> SlowClient {
    SlowClient {
        what: "a body",
        port,
        first: None,
        start: check.head(60_000),
        timeout: BODY,
    }
}

/// Open connection, with its maximum lifetime.
struct OpenConnection {
    connection: HttpConnection,
    timeout: TimeBudget,
}

impl SlowClient {
    /// Maintains connections until stopped.
    ///
    /// # Errors
    ///
    /// The server kept a connection open for too long.
    pub(super) fn run(&self, stop: &StopFlag) -> Result<CycleResult> {
        let mut connections = (0..CONNECTIONS)
            .map(|_| self.open())
            .collect::<Result<Vec<_>>>()?;
        let running = TimeBudget::start(None);
        let mut result = CycleResult::default();
        while !stop.is_set() {
            pause(PAUSE);
            for slow in &mut connections {
                if slow.connection.is_closed_by_peer()? || slow.connection.send("a").is_err() {
                    result.count("slow connections cut", 1);
                    *slow = self.open()?;
                }
                let since = slow.timeout.millis();
                let now = running.millis();
                ensure!(
                    !slow.timeout.is_spent(),
                    "{} is still open after {since} ms, {now} ms after the start",
                    self.what
                );
            }
        }
        Ok(result)
    }

    fn open(&self) -> Result<OpenConnection> {
        let mut connection = HttpConnection::open(self.port)?;
        if let Some(first) = self.first {
            connection.request(first)?;
        }
        connection.send(&self.start)?;
        Ok(OpenConnection {
            connection,
            timeout: TimeBudget::start(Some(self.timeout)),
        })
    }
}
