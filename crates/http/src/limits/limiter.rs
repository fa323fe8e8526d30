//! Rate limiter with a bucket for each key.

use super::{MonotonicClock, Network};
use dashmap::DashMap;
use std::hash::{BuildHasher, Hash, RandomState};
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
    pub rate_limit: RateLimitState,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum BucketKey<K> {
    Own(K),
    Shared(u64),
}

/// Rate limit with bursts for each key (generic cell rate algorithm). Its memory is bounded.
pub struct Limiter<K: Hash + Eq + Clone> {
    name: &'static str,
    /// Nanoseconds after which one request becomes available again.
    interval: u64,
    burst: u32,
    capacity: usize,
    monotonic_clock: MonotonicClock,
    /// Nanoseconds of the monotonic clock at which the bucket of a key is full again.
    full_at: DashMap<BucketKey<K>, AtomicU64>,
    calls: AtomicU64,
    over_capacity: AtomicBool,
    hasher: RandomState,
}

impl<K: Hash + Eq + Clone> Limiter<K> {
    /// Creates a limiter of this rate.
    pub fn new(name: &'static str, rate: Rate, monotonic_clock: &MonotonicClock) -> Self {
        let Rate {
            count,
            period,
            burst,
        } = rate;
        Self {
            name,
            interval: nanos(period / count.max(1)).max(1),
            burst: burst.max(1),
            capacity: CAPACITY,
            monotonic_clock: monotonic_clock.clone(),
            full_at: DashMap::new(),
            calls: AtomicU64::new(0),
            over_capacity: AtomicBool::new(false),
            hasher: RandomState::new(),
        }
    }

    /// Returns the number of buckets: those of one key, and shared ones.
    pub fn entries(&self) -> usize {
        self.full_at.len()
    }

    /// Counts a request of `key`.
    pub fn check(&self, key: K) -> Result<RateLimitState, RateLimited> {
        self.count(key, self.interval, 1, 1)
    }

    /// Counts the `further` items of a request of `key` that [`check`](Self::check) has counted as one. More items than the burst
    /// are admitted after a full bucket: the next requests then wait until all of them have become available again.
    pub fn check_further(&self, key: K, further: u32) -> Result<RateLimitState, RateLimited> {
        self.count(key, self.interval, further, further.min(self.burst - 1))
    }

    /// Counts a request of `key`, which has a multiple of the rate and of the burst.
    fn check_multiple(&self, key: K, multiple: usize) -> Result<RateLimitState, RateLimited> {
        self.count(key, self.interval(multiple), 1, 1)
    }

    /// Counts `count` requests of `interval` nanoseconds each, if at least `available` may be made immediately.
    fn count(
        &self,
        key: K,
        interval: u64,
        count: u32,
        available: u32,
    ) -> Result<RateLimitState, RateLimited> {
        let now = nanos(self.monotonic_clock.elapsed());
        let key = self.bucket_key(key);
        let [charged, needed] =
            [count, available].map(|requests| interval.saturating_mul(requests.into()));
        let take = |full_at: &AtomicU64| {
            let update = full_at.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |full_at| {
                let begin = full_at.max(now);
                (begin - now + needed <= self.capacity_nanos())
                    .then_some(begin.saturating_add(charged))
            });
            match update {
                Ok(before) => Ok(self.measure(before.max(now).saturating_add(charged), now)),
                Err(full_at) => {
                    let wait = full_at
                        .saturating_add(needed)
                        .saturating_sub(now.saturating_add(self.capacity_nanos()));
                    let state = self.measure(full_at, now);
                    Err(RateLimited {
                        rate_limit: RateLimitState {
                            remaining: 0,
                            reset: seconds(wait).max(1),
                            ..state
                        },
                    })
                }
            }
        };
        match self.full_at.get(&key) {
            Some(full_at) => take(&full_at),
            None => take(&self.full_at.entry(key).or_default()),
        }
    }

    /// Returns the state of `key` without counting a request.
    pub fn peek(&self, key: K) -> RateLimitState {
        let full_at = self
            .full_at
            .get(&self.bucket_key(key))
            .map_or(0, |full_at| full_at.load(Ordering::Relaxed));
        self.measure(full_at, nanos(self.monotonic_clock.elapsed()))
    }

    /// Returns the state of a key whose bucket is full at this time.
    fn measure(&self, full_at: u64, now: u64) -> RateLimitState {
        let missing = full_at.saturating_sub(now);
        let used_tokens = u32::try_from(missing.div_ceil(self.interval)).unwrap_or(u32::MAX);
        RateLimitState {
            name: self.name,
            burst: self.burst,
            window: seconds(self.capacity_nanos()),
            remaining: self.burst.saturating_sub(used_tokens),
            reset: seconds(missing),
        }
    }

    /// Returns the nanoseconds after which one request of a key with this multiple of the rate becomes available again.
    fn interval(&self, multiple: usize) -> u64 {
        (self.interval / multiple.max(1) as u64).max(1)
    }

    /// Returns the time in which an empty bucket becomes full. It is the same for each multiple of the rate.
    const fn capacity_nanos(&self) -> u64 {
        self.interval.saturating_mul(self.burst as u64)
    }

    fn bucket_key(&self, key: K) -> BucketKey<K> {
        if self
            .calls
            .fetch_add(1, Ordering::Relaxed)
            .is_multiple_of(SIZE_PROBE_INTERVAL)
        {
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
        if self.full_at.len() >= self.capacity {
            let now = nanos(self.monotonic_clock.elapsed());
            self.full_at.retain(|_, full_at| *full_at.get_mut() > now);
        }
        self.over_capacity
            .store(self.full_at.len() >= self.capacity, Ordering::Relaxed);
    }
}

impl Limiter<Network> {
    /// Counts a request of a network and of the wider networks that contain it. A rejection by one of them is not counted for
    /// any wider one, so that a network cannot use up the limit of its neighbours.
    pub fn check_network(&self, network: Network) -> Result<RateLimitState, RateLimited> {
        let mut narrowest = None;
        for (network, multiple) in network.widths() {
            let state = self.check_multiple(network, multiple)?;
            narrowest.get_or_insert(state);
        }
        Ok(narrowest.unwrap_or_else(|| self.peek(network)))
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Converts nanoseconds to whole seconds, rounded up.
fn seconds(nanos: u64) -> u32 {
    u32::try_from(nanos.div_ceil(1_000_000_000)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn clock() -> (Arc<AtomicU64>, MonotonicClock) {
        let millis = Arc::new(AtomicU64::new(0));
        let source = Arc::clone(&millis);
        (
            millis,
            MonotonicClock::from_fn(move || Duration::from_millis(source.load(Ordering::SeqCst))),
        )
    }

    const fn rate(count: u32, burst: u32) -> Rate {
        Rate {
            count,
            period: Duration::from_secs(1),
            burst,
        }
    }

    #[test]
    fn burst_is_accepted_and_refilled() {
        let (now, monotonic_clock) = clock();
        let limiter = Limiter::new("lookup", rate(2, 4), &monotonic_clock);
        for left in (0..4).rev() {
            assert_eq!(limiter.check("a").unwrap().remaining, left);
        }
        let state = limiter.check("a").unwrap_err().rate_limit;
        assert_eq!(
            (state.remaining, state.reset, state.window, state.burst),
            (0, 1, 2, 4)
        );
        now.store(499, Ordering::SeqCst);
        assert!(limiter.check("a").is_err());
        now.store(500, Ordering::SeqCst);
        assert_eq!(limiter.check("a").unwrap().remaining, 0);
    }

    #[test]
    fn items_of_a_request_are_counted() {
        let (now, monotonic_clock) = clock();
        let limiter = Limiter::new("lookup", rate(2, 4), &monotonic_clock);
        limiter.check("a").unwrap();
        assert_eq!(limiter.check_further("a", 2).unwrap().remaining, 1);
        limiter.check("a").unwrap();
        let state = limiter.check_further("a", 2).unwrap_err().rate_limit;
        assert_eq!(
            (state.remaining, state.reset),
            (0, 1),
            "nothing is left, and two come back in a second"
        );
        now.store(1_000, Ordering::SeqCst);
        assert_eq!(limiter.check_further("a", 2).unwrap().remaining, 0);
    }

    #[test]
    fn request_above_the_burst_waits_for_a_full_bucket() {
        let (now, monotonic_clock) = clock();
        let limiter = Limiter::new("lookup", rate(2, 4), &monotonic_clock);
        limiter.check("a").unwrap();
        assert_eq!(limiter.check_further("a", 9).unwrap().remaining, 0);
        assert_eq!(
            limiter.check("a").unwrap_err().rate_limit.reset,
            4,
            "one request is available after 3.5 seconds"
        );
        now.store(4_999, Ordering::SeqCst);
        limiter.check("a").unwrap();
        assert_eq!(
            limiter.check_further("a", 9).unwrap_err().rate_limit.reset,
            1
        );
        now.store(5_500, Ordering::SeqCst);
        assert!(limiter.check_further("a", 9).is_ok());
    }

    #[test]
    fn peeking_counts_nothing_and_keys_are_apart() {
        let (_, monotonic_clock) = clock();
        let limiter = Limiter::new("lookup", rate(1, 2), &monotonic_clock);
        limiter.check("a").unwrap();
        assert_eq!(limiter.peek("a").remaining, 1);
        assert_eq!(limiter.peek("a").remaining, 1);
        assert_eq!(
            limiter.peek("b"),
            RateLimitState {
                name: "lookup",
                burst: 2,
                window: 2,
                remaining: 2,
                reset: 0
            }
        );
    }

    #[test]
    fn wider_network_has_a_multiple_of_the_rate() {
        let (now, monotonic_clock) = clock();
        let limiter = Limiter::new("check", rate(1, 2), &monotonic_clock);
        let accepted_count = |networks: std::ops::Range<u16>| {
            let network =
                |last| Network::from(std::net::IpAddr::from([0x2001, 0xdb8, 1, last, 0, 0, 0, 1]));
            networks
                .filter(|last| limiter.check_network(network(*last)).is_ok())
                .count()
        };
        assert_eq!(
            accepted_count(0..100),
            16,
            "a burst of 2 for each /64, of 16 for the /48"
        );
        now.store(1_000, Ordering::SeqCst);
        assert_eq!(accepted_count(100..200), 8, "a rate of 8 a second");
    }

    #[test]
    fn rejected_requests_spare_neighbours() {
        let (_, monotonic_clock) = clock();
        let limiter = Limiter::new("check", rate(1, 2), &monotonic_clock);
        let network = |last| Network::from(std::net::IpAddr::from([192, 0, 2, last]));
        let accepted_count = (0..1_000)
            .filter(|_| limiter.check_network(network(1)).is_ok())
            .count();
        assert_eq!(accepted_count, 2);
        assert!(limiter.check_network(network(2)).is_ok());
    }

    #[test]
    fn memory_is_bounded_and_freed() {
        let (now, monotonic_clock) = clock();
        let limiter = Limiter {
            capacity: 1_000,
            ..Limiter::new("check", rate(1, 1), &monotonic_clock)
        };
        for key in 0..20_000_u32 {
            let _ = limiter.check(key);
        }
        let max_keys = 1_000 + SIZE_PROBE_INTERVAL + SHARED_BUCKETS;
        assert!(
            limiter.full_at.len() as u64 <= max_keys,
            "{} keys",
            limiter.full_at.len()
        );
        now.store(60_000, Ordering::SeqCst);
        for key in 0..SIZE_PROBE_INTERVAL {
            let _ = limiter.check(u32::try_from(key).unwrap());
        }
        assert!(
            limiter.full_at.len() as u64 <= SIZE_PROBE_INTERVAL,
            "{} keys after a pause",
            limiter.full_at.len()
        );
    }
}
