//! `voight doctor --acknowledge-clock`: an operator acknowledges the wall clock.

use super::report::DoctorFindings;
use crate::cli::invocation::Invocation;
use crate::exit::{CommandError, Exit};
use voight_api::admin::{AcknowledgeClock, AcknowledgedClock, routes};

/// Makes the running server accept its wall clock; without one, the next server that starts.
pub(super) fn run(invocation: &Invocation, reason: Option<String>) -> Result<(), CommandError> {
    let config = invocation.load(Vec::new())?.config;
    let session = super::installation(invocation, &config, &mut DoctorFindings::default())?.ok_or_else(|| {
        let sentence = format!(
            "there is no installation in {}, so no clock is rejected; name another one with --data-dir",
            config.store.data_dir
        );
        CommandError::new(Exit::NotFound, sentence)
    })?;
    let acknowledged_clock: AcknowledgedClock = session
        .client()
        .send(&routes::ACCEPT_CLOCK.call([]), &AcknowledgeClock { reason })?;
    invocation.output.data(&acknowledged_clock, text)
}

fn text(clock: &AcknowledgedClock) -> String {
    let AcknowledgedClock {
        at,
        ignore_until,
        has_future_rows,
    } = clock;
    let confirmation = format!(
        "The wall clock is acknowledged. It shows {at}. The clock guard ignores record times up to {ignore_until}."
    );
    let wait = "Times in a ledger never decrease: if its last row is later, new rows get the time of that row, and are billed by it, until the clock has passed it.";
    if *has_future_rows {
        format!("{confirmation}\n{wait}")
    } else {
        confirmation
    }
}
