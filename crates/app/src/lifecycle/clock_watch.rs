//! Whether the wall clock can be believed. Rows are dated by it, so one that is wrong puts lookups into a wrong period.

use crate::system::Monotonic;
use std::time::Duration;
use voight_domain::Timestamp;
use voight_domain::ports::{Store, StoreError};
use voight_domain::vocabulary::Environment;

/// How far the wall clock may run ahead of the monotonic one.
const LEAD_MAX: Duration = Duration::from_mins(10);
/// How far it may be behind the last row.
const LAG_MAX: Duration = Duration::from_hours(24);
/// Clients are read in pages of this size.
const PAGE: usize = 500;

/// Watches the wall clock of a running service.
#[derive(Debug)]
pub(super) struct ClockWatch {
    started_at: Timestamp,
    running: Monotonic,
    reported: bool,
}

impl ClockWatch {
    /// From now on, with the wall clock at `now`.
    pub(super) fn start(now: Timestamp) -> Self {
        Self { started_at: now, running: Monotonic::start(), reported: false }
    }

    /// Compares the clocks, and says once if they disagree.
    pub(super) fn look(&mut self, now: Timestamp) {
        match lead(self.started_at, self.running.elapsed(), now) {
            Some(lead) if !self.reported => {
                self.reported = true;
                let minutes = lead.as_secs() / 60;
                tracing::error!(minutes, "the wall clock has jumped ahead; lookups are dated by it: set it right");
            }
            Some(_) => {}
            None => self.reported = false,
        }
    }
}

/// By how much the wall clock leads, if that is too much.
fn lead(started_at: Timestamp, running: Duration, now: Timestamp) -> Option<Duration> {
    Some(now.since(started_at.plus(running))).filter(|lead| *lead > LEAD_MAX)
}

/// The date of the last row of any ledger, if the wall clock at `now` is too far behind it.
pub(crate) async fn behind_the_ledger(store: &dyn Store, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
    let mut last = Timestamp::default();
    let mut after = None;
    loop {
        let clients = store.clients(after, PAGE).await?;
        for client in &clients {
            for environment in [Environment::Live, Environment::Sandbox] {
                let meter = store.meter(client.id, environment).await?;
                last = last.max(meter.map(|meter| meter.last_at).unwrap_or_default());
            }
        }
        after = clients.last().map(|client| client.id);
        if clients.len() < PAGE {
            return Ok(Some(last).filter(|last| last.since(now) > LAG_MAX));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_jump_ahead_is_too_much() {
        let start = Timestamp::from_millis(1_000_000);
        let running = Duration::from_hours(1);
        let at = |minutes: u64| start.plus(Duration::from_mins(minutes));
        assert_eq!(lead(start, running, at(60)), None);
        assert_eq!(lead(start, running, at(70)), None);
        assert_eq!(lead(start, running, at(71)), Some(Duration::from_mins(11)));
        assert_eq!(lead(start, running, at(0)), None);
    }
}
