//! Public keys of the service: fetched once for all callers, refreshed in the background, and kept while it is unreachable.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use data_encoding::BASE64URL_NOPAD;
use ed25519_dalek::VerifyingKey;
use jiff::Timestamp;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::call::{ATTEMPT, Deadline, Request};
use crate::generated::{GET_KEYS, KeySet, PublicJwk};
use crate::{Client, Error};

/// Minimum time between two fetches for unknown keys, and between a failed fetch and the next refresh.
const RETRY: Duration = Duration::from_secs(30);
/// Maximum time between two refreshes, since a key may be retired; the service's `max-age` can shorten it.
const MAX_AGE: Duration = Duration::from_mins(5);
/// Time for which a key is used after the last set that lists it.
const LIFETIME: Duration = Duration::from_hours(1);
/// Seconds for which a retired key may still have signed: nodes learn of a rotation with a delay, and clocks differ.
const RETIREMENT_MARGIN: i64 = 60;

/// Public key.
#[derive(Clone)]
pub(crate) struct Key {
    pub(crate) public: VerifyingKey,
    /// Latest time of issue of its receipts, in seconds since the epoch.
    pub(crate) until: i64,
    /// Time of the last set that lists it.
    seen_at: Instant,
}

/// Keys by their id, shared by the clones of a client.
#[derive(Clone, Default)]
pub(crate) struct KeyCache(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    keys: HashMap<String, Key>,
    /// Fetch in progress, until its sender is dropped.
    fetching: Option<watch::Receiver<()>>,
    /// Error of the last fetch.
    failure: Option<Error>,
    /// Time of the next refresh; `None` before the first fetch.
    refresh_at: Option<Instant>,
    /// Time of the next fetch for an unknown key; `None` before the first one.
    search_at: Option<Instant>,
}

impl KeyCache {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_fetching(&self) -> bool {
        self.fetching
            .as_ref()
            .is_some_and(|fetching| fetching.has_changed().is_ok())
    }
}

impl Client {
    /// Returns a key; `None` if the service does not list it.
    ///
    /// A known key never waits for the network. An unknown one may be new, and waits for a fetch.
    pub(crate) async fn find_key(&self, kid: &str) -> Result<Option<Key>, Error> {
        let fetching = {
            let mut state = self.keys.lock();
            let now = Instant::now();
            state
                .keys
                .retain(|_, key| now.duration_since(key.seen_at) <= LIFETIME);
            if let Some(known) = state.keys.get(kid).cloned() {
                if is_due(state.refresh_at, now) {
                    self.start_fetch(&mut state);
                }
                return Ok(Some(known));
            }
            self.start_search(&mut state, now)
        };
        if let Some(mut fetching) = fetching {
            // The fetch ends when its sender is dropped.
            let fetch_end = async { while fetching.changed().await.is_ok() {} };
            timeout(self.timeout, fetch_end)
                .await
                .map_err(|_| self.late_keys())?;
        }
        let state = self.keys.lock();
        match (state.keys.get(kid), &state.failure) {
            (None, Some(failure)) => Err(failure.clone()),
            (key, _) => Ok(key.cloned()),
        }
    }

    /// Returns the fetch that an unknown key waits for; `None` if one was made a moment ago.
    fn start_search(&self, state: &mut State, now: Instant) -> Option<watch::Receiver<()>> {
        if !state.is_fetching() && !state.keys.is_empty() {
            if !is_due(state.search_at, now) {
                return None;
            }
            state.search_at = Some(now + RETRY);
        }
        Some(self.start_fetch(state))
    }

    fn late_keys(&self) -> Error {
        let message = format!(
            "The keys of the service at {} did not arrive in time.",
            self.origin()
        );
        Error {
            retryable: true,
            ..Error::new("unreachable", message)
        }
    }

    /// Starts a fetch, unless one is in progress. It outlives the call that has caused it.
    fn start_fetch(&self, state: &mut State) -> watch::Receiver<()> {
        if let Some(fetching) = state.fetching.clone().filter(|_| state.is_fetching()) {
            return fetching;
        }
        let (sender, receiver) = watch::channel(());
        state.fetching = Some(receiver.clone());
        let client = self.clone();
        tokio::spawn(async move {
            let fetched_keys = client.fetch_keys().await;
            let mut state = client.keys.lock();
            let (age, failure) = match fetched_keys {
                Ok((keys, age)) => {
                    state.keys.extend(keys);
                    (age, None)
                }
                Err(failure) => (RETRY, Some(failure)),
            };
            state.failure = failure;
            state.refresh_at = Some(Instant::now() + age);
            drop(sender);
        });
        receiver
    }

    /// Returns the keys that the service lists, and the time until they are to be fetched again.
    async fn fetch_keys(&self) -> Result<(HashMap<String, Key>, Duration), Error> {
        let request = Request {
            has_key: false,
            ..Request::new(GET_KEYS)
        };
        let reply = self
            .perform(&request, Deadline::new(self.timeout, ATTEMPT))
            .await?;
        let key_set: KeySet = reply.data(GET_KEYS)?;
        let keys = key_set
            .keys
            .iter()
            .enumerate()
            .filter_map(|(index, jwk)| Some((jwk.kid.clone(), parse(jwk, index)?)));
        let keys: HashMap<_, _> = keys.collect();
        if keys.is_empty() {
            return Err(reply.unexpected("sends no keys"));
        }
        Ok((keys, max_age(reply.header("cache-control"))))
    }
}

fn is_due(time: Option<Instant>, now: Instant) -> bool {
    time.is_none_or(|time| now >= time)
}

/// Parses a key. The first key is the one in use; any other is valid for receipts that are dated before its retirement.
fn parse(jwk: &PublicJwk, index: usize) -> Option<Key> {
    let bytes = BASE64URL_NOPAD
        .decode(jwk.x.as_bytes())
        .ok()
        .filter(|_| jwk.crv == "Ed25519")?;
    let public = VerifyingKey::from_bytes(&bytes.try_into().ok()?).ok()?;
    let until = match &jwk.retired_at {
        None if index == 0 => i64::MAX,
        // A key that was retired at an unknown time verifies nothing.
        None => i64::MIN,
        Some(time) => time.parse::<Timestamp>().ok()?.as_second() + RETIREMENT_MARGIN,
    };
    Some(Key {
        public,
        until,
        seen_at: Instant::now(),
    })
}

fn max_age(cache_control: &str) -> Duration {
    let digits = cache_control
        .split_once("max-age=")
        .map(|(_, rest)| rest.split(',').next().unwrap_or_default());
    let seconds = digits.and_then(|digits| digits.trim().parse().ok());
    seconds.map_or(MAX_AGE, |seconds| Duration::from_secs(seconds).min(MAX_AGE))
}
