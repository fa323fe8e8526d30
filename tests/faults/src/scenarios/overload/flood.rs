//! Clients that send requests without pause, and clients that abort.

use crate::harness::{HttpConnection, LookupResult, RequestLog, ServerUnderTest, StopFlag, lookup, outcome, pause};
use crate::scenario::CycleResult;
use crate::scenario_run::TimeBudget;
use anyhow::Result;
use std::io;
use voight_tests::server::TestAccount;

/// Metric of the longest wait for a response.
pub(super) const WAIT: &str = "ms of the longest wait";

/// Sends a request on each of `connections` connections, repeatedly, until told to stop.
///
/// The next round starts when all requests of the last one are answered.
pub(super) fn run(
    house: &ServerUnderTest,
    account: &TestAccount,
    journal: &RequestLog,
    connections: usize,
    stop: &StopFlag,
) -> Result<CycleResult> {
    let open = || HttpConnection::open(house.public());
    let mut wires = (0..connections).map(|_| open()).collect::<io::Result<Vec<_>>>()?;
    let mut tally = CycleResult::default();
    while !stop.is_set() {
        let waiting = TimeBudget::start(None);
        let mut asked = Vec::with_capacity(connections);
        for wire in &mut wires {
            let number = journal.next();
            let sent = wire.send(&lookup(account, number, None));
            asked.push((number, sent));
        }
        for (wire, (number, sent)) in wires.iter_mut().zip(asked) {
            let answer = sent.and_then(|()| wire.receive());
            journal.note(number, answer.as_ref().map_or(LookupResult::Unknown, outcome));
            if answer.is_err() {
                tally.count("connections lost in the flood", 1);
                *wire = open()?;
            }
        }
        tally.peak(WAIT, waiting.millis());
    }
    Ok(tally)
}

/// Sends two requests and closes the connection before reading, which resets it; repeats until told to stop.
pub(super) fn break_off(
    house: &ServerUnderTest,
    account: &TestAccount,
    journal: &RequestLog,
    seed: u64,
    stop: &StopFlag,
) -> Result<CycleResult> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut tally = CycleResult::default();
    while !stop.is_set() {
        let mut wire = HttpConnection::open(house.public())?;
        for _ in 0..2 {
            let number = journal.next();
            journal.note(number, LookupResult::Unknown);
            wire.send(&lookup(account, number, None))?;
        }
        pause(random.u64(..20_000));
        tally.count("connections broken off", 1);
    }
    Ok(tally)
}
