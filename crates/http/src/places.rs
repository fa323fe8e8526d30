//! How many requests are being answered at the same time, and whether more came than that.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// How long requests count as too many after one was turned away: longer than the pause between two looks of a supervisor
/// that could act on it, so that a flood that comes in waves is one.
const MEMORY: Duration = Duration::from_secs(5);

/// Places for requests. Whoever finds none is turned away before anything is done for him.
#[derive(Debug, Default)]
pub(crate) struct Places {
    taken: AtomicUsize,
    /// Milliseconds since the fixed moment of the ticks, and one; 0 if nobody was turned away yet.
    turned_away: AtomicU64,
}

/// A place; given back also when the caller goes away and the request is dropped half-way.
#[derive(Debug)]
pub(crate) struct Place<'a>(&'a Places);

impl Places {
    /// A place among at most `most`; `None` if all are taken, which is remembered.
    pub(crate) fn take(&self, most: usize, now: Duration) -> Option<Place<'_>> {
        let place = Place(self);
        if self.taken.fetch_add(1, Ordering::Relaxed) < most {
            return Some(place);
        }
        self.turned_away.store(millis(now) + 1, Ordering::Relaxed);
        None
    }

    /// Whether somebody was turned away a short while ago.
    pub(crate) fn are_too_few(&self, now: Duration) -> bool {
        let last = self.turned_away.load(Ordering::Relaxed);
        last > 0 && millis(now) < last + millis(MEMORY)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_given_back_and_who_finds_none_is_remembered_for_a_while() {
        let (places, second) = (Places::default(), Duration::from_secs(1));
        let [first, other] = [0, 0].map(|at| places.take(2, at * second));
        assert!(first.is_some() && other.is_some() && !places.are_too_few(second));
        assert!(places.take(2, second).is_none());
        drop(first);
        assert!(places.take(2, 2 * second).is_some(), "a place was given back");
        assert!(places.are_too_few(5 * second));
        assert!(!places.are_too_few(7 * second));
    }

    #[test]
    fn the_first_moment_counts() {
        let places = Places::default();
        assert!(places.take(0, Duration::ZERO).is_none());
        assert!(places.are_too_few(Duration::ZERO));
    }
}
