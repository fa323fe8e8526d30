//! Limits concurrent requests and the memory of bodies that are being received.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// Overload is reported for this long after the last rejected request. It is longer than a typical probe interval of a
/// supervisor, so that a flood in waves counts as one overload.
const OVERLOAD_WINDOW: Duration = Duration::from_secs(5);

/// Concurrency limit, and memory limit of partially received bodies. A request without a permit is rejected.
///
/// No permit is held while a body is received: a slow sender would block the permit for all others.
#[derive(Debug, Default)]
pub(crate) struct ConcurrencyLimit {
    in_flight: AtomicUsize,
    /// Bytes of partially received bodies.
    receiving: AtomicUsize,
    /// Time of the last rejection in milliseconds of the monotonic clock, plus one; 0 before the first.
    last_rejected_at: AtomicU64,
}

/// Bytes of a partially received body; released when this is dropped.
#[derive(Debug)]
pub(crate) struct ReceivedBytes<'a> {
    places: &'a ConcurrencyLimit,
    bytes: usize,
}

/// Permit, released on drop, also if the caller disconnects and the request is cancelled.
#[derive(Debug)]
pub(crate) struct Permit<'a>(&'a ConcurrencyLimit);

impl ConcurrencyLimit {
    /// Takes one of at most `most` permits. Returns `None` if none is free, which counts as overload.
    pub(crate) fn try_acquire(&self, most: usize, now: Duration) -> Option<Permit<'_>> {
        self.acquire(most, now).then(|| Permit(self))
    }

    /// Takes a permit that [`release`](Self::release) returns. Returns `false` if none is free.
    pub(crate) fn acquire(&self, most: usize, now: Duration) -> bool {
        if self.in_flight.fetch_add(1, Ordering::Relaxed) < most {
            return true;
        }
        self.release();
        self.note_overload(now);
        false
    }

    /// Releases a permit.
    pub(crate) fn release(&self) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
    }

    /// Returns the memory accounting of one body that is being received.
    pub(crate) const fn receive(&self) -> ReceivedBytes<'_> {
        ReceivedBytes { places: self, bytes: 0 }
    }

    fn note_overload(&self, now: Duration) {
        self.last_rejected_at.store(millis(now) + 1, Ordering::Relaxed);
    }

    /// Returns `true` if a request was rejected within the overload window.
    pub(crate) fn recently_overloaded(&self, now: Duration) -> bool {
        let last = self.last_rejected_at.load(Ordering::Relaxed);
        last > 0 && millis(now) < last + millis(OVERLOAD_WINDOW)
    }
}

impl ReceivedBytes<'_> {
    /// Adds `bytes` that have arrived. Returns `false`, which counts as overload, if all bodies together exceed `most` bytes.
    pub(crate) fn add(&mut self, bytes: usize, most: usize, now: Duration) -> bool {
        self.bytes += bytes;
        let fits = self.places.receiving.fetch_add(bytes, Ordering::Relaxed) + bytes <= most;
        if !fits {
            self.places.note_overload(now);
        }
        fits
    }
}

impl Drop for ReceivedBytes<'_> {
    fn drop(&mut self) {
        self.places.receiving.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.release();
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_are_returned_and_rejections_are_remembered() {
        let (places, second) = (ConcurrencyLimit::default(), Duration::from_secs(1));
        let [first, other] = [0, 0].map(|at| places.try_acquire(2, at * second));
        assert!(first.is_some() && other.is_some() && !places.recently_overloaded(second));
        assert!(places.try_acquire(2, second).is_none());
        drop(first);
        assert!(places.try_acquire(2, 2 * second).is_some(), "a place was given back");
        assert!(places.recently_overloaded(5 * second));
        assert!(!places.recently_overloaded(7 * second));
    }

    #[test]
    fn the_memory_of_bodies_is_bounded_and_given_back() {
        let (places, now) = (ConcurrencyLimit::default(), Duration::ZERO);
        let (mut first, mut second) = (places.receive(), places.receive());
        assert!(first.add(60, 100, now) && second.add(40, 100, now) && !places.recently_overloaded(now));
        assert!(!second.add(1, 100, now) && places.recently_overloaded(now));
        drop(second);
        assert!(first.add(40, 100, now));
        drop(first);
        assert_eq!(places.receiving.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn the_first_moment_counts() {
        let places = ConcurrencyLimit::default();
        assert!(places.try_acquire(0, Duration::ZERO).is_none());
        assert!(places.recently_overloaded(Duration::ZERO));
    }
}
