//! Client that sends ten requests a second.

use super::flood::WAIT;
use crate::harness::{ApiClient, RequestLog, ServerUnderTest, StopFlag, pause};
use crate::scenario::CycleResult;
use crate::scenario_run::TimeBudget;
use voight_tests::server::TestAccount;

/// Interval of two requests, in microseconds.
const PAUSE: u64 = 100_000;

/// Sends requests until told to stop; measures the longest wait.
pub(super) fn send_lookups(
    house: &ServerUnderTest,
    account: &TestAccount,
    journal: &RequestLog,
    stop: &StopFlag,
) -> CycleResult {
    let mut customer = ApiClient::new(house, account);
    let mut tally = CycleResult::default();
    while !stop.is_set() {
        let waiting = TimeBudget::start(None);
        journal.send_lookup(&mut customer);
        tally.peak(WAIT, waiting.millis());
        pause(PAUSE);
    }
    tally
}
