//! The grid of event times.

use crate::facts::{Facts, System};
use crate::wire::{PointerKind, PointerType};

/// Tenths of a millisecond in a millisecond.
const GRID: usize = 10;
/// Events without which nothing is said. Real input shares one fraction without exception; of six events at arbitrary
/// times, five fall into one pair of neighbouring tenths in two of a hundred cases.
const ENOUGH: usize = 6;
/// The share of events below which they have no grid.
const SHARED: f64 = 0.8;

/// How many trusted mouse and key events there are, and which share of them has the commonest fraction of a
/// millisecond. Neighbouring tenths count as one: clocks are rounded.
pub(crate) fn grid(facts: &Facts) -> Option<(usize, f64)> {
    if facts.system() != Some(System::Linux) || !facts.is_chromium() {
        return None;
    }
    let mut counts = [0_usize; GRID];
    for t in times(facts) {
        counts[usize::try_from(t.rem_euclid(10)).unwrap_or(0)] += 1;
    }
    let all: usize = counts.iter().sum();
    let best = (0..GRID).map(|at| counts[at] + counts[(at + 1) % GRID]).max()?;
    #[expect(clippy::cast_precision_loss, reason = "lists are short")]
    (all >= ENOUGH).then(|| (all, best as f64 / all as f64))
}

fn times(facts: &Facts) -> impl Iterator<Item = i64> {
    let moment = |kind| matches!(kind, PointerKind::Move | PointerKind::Down | PointerKind::Up);
    let pointer = facts
        .streams()
        .flatten()
        .filter(move |event| event.trusted && event.pointer == PointerType::Mouse && moment(event.kind));
    let keys = facts.keys().flatten().filter(|key| key.trusted && !key.repeat);
    pointer.map(|event| event.t).chain(keys.map(|key| key.t))
}

/// Events on Linux do not share the fraction of a millisecond that the X server's whole milliseconds leave.
pub(super) fn event_time_grid(facts: &Facts) -> Option<String> {
    let (events, share) = grid(facts)?;
    (share < SHARED)
        .then(|| format!("only {:.0} % of {events} events share a fraction of a millisecond", share * 100.0))
}

#[cfg(test)]
mod tests {
    use crate::testing::Draft;

    fn scattered() -> Draft {
        let mut draft = Draft::person();
        draft.all_rows(|at, row| row[1] += i64::try_from(at * 7 % 10).unwrap());
        draft
    }

    #[test]
    fn events_off_the_grid_are_seen_on_linux_only() {
        assert_eq!(Draft::person().fires("event_time_grid"), None);
        assert!(scattered().fires("event_time_grid").is_some());
        let mut android = scattered();
        android.first["env"]["ua"] = "Mozilla/5.0 (Linux; Android 15; K) Chrome/156.0.0.0 Mobile Safari/537.36".into();
        android.first["env"]["hints"]["platform"] = "Android".into();
        assert_eq!(android.fires("event_time_grid"), None);
        let mut worn = scattered();
        worn.first["env"]["platform"] = "Win32".into();
        assert_eq!(worn.fires("event_time_grid"), None);
    }

    #[test]
    fn a_clock_that_rounds_to_a_neighbour_is_a_grid_still() {
        let mut draft = Draft::person();
        draft.all_rows(|at, row| row[1] += i64::try_from(at % 2).unwrap());
        assert_eq!(draft.fires("event_time_grid"), None);
    }

    #[test]
    fn few_or_untrusted_events_say_nothing() {
        let mut draft = Draft::person();
        draft.all_rows(|at, row| {
            row[1] += i64::try_from(at * 7 % 10).unwrap();
            row[11] &= !1;
        });
        assert_eq!(draft.fires("event_time_grid"), None);
        assert_eq!(Draft::keyboard().fires("event_time_grid"), None);
    }
}
