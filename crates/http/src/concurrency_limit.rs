//! Limits concurrent requests and the memory of bodies that are being received.

use crate::limits::Network;
use crate::shares::{Excess, Share, ShareLimits, Shares};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use voight_domain::vocabulary::ClientId;

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
    receiving: Arc<Shares<BodySender>>,
    overload: RecentOverload,
}

/// Time of the last rejection because of overload.
#[derive(Debug, Default)]
pub(crate) struct RecentOverload {
    /// Milliseconds of the monotonic clock, plus one; 0 before the first rejection.
    last_rejected_at: AtomicU64,
}

/// Sender of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BodySender {
    /// Client, named by its key.
    Client(ClientId),
    /// Network of a visitor.
    Network(Network),
}

/// Bytes of a partially received body; released when this is dropped.
pub(crate) type ReceivedBytes = Share<BodySender>;

/// Divisor: the bodies of one sender may use at most this fraction of the memory of all bodies.
const SENDER_SHARE: u64 = 4;

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
        self.overload.note(now);
        false
    }

    /// Releases a permit.
    pub(crate) fn release(&self) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
    }

    /// Adds `bytes` of a body that have arrived. Fails if all bodies together exceed `most` bytes, which counts as overload, or
    /// those of the sender its share.
    pub(crate) fn receive(
        &self,
        received: &mut Option<ReceivedBytes>,
        sender: BodySender,
        bytes: usize,
        most: usize,
        now: Duration,
    ) -> Result<(), Excess> {
        let limits = ShareLimits {
            per_key: most as u64 / SENDER_SHARE,
            in_all: most as u64,
        };
        let outcome = match received {
            Some(received) => received.grow(bytes as u64, limits),
            None => self
                .receiving
                .take(sender, bytes as u64, limits)
                .map(|share| *received = Some(share)),
        };
        if outcome == Err(Excess::All) {
            self.overload.note(now);
        }
        outcome
    }

    /// Returns `true` if a request was rejected within the overload window.
    pub(crate) fn recently_overloaded(&self, now: Duration) -> bool {
        self.overload.is_recent(now)
    }
}

impl RecentOverload {
    /// Notes a rejection.
    pub(crate) fn note(&self, now: Duration) {
        self.last_rejected_at
            .store(millis(now) + 1, Ordering::Relaxed);
    }

    /// Returns `true` if a rejection was noted within the overload window.
    pub(crate) fn is_recent(&self, now: Duration) -> bool {
        let last = self.last_rejected_at.load(Ordering::Relaxed);
        last > 0 && millis(now) < last + millis(OVERLOAD_WINDOW)
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
        let limit = ConcurrencyLimit::default();
        let second = Duration::from_secs(1);
        let [first, other] = [0, 0].map(|at| limit.try_acquire(2, at * second));
        assert!(first.is_some() && other.is_some() && !limit.recently_overloaded(second));
        assert!(limit.try_acquire(2, second).is_none());
        drop(first);
        assert!(
            limit.try_acquire(2, 2 * second).is_some(),
            "a place was given back"
        );
        assert!(limit.recently_overloaded(5 * second));
        assert!(!limit.recently_overloaded(7 * second));
    }

    #[test]
    fn memory_of_bodies_is_bounded_per_sender_and_in_all() {
        let limit = ConcurrencyLimit::default();
        let now = Duration::ZERO;
        let sender = |number| BodySender::Client(ClientId::from_bytes([number; 16]));
        let mut bodies = [const { None }; 5];
        let mut receive = |number: u8, bytes| {
            limit.receive(
                &mut bodies[usize::from(number)],
                sender(number),
                bytes,
                100,
                now,
            )
        };
        assert_eq!([receive(0, 20), receive(0, 6)], [Ok(()), Err(Excess::Key)]);
        assert!(
            !limit.recently_overloaded(now),
            "a sender above its share does not overload the service"
        );
        assert_eq!(
            [
                receive(0, 5),
                receive(1, 25),
                receive(2, 25),
                receive(3, 25)
            ],
            [Ok(()); 4]
        );
        assert_eq!(receive(4, 1), Err(Excess::All));
        assert!(limit.recently_overloaded(now));
        drop(bodies);
        assert_eq!(limit.receiving.total(), 0);
    }

    #[test]
    fn first_moment_counts() {
        let limit = ConcurrencyLimit::default();
        assert!(limit.try_acquire(0, Duration::ZERO).is_none());
        assert!(limit.recently_overloaded(Duration::ZERO));
    }
}
