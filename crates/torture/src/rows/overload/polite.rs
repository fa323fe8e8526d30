//! A client that asks ten times a second.

use super::flood::WAIT;
use crate::campaign::Budget;
use crate::rig::{Customer, House, Journal, Stop, pause};
use crate::row::Tally;
use voight_tests::server::Account;

/// Between two requests, in microseconds.
const PAUSE: u64 = 100_000;

/// Asks until told to stop; measures the longest wait.
pub(super) fn ask(house: &House, account: &Account, journal: &Journal, stop: &Stop) -> Tally {
    let mut customer = Customer::new(house, account);
    let mut tally = Tally::default();
    while !stop.is_said() {
        let waiting = Budget::start(None);
        journal.ask(&mut customer);
        tally.peak(WAIT, waiting.millis());
        pause(PAUSE);
    }
    tally
}
