//! Grid of event times.

use crate::evidence_schema::{PointerKind, PointerType};
use crate::facts::{CheckFacts, OperatingSystem};
use std::collections::BTreeSet;

/// Number of fractions of a millisecond that are distinguished: tenths.
const GRID: usize = 10;
/// Minimum number of events for a result: two presses without a move.
///
/// Real input shares one fraction without exception; four events at arbitrary times share one pair of neighbouring tenths in
/// 2 % of cases.
const MIN_EVENTS: usize = 4;
/// Minimum share of events with the most common fraction for a grid.
const MIN_GRID_SHARE: f64 = 0.8;

/// Returns the number of trusted mouse and key events, and the share with the most common fraction.
///
/// The fraction is that of a millisecond. `None` on systems other than Linux.
pub(crate) fn grid(facts: &CheckFacts) -> Option<(usize, f64)> {
    if facts.system() == Some(OperatingSystem::Linux) {
        server_grid(facts)
    } else {
        None
    }
}

/// Returns the result of [`grid`] for key events only.
pub(crate) fn key_grid(facts: &CheckFacts) -> Option<(usize, f64)> {
    if facts.system() == Some(OperatingSystem::Linux) {
        shared_fraction(facts, key_times(facts))
    } else {
        None
    }
}

/// Returns the result of [`grid`] on any system.
pub(super) fn server_grid(facts: &CheckFacts) -> Option<(usize, f64)> {
    shared_fraction(facts, times(facts))
}

/// Returns the number of times, and the share of them with the most common fraction of a millisecond.
///
/// Neighbouring tenths count as one, because clocks are rounded.
fn shared_fraction(facts: &CheckFacts, times: impl Iterator<Item = i64>) -> Option<(usize, f64)> {
    if !facts.is_chromium() {
        return None;
    }
    let mut counts = [0_usize; GRID];
    for t in times {
        counts[usize::try_from(t.rem_euclid(10)).unwrap_or(0)] += 1;
    }
    let total: usize = counts.iter().sum();
    let largest = (0..GRID)
        .map(|tenth| counts[tenth] + counts[(tenth + 1) % GRID])
        .max()?;
    #[expect(clippy::cast_precision_loss, reason = "lists are short")]
    (total >= MIN_EVENTS).then(|| (total, largest as f64 / total as f64))
}

fn times(facts: &CheckFacts) -> impl Iterator<Item = i64> {
    let has_time = |kind| {
        matches!(
            kind,
            PointerKind::Move | PointerKind::Down | PointerKind::Up
        )
    };
    let pointer = facts.device_streams().flatten().filter(move |event| {
        event.trusted && event.pointer == PointerType::Mouse && has_time(event.kind)
    });
    pointer.map(|event| event.t).chain(key_times(facts))
}

fn key_times(facts: &CheckFacts) -> impl Iterator<Item = i64> {
    facts
        .keys()
        .flatten()
        .filter(|key| key.trusted && !key.repeat)
        .map(|key| key.t)
}

/// Matches if events under an X server do not share one fraction of a millisecond.
///
/// An X server dates events in whole milliseconds.
pub(super) fn event_time_grid(facts: &CheckFacts) -> Option<String> {
    let (events, share) = grid(facts).filter(|_| facts.has_x_server())?;
    (share < MIN_GRID_SHARE).then(|| {
        format!(
            "only {:.0} % of {events} events share a fraction of a millisecond",
            share * 100.0
        )
    })
}

/// Maximum time by which an event may be dated after its handler ran, in tenths of a millisecond: clocks are rounded.
const FUTURE_TOLERANCE: i64 = 200;

/// Matches if an event is dated later than its handling.
pub(super) fn dated_ahead(facts: &CheckFacts) -> Option<String> {
    let ahead = facts
        .pointer_streams()
        .flatten()
        .filter(|event| event.trusted)
        .map(|event| event.latency)
        .min()?;
    let reason = || {
        format!(
            "an event is dated {} ms after it was handled",
            ahead.unsigned_abs() / 10
        )
    };
    (ahead < -FUTURE_TOLERANCE && !has_coarse_clock(facts)).then(reason)
}

/// Steps to which privacy browsers round event times, in tenths of a millisecond: 1/10 s and 1/60 s.
const COARSE_CLOCK_STEPS: [f64; 2] = [1000.0, 10_000.0 / 60.0];
/// Minimum number of distinct times that distinguishes a coarse clock from chance.
const COARSE_TIMES: usize = 3;

/// Returns `true` if the clock is so coarse that a short duration may be 0, and any rhythm may look even.
pub(crate) fn has_coarse_clock(facts: &CheckFacts) -> bool {
    let pointer = facts.pointer_streams().flatten().map(|event| event.t);
    let times: BTreeSet<i64> = pointer
        .chain(facts.keys().flatten().map(|key| key.t))
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "times are short")]
    let off = |t: i64, step: f64| (t as f64 - (t as f64 / step).round() * step).abs();
    times.len() >= COARSE_TIMES
        && COARSE_CLOCK_STEPS
            .iter()
            .any(|step| times.iter().all(|t| off(*t, *step) <= 1.0))
}

#[cfg(test)]
mod tests {
    use super::has_coarse_clock;
    use crate::testing::CheckBuilder;

    /// Check of a person whose event times share no fraction.
    fn scattered() -> CheckBuilder {
        let mut draft = CheckBuilder::person();
        draft.all_rows(|at, row| row[1] += i64::try_from(at * 7 % 10).unwrap());
        draft
    }

    #[test]
    fn off_grid_events_match_on_linux_only() {
        assert_eq!(CheckBuilder::person().fires("event_time_grid"), None);
        assert!(scattered().fires("event_time_grid").is_some());
        let mut android = scattered();
        android.first["env"]["ua"] =
            "Mozilla/5.0 (Linux; Android 15; K) Chrome/156.0.0.0 Mobile Safari/537.36".into();
        android.first["env"]["hints"]["platform"] = "Android".into();
        assert_eq!(android.fires("event_time_grid"), None);
        let mut windows = scattered();
        windows.first["env"]["platform"] = "Win32".into();
        assert_eq!(windows.fires("event_time_grid"), None);
    }

    #[test]
    fn rounded_times_share_a_grid() {
        let mut draft = CheckBuilder::person();
        draft.all_rows(|at, row| row[1] += i64::try_from(at % 2).unwrap());
        assert_eq!(draft.fires("event_time_grid"), None);
    }

    #[test]
    fn coarse_clock_differs_from_few_events() {
        assert!(
            !has_coarse_clock(&CheckBuilder::person().facts())
                && !has_coarse_clock(&CheckBuilder::keyboard().facts())
        );
        let mut draft = CheckBuilder::person();
        draft.all_rows(|_, row| row[1] -= row[1] % 1000);
        assert!(has_coarse_clock(&draft.facts()));
        draft.first["keys"] = serde_json::json!([[20_003, 900, 1]]);
        assert!(
            !has_coarse_clock(&draft.facts()),
            "one event between the steps"
        );
    }

    #[test]
    fn an_event_dated_after_its_handling_matches() {
        for (latency, fires) in [(40, false), (-200, false), (-201, true)] {
            let mut draft = CheckBuilder::person();
            draft.all_rows(|_, row| row[15] = latency);
            assert_eq!(draft.fires("dated_ahead").is_some(), fires, "{latency}");
        }
    }

    #[test]
    fn two_presses_without_moves_are_enough_events() {
        let mut draft = scattered();
        for batch in [&mut draft.first, &mut draft.second] {
            batch["pointer"].as_array_mut().unwrap().drain(1..31);
        }
        assert!(draft.fires("event_time_grid").is_some());
    }

    #[test]
    fn few_or_untrusted_events_do_not_match() {
        let mut draft = CheckBuilder::person();
        draft.all_rows(|at, row| {
            row[1] += i64::try_from(at * 7 % 10).unwrap();
            row[11] &= !1;
        });
        assert_eq!(draft.fires("event_time_grid"), None);
        assert_eq!(CheckBuilder::keyboard().fires("event_time_grid"), None);
    }
}
