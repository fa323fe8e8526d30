//! Clients that send requests without pause, and clients that abort.

use crate::harness::{
    HttpConnection, LookupResult, RequestLog, ServerUnderTest, StopFlag, lookup, outcome, pause,
};
use crate::scenario::CycleResult;
use crate::time_budget::TimeBudget;
use anyhow::Result;
use std::io;
use voight_tests::server::TestAccount;

/// Name of the maximum response time.
pub(super) const WAIT: &str = "ms of maximum response time";

/// Sends a request on each of `connections` connections, repeatedly, until stopped.
///
/// The next round starts when all requests of the last one are answered.
pub(super) fn run(
    deployment: &ServerUnderTest,
    account: &TestAccount,
    request_log: &RequestLog,
    connections: usize,
    stop: &StopFlag,
) -> Result<CycleResult> {
    let open = || HttpConnection::open(deployment.public());
    let mut open_connections = (0..connections)
        .map(|_| open())
        .collect::<io::Result<Vec<_>>>()?;
    let mut result = CycleResult::default();
    while !stop.is_set() {
        let waiting = TimeBudget::start(None);
        let mut pending = Vec::with_capacity(connections);
        for connection in &mut open_connections {
            let number = request_log.next();
            let send_result = connection.send(&lookup(account, number, None));
            pending.push((number, send_result));
        }
        for (connection, (number, sent)) in open_connections.iter_mut().zip(pending) {
            let response = sent.and_then(|()| connection.receive());
            request_log.note(
                number,
                response.as_ref().map_or(LookupResult::Unknown, outcome),
            );
            if response.is_err() {
                result.count("connections lost in the flood", 1);
                *connection = open()?;
            }
        }
        result.record_maximum(WAIT, waiting.millis());
    }
    Ok(result)
}

/// Sends two requests and closes the connection before reading, which resets it; repeats until stopped.
pub(super) fn abort_connections(
    deployment: &ServerUnderTest,
    account: &TestAccount,
    request_log: &RequestLog,
    seed: u64,
    stop: &StopFlag,
) -> Result<CycleResult> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut result = CycleResult::default();
    while !stop.is_set() {
        let mut connection = HttpConnection::open(deployment.public())?;
        for _ in 0..2 {
            let number = request_log.next();
            request_log.note(number, LookupResult::Unknown);
            connection.send(&lookup(account, number, None))?;
        }
        pause(random.u64(..20_000));
        result.count("connections aborted", 1);
    }
    Ok(result)
}
