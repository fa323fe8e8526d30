//! Ledger verifier: compares the rows of a server with its responses.

use super::measurement::Measurement;
use crate::load::{LoadMeasurement, Rate, run_closed_loop, run_open_loop};
use crate::servers::{BillableServer, ExpectedLedger, LoadShape, LookupClient};
use anyhow::Result;
use std::time::Duration;

/// Numbers skipped after a crash, more than can be sent before it, so that none is reused.
const ABANDONED: u64 = 1_000_000;

/// Lookups sent to a server, and the ledger that is expected.
#[derive(Debug)]
pub(super) struct LedgerVerifier {
    ledger: ExpectedLedger,
    /// Number of the next lookup.
    next: u64,
    /// Number of looked-up addresses.
    pub(super) addresses: u64,
}

impl LedgerVerifier {
    /// Starts with the current ledger and `addresses` addresses.
    pub(super) fn begin(server: &impl BillableServer, addresses: u64) -> Result<Self> {
        Ok(Self {
            ledger: ExpectedLedger::with_rows(server.billable()?),
            next: 0,
            addresses,
        })
    }

    /// Returns the number of rows that responses have named.
    pub(super) const fn rows(&self) -> u64 {
        self.ledger.rows()
    }

    /// Looks up for `time`.
    pub(super) fn look_up(
        &mut self,
        server: &impl BillableServer,
        load_shape: LoadShape,
        time: Duration,
    ) -> Result<Measurement> {
        let load = run_closed_loop(server.target(), self.lookups(server, load_shape), time)?;
        self.read(server, load)
    }

    /// Looks up at this rate for `time`.
    pub(super) fn look_up_at(
        &mut self,
        server: &impl BillableServer,
        rate: Rate,
        load_shape: LoadShape,
        time: Duration,
    ) -> Result<Measurement> {
        let load = run_open_loop(
            server.target(),
            self.lookups(server, load_shape),
            rate,
            time,
        )?;
        self.read(server, load)
    }

    /// Returns the clients for the next lookups.
    pub(super) fn lookups(
        &self,
        server: &impl BillableServer,
        shape: LoadShape,
    ) -> Vec<LookupClient> {
        LookupClient::for_connections(shape, server.account(), self.next, self.addresses)
    }

    /// Resumes after a crash, whose number of answered lookups is unknown.
    pub(super) fn resume(&mut self, server: &impl BillableServer) -> Result<()> {
        self.ledger = ExpectedLedger::with_rows(server.billable()?);
        self.next += ABANDONED;
        Ok(())
    }

    /// Compares the rows with the responses; a mismatch voids the measurement.
    fn read(
        &mut self,
        server: &impl BillableServer,
        measured: LoadMeasurement<LookupClient>,
    ) -> Result<Measurement> {
        let measurement = Measurement::from_measured(&measured);
        self.next = LookupClient::beyond(&measured.clients);
        self.ledger
            .confirm(LookupClient::rows(measured.clients), server.billable()?)?;
        Ok(measurement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::TargetServer;
    use std::io::{BufRead, BufReader, Write};
    use std::net::{Ipv4Addr, TcpListener, TcpStream};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;
    use voight_tests::server::TestAccount;

    const LOAD_SHAPE: LoadShape = LoadShape {
        connections: 2,
        idempotent: true,
    };
    const TIME: Duration = Duration::from_millis(20);

    /// Server that names a row in every response and reports a billed number, for tests.
    struct FakeServer {
        port: u16,
        account: TestAccount,
        rows: Arc<AtomicU64>,
        billed: fn(u64) -> u64,
    }

    impl FakeServer {
        /// Starts a server with these functions for row numbers and the billed number.
        fn start(number: fn(u64) -> u64, billed: fn(u64) -> u64) -> Self {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
            let port = listener.local_addr().unwrap().port();
            let rows = Arc::new(AtomicU64::new(0));
            let row_counter = Arc::clone(&rows);
            thread::spawn(move || {
                for stream in listener.incoming() {
                    let rows = Arc::clone(&row_counter);
                    thread::spawn(move || {
                        answer(&stream.unwrap(), || {
                            number(rows.fetch_add(1, Ordering::Relaxed) + 1)
                        });
                    });
                }
            });
            let text = str::to_owned;
            let account = TestAccount {
                client: text("a"),
                key: text("k"),
                key_id: text("i"),
                context: text("c"),
            };
            Self {
                port,
                account,
                rows,
                billed,
            }
        }
    }

    /// Answers each complete request head.
    fn answer(mut stream: &TcpStream, next: impl Fn() -> u64) {
        for line in BufReader::new(stream).lines() {
            if line.unwrap().is_empty() {
                let head = format!(
                    "HTTP/1.1 200 OK\r\nvoight-meter: seq={}\r\ncontent-length: 0\r\n\r\n",
                    next()
                );
                stream.write_all(head.as_bytes()).unwrap();
            }
        }
    }

    impl BillableServer for FakeServer {
        fn target(&self) -> TargetServer {
            TargetServer::alone(self.port, std::process::id())
        }

        fn account(&self) -> &TestAccount {
            &self.account
        }

        fn billable(&self) -> Result<u64> {
            Ok((self.billed)(self.rows.load(Ordering::Relaxed)))
        }
    }

    fn asked_twice(server: &FakeServer) -> Result<u64> {
        let mut verifier = LedgerVerifier::begin(server, 10)?;
        verifier.look_up(server, LOAD_SHAPE, TIME)?;
        verifier.look_up(server, LOAD_SHAPE, TIME)?;
        Ok(verifier.rows())
    }

    #[test]
    fn every_row_of_a_response_is_counted_once() {
        let server = FakeServer::start(|row| row, |rows| rows);
        assert_eq!(asked_twice(&server).unwrap(), server.billable().unwrap());
    }

    #[test]
    fn a_lost_or_duplicated_row_voids_the_run() {
        for (number, billed) in [
            (|row| row, |rows: u64| rows.saturating_sub(1)),
            (|row| row, |rows: u64| rows + u64::from(rows > 0)),
            (|row: u64| row.min(5), |rows| rows),
        ] as [(fn(u64) -> u64, fn(u64) -> u64); 3]
        {
            let error = asked_twice(&FakeServer::start(number, billed))
                .unwrap_err()
                .to_string();
            assert!(error.starts_with("the run is void"), "{error}");
        }
    }
}
