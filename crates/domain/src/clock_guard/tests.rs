use super::*;
use proptest::prelude::*;

const DAY: Duration = Duration::from_hours(24);
const HOUR: Duration = Duration::from_hours(1);
const MILLI: Duration = Duration::from_millis(1);
/// 21 November 2026, 10:00 UTC.
const NOON: Timestamp = Timestamp::from_millis(1_795_255_200_000);

/// Returns the guard of a service that accepted the clock at `NOON`, with no time elapsed, and whose ledger ends at
/// `last_row`.
fn running(last_row: Timestamp) -> ClockGuard {
    let mut guard = ClockGuard::default();
    guard.set_recorded_time(RecordedTime {
        last_row,
        accepted: None,
    });
    assert_eq!(guard.evaluate(NOON, Duration::ZERO), None);
    guard
}

#[test]
fn clock_is_trusted_up_to_ten_minutes_ahead() {
    let mut guard = running(NOON);
    let expected_time = NOON.saturating_add(HOUR);
    assert_eq!(
        guard.evaluate(expected_time.saturating_add(MAX_AHEAD), HOUR),
        None
    );
    let shows = expected_time.saturating_add(MAX_AHEAD + MILLI);
    assert_eq!(
        guard.evaluate(shows, HOUR),
        Some(ClockError::Ahead {
            shows,
            expected: expected_time
        })
    );
    assert_eq!(
        guard.evaluate(expected_time.saturating_add(MAX_AHEAD), HOUR),
        None,
        "it was set right"
    );
}

#[test]
fn clock_is_trusted_up_to_one_day_behind() {
    let recorded_time = NOON.saturating_add(HOUR);
    let mut guard = running(recorded_time);
    assert_eq!(
        guard.evaluate(recorded_time.saturating_sub(MAX_BEHIND), HOUR),
        None
    );
    let shows = recorded_time.saturating_sub(MAX_BEHIND + MILLI);
    assert_eq!(
        guard.evaluate(shows, HOUR),
        Some(ClockError::Behind {
            shows,
            recorded: recorded_time
        })
    );
    assert_eq!(
        guard.evaluate(recorded_time, HOUR),
        None,
        "it was set right"
    );
}

#[test]
fn clock_without_rows_can_go_back() {
    assert_eq!(
        running(Timestamp::default()).evaluate(NOON.saturating_sub(30 * DAY), HOUR),
        None
    );
}

#[test]
fn recorded_time_never_goes_back() {
    let mut guard = running(Timestamp::default());
    let recorded_time = NOON.saturating_add(HOUR);
    guard.set_recorded_time(RecordedTime::default().with_row(recorded_time));
    guard.set_recorded_time(RecordedTime::default().with_row(NOON));
    let shows = NOON.saturating_sub(DAY);
    assert_eq!(
        guard.evaluate(shows, HOUR),
        Some(ClockError::Behind {
            shows,
            recorded: recorded_time
        })
    );
}

#[test]
fn clock_behind_at_start_can_be_corrected() {
    let mut guard = ClockGuard::default();
    guard.set_recorded_time(RecordedTime::default().with_row(NOON));
    assert!(
        guard
            .evaluate(NOON.saturating_sub(30 * DAY), Duration::ZERO)
            .is_some()
    );
    assert_eq!(guard.evaluate(NOON, HOUR), None);
    let shows = NOON.saturating_add(2 * HOUR);
    let expected_time = NOON.saturating_add(HOUR);
    assert_eq!(
        guard.evaluate(shows, 2 * HOUR),
        Some(ClockError::Ahead {
            shows,
            expected: expected_time
        })
    );
}

#[test]
fn time_continues_from_acknowledged_lead() {
    let mut guard = running(NOON);
    let shows = NOON.saturating_add(30 * DAY);
    let acknowledgement = guard.acknowledgement(shows, HOUR);
    assert_eq!(
        acknowledgement,
        AcknowledgedTime {
            at: shows,
            ignore_until: NOON.saturating_add(HOUR)
        }
    );
    guard.acknowledge(acknowledgement, HOUR);
    assert_eq!(guard.evaluate(shows.saturating_add(HOUR), 2 * HOUR), None);
    assert!(
        guard
            .evaluate(shows.saturating_add(HOUR + MAX_AHEAD + MILLI), 2 * HOUR)
            .is_some()
    );
}

#[test]
fn acknowledged_lead_can_be_reverted() {
    let mut guard = running(NOON);
    let wrong = NOON.saturating_add(30 * DAY);
    guard.acknowledge(guard.acknowledgement(wrong, HOUR), HOUR);
    assert_eq!(guard.evaluate(NOON.saturating_add(HOUR), HOUR), None);
    guard.set_recorded_time(RecordedTime::default().with_row(wrong));
    let shows = NOON.saturating_add(2 * HOUR);
    assert_eq!(
        guard.evaluate(shows, 2 * HOUR),
        Some(ClockError::Behind {
            shows,
            recorded: wrong
        })
    );
}

#[test]
fn acknowledged_lag_ignores_only_earlier_rows() {
    let recorded_time = NOON.saturating_add(30 * DAY);
    let mut guard = ClockGuard::default();
    guard.set_recorded_time(RecordedTime::default().with_row(recorded_time));
    let acknowledgement = guard.acknowledgement(NOON, Duration::ZERO);
    assert_eq!(
        acknowledgement,
        AcknowledgedTime {
            at: NOON,
            ignore_until: recorded_time
        }
    );
    guard.acknowledge(acknowledgement, Duration::ZERO);
    assert_eq!(guard.evaluate(NOON, Duration::ZERO), None);
    guard.set_recorded_time(RecordedTime::default().with_row(recorded_time));
    assert_eq!(
        guard.evaluate(NOON.saturating_add(HOUR), HOUR),
        None,
        "rows keep that date, and that is no news"
    );
    let shows = NOON.saturating_sub(DAY + MILLI);
    assert_eq!(
        guard.evaluate(shows, HOUR),
        Some(ClockError::Behind {
            shows,
            recorded: NOON
        })
    );
    guard.set_recorded_time(RecordedTime::default().with_row(recorded_time.saturating_add(MILLI)));
    assert!(guard.evaluate(NOON.saturating_add(HOUR), HOUR).is_some());
}

#[test]
fn clock_error_names_both_times() {
    let message = ClockError::Behind {
        shows: NOON,
        recorded: NOON.saturating_add(30 * DAY),
    }
    .to_string();
    assert!(
        message.contains("2026-11-21T10:00:00Z") && message.contains("2026-12-21T10:00:00Z"),
        "{message}"
    );
}

proptest! {
    /// For any time of the clock, an acknowledgement ends the rejection, also after a restart.
    #[test]
    fn acknowledged_time_is_trusted(
        at in any::<i64>(), row in any::<i64>(), shows in any::<i64>(), passed in 0_u64..1 << 50,
    ) {
        let elapsed_time = Duration::from_millis(passed);
        let shows = Timestamp::from_millis(shows);
        let mut guard = ClockGuard::default();
        guard.evaluate(Timestamp::from_millis(at), Duration::ZERO);
        let recorded_time = RecordedTime::default().with_row(Timestamp::from_millis(row));
        guard.set_recorded_time(recorded_time);
        let acknowledgement = guard.acknowledgement(shows, elapsed_time);
        guard.acknowledge(acknowledgement, elapsed_time);
        prop_assert_eq!(guard.evaluate(shows, elapsed_time), None);
        let mut restarted_guard = ClockGuard::default();
        restarted_guard.set_recorded_time(RecordedTime { accepted: Some(acknowledgement), ..recorded_time });
        prop_assert_eq!(restarted_guard.evaluate(shows, Duration::ZERO), None);
    }
}
