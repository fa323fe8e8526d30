//! Client that sends ten requests a second.

use super::flood::WAIT;
use crate::harness::{ApiClient, RequestLog, ServerUnderTest, StopFlag, pause};
use crate::scenario::CycleResult;
use crate::time_budget::TimeBudget;
use voight_tests::server::TestAccount;

/// Interval of two requests, in microseconds.
const PAUSE: u64 = 100_000;

/// Sends requests until stopped; measures the maximum response time.
pub(super) fn send_lookups(
    deployment: &ServerUnderTest,
    account: &TestAccount,
    request_log: &RequestLog,
    stop: &StopFlag,
) -> CycleResult {
    let mut client = ApiClient::new(deployment, account);
    let mut result = CycleResult::default();
    while !stop.is_set() {
        let waiting = TimeBudget::start(None);
        request_log.send_lookup(&mut client);
        result.record_maximum(WAIT, waiting.millis());
        pause(PAUSE);
    }
    result
}
