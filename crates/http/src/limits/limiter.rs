//! Rate limiter with a bucket for each key.

use super::MonotonicClock;
use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::StateStore;
use governor::state::keyed::{DashMapStateStore, ShrinkableKeyedStateStore};
use governor::{Quota, RateLimiter};
use std::hash::{BuildHasher, Hash, RandomState};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use voight_domain::rate_limit::Rate;

/// Maximum number of keys with their own buckets. Above it, keys share buckets until old ones are removed.
const CAPACITY: usize = 100_000;
/// Number of shared buckets.
const SHARED_BUCKETS: u64 = 4_096;
/// Number of requests between two checks of the size, since counting a concurrent map is expensive.
const SIZE_PROBE_INTERVAL: u64 = 256;

/// Limit on the requests of a key: `count` in `period`, with bursts of `burst`.
#[derive(Debug, Clone, Copy)]
pub struct RateLimit {
    /// Name of the limit.
    pub name: &'static str,
    /// Number of requests in a period.
    pub count: u32,
    /// Period.
    pub period: Duration,
    /// Maximum number of requests in a burst.
    pub burst: u32,
}

/// State of a key at the time of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitState {
    /// Name of the limit.
    pub name: &'static str,
    /// Maximum number of requests in a burst.
    pub burst: u32,
    /// Seconds until an empty bucket is full again, rounded up.
    pub window: u32,
    /// Number of requests that may be made immediately.
    pub remaining: u32,
    /// Seconds until the bucket is full again, or after a rejection until the next request is accepted; rounded up.
    pub reset: u32,
}

/// Rejection of a request over the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimited {
    /// Rate limit state; its `reset` is the value of `Retry-After`.
    pub measured: RateLimitState,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum BucketKey<K> {
    Own(K),
    Shared(u64),
}

/// State that is shared with the limiter, so that it can be read without counting a request.
struct SharedState<K: Hash + Eq + Clone>(Arc<DashMapStateStore<BucketKey<K>>>);

impl<K: Hash + Eq + Clone> StateStore for SharedState<K> {
    type Key = BucketKey<K>;

    fn measure_and_replace<T, F, E>(&self, key: &BucketKey<K>, f: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        self.0.measure_and_replace(key, f)
    }
}

impl<K: Hash + Eq + Clone> ShrinkableKeyedStateStore<BucketKey<K>> for SharedState<K> {
    fn retain_recent(&self, drop_below: Nanos) {
        ShrinkableKeyedStateStore::retain_recent(self.0.as_ref(), drop_below);
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

type Gcra<K> = RateLimiter<BucketKey<K>, SharedState<K>, MonotonicClock, NoOpMiddleware<Nanos>>;

/// Rate limit with bursts for each key. Its memory is bounded.
pub struct Limiter<K: Hash + Eq + Clone> {
    name: &'static str,
    /// Nanoseconds after which one request becomes available again.
    interval: u64,
    burst: u32,
    capacity: usize,
    ticks: MonotonicClock,
    start: Nanos,
    gcra: Gcra<K>,
    state: Arc<DashMapStateStore<BucketKey<K>>>,
    calls: AtomicU64,
    over_capacity: AtomicBool,
    hasher: RandomState,
}

impl<K: Hash + Eq + Clone> Limiter<K> {
    /// Creates a limiter of this rate.
    pub fn new(name: &'static str, rate: Rate, ticks: &MonotonicClock) -> Self {
        let Rate { count, period, burst } = rate;
        let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
        let interval = (period / count.max(1)).max(Duration::from_nanos(1));
        let quota = Quota::with_period(interval).unwrap_or(Quota::per_second(NonZeroU32::MIN)).allow_burst(burst);
        let state = Arc::<DashMapStateStore<BucketKey<K>>>::default();
        Self {
            name,
            interval: Nanos::from(interval).as_u64(),
            burst: burst.get(),
            capacity: CAPACITY,
            ticks: ticks.clone(),
            start: ticks.now(),
            gcra: RateLimiter::new(quota, SharedState(Arc::clone(&state)), ticks.clone()),
            state,
            calls: AtomicU64::new(0),
            over_capacity: AtomicBool::new(false),
            hasher: RandomState::new(),
        }
    }

    /// Counts a request of `key`.
    pub fn check(&self, key: K) -> Result<RateLimitState, RateLimited> {
        let slot = self.slot(key);
        let Err(refused) = self.gcra.check_key(&slot) else { return Ok(self.measure(&slot)) };
        let wait = refused.wait_time_from(self.ticks.now());
        let reset = seconds(Nanos::from(wait).as_u64()).max(1);
        Err(RateLimited { measured: RateLimitState { remaining: 0, reset, ..self.measure(&slot) } })
    }

    /// Returns the state of `key` without counting a request.
    pub fn peek(&self, key: K) -> RateLimitState {
        self.measure(&self.slot(key))
    }

    fn measure(&self, slot: &BucketKey<K>) -> RateLimitState {
        // The state is read through an update that returns an error, so nothing is replaced.
        let read = self.state.measure_and_replace(slot, Err::<((), Nanos), _>);
        let full_at = read.err().flatten().unwrap_or_default().as_u64();
        let now = self.ticks.now().as_u64().saturating_sub(self.start.as_u64());
        let missing = full_at.saturating_sub(now);
        let used = u32::try_from(missing.div_ceil(self.interval)).unwrap_or(u32::MAX);
        RateLimitState {
            name: self.name,
            burst: self.burst,
            window: seconds(self.interval.saturating_mul(u64::from(self.burst))),
            remaining: self.burst.saturating_sub(used),
            reset: seconds(missing),
        }
    }

    fn slot(&self, key: K) -> BucketKey<K> {
        if self.calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(SIZE_PROBE_INTERVAL) {
            self.make_room();
        }
        if self.over_capacity.load(Ordering::Relaxed) {
            BucketKey::Shared(self.hasher.hash_one(&key) % SHARED_BUCKETS)
        } else {
            BucketKey::Own(key)
        }
    }

    /// Removes keys with a full bucket if there are too many keys.
    fn make_room(&self) {
        if self.state.len() >= self.capacity {
            self.gcra.retain_recent();
        }
        self.over_capacity.store(self.state.len() >= self.capacity, Ordering::Relaxed);
    }
}

/// Converts nanoseconds to whole seconds, rounded up.
fn seconds(nanos: u64) -> u32 {
    u32::try_from(nanos.div_ceil(1_000_000_000)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock() -> (Arc<AtomicU64>, MonotonicClock) {
        let millis = Arc::new(AtomicU64::new(0));
        let read = Arc::clone(&millis);
        (millis, MonotonicClock::from_fn(move || Duration::from_millis(read.load(Ordering::SeqCst))))
    }

    const fn rate(count: u32, burst: u32) -> Rate {
        Rate { count, period: Duration::from_secs(1), burst }
    }

    #[test]
    fn a_burst_is_taken_and_comes_back() {
        let (now, ticks) = clock();
        let limiter = Limiter::new("lookup", rate(2, 4), &ticks);
        for left in (0..4).rev() {
            assert_eq!(limiter.check("a").unwrap().remaining, left);
        }
        let refused = limiter.check("a").unwrap_err().measured;
        assert_eq!((refused.remaining, refused.reset, refused.window, refused.burst), (0, 1, 2, 4));
        now.store(499, Ordering::SeqCst);
        assert!(limiter.check("a").is_err());
        now.store(500, Ordering::SeqCst);
        assert_eq!(limiter.check("a").unwrap().remaining, 0);
    }

    #[test]
    fn peeking_counts_nothing_and_keys_are_apart() {
        let (_, ticks) = clock();
        let limiter = Limiter::new("lookup", rate(1, 2), &ticks);
        limiter.check("a").unwrap();
        assert_eq!(limiter.peek("a").remaining, 1);
        assert_eq!(limiter.peek("a").remaining, 1);
        assert_eq!(limiter.peek("b"), RateLimitState { name: "lookup", burst: 2, window: 2, remaining: 2, reset: 0 });
    }

    #[test]
    fn memory_is_bounded_and_freed() {
        let (now, ticks) = clock();
        let limiter = Limiter { capacity: 1_000, ..Limiter::new("check", rate(1, 1), &ticks) };
        for key in 0..20_000_u32 {
            let _ = limiter.check(key);
        }
        let bound = 1_000 + SIZE_PROBE_INTERVAL + SHARED_BUCKETS;
        assert!(limiter.state.len() as u64 <= bound, "{} keys", limiter.state.len());
        now.store(60_000, Ordering::SeqCst);
        for key in 0..SIZE_PROBE_INTERVAL {
            let _ = limiter.check(u32::try_from(key).unwrap());
        }
        assert!(limiter.state.len() as u64 <= SIZE_PROBE_INTERVAL, "{} keys after a pause", limiter.state.len());
    }
}
