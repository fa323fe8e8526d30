//! Permits that bound the calls under way, in all and to each host.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use voight_domain::ports::OutboundError;

/// Share of all permits that one host may use.
const HOST_SHARE: usize = 4;

/// Semaphores of all calls and of each host.
#[derive(Debug)]
pub(crate) struct CallPermits {
    all: Arc<Semaphore>,
    hosts: Arc<HostTable>,
    permits_per_host: usize,
}

/// Hosts that calls wait for or are under way to. A host without calls has no entry.
#[derive(Debug, Default)]
struct HostTable(Mutex<HashMap<String, HostEntry>>);

/// Semaphore of a host, with the number of calls that use it.
#[derive(Debug)]
struct HostEntry {
    semaphore: Arc<Semaphore>,
    calls: usize,
}

/// Permit of one call. Dropping it ends the call.
#[derive(Debug)]
pub(crate) struct CallPermit {
    _host_permit: OwnedSemaphorePermit,
    _permit: OwnedSemaphorePermit,
    _membership: HostMembership,
}

/// Membership of a call in the entry of its host.
#[derive(Debug)]
struct HostMembership {
    hosts: Arc<HostTable>,
    host: String,
}

impl CallPermits {
    /// Creates permits for `max_concurrent_requests` calls in all, and a quarter of it to one host.
    pub(crate) fn new(max_concurrent_requests: usize) -> Self {
        let permits = max_concurrent_requests.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            all: Arc::new(Semaphore::new(permits)),
            hosts: Arc::default(),
            permits_per_host: permits.div_ceil(HOST_SHARE),
        }
    }

    /// Waits for a permit for a call to `host`, for at most `wait_timeout`.
    ///
    /// The permit of the host is acquired first: calls that wait for a slow host use no permit of the others.
    pub(crate) async fn acquire(
        &self,
        host: &str,
        wait_timeout: Duration,
    ) -> Result<CallPermit, OutboundError> {
        let acquire = async {
            let (membership, semaphore) = self.join(host);
            let host_permit = semaphore.acquire_owned().await.ok()?;
            let permit = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some(CallPermit {
                _host_permit: host_permit,
                _permit: permit,
                _membership: membership,
            })
        };
        let permit = timeout(wait_timeout, acquire).await;
        permit.ok().flatten().ok_or(OutboundError::Busy)
    }

    /// Adds a call to the entry of its host.
    fn join(&self, host: &str) -> (HostMembership, Arc<Semaphore>) {
        let membership = HostMembership {
            hosts: Arc::clone(&self.hosts),
            host: host.to_owned(),
        };
        let mut hosts = self.hosts.lock();
        let entry = hosts.entry(host.to_owned()).or_insert_with(|| HostEntry {
            semaphore: Arc::new(Semaphore::new(self.permits_per_host)),
            calls: 0,
        });
        entry.calls += 1;
        (membership, Arc::clone(&entry.semaphore))
    }
}

impl HostTable {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, HostEntry>> {
        // No code panics while it holds the lock, so the table is sound.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for HostMembership {
    fn drop(&mut self) {
        let mut hosts = self.hosts.lock();
        if let Some(entry) = hosts.get_mut(&self.host) {
            entry.calls -= 1;
            if entry.calls == 0 {
                hosts.remove(&self.host);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn host_gets_a_quarter_of_the_permits() {
        let permits = CallPermits::new(8);
        let first_permit = permits.acquire("a", SOON).await.unwrap();
        let _second_permit = permits.acquire("a", SOON).await.unwrap();
        assert_eq!(
            permits.acquire("a", SOON).await.unwrap_err(),
            OutboundError::Busy
        );
        let _other_host = permits.acquire("b", SOON).await.unwrap();
        drop(first_permit);
        assert!(permits.acquire("a", SOON).await.is_ok());
    }

    #[tokio::test]
    async fn all_hosts_share_the_permits() {
        let permits = CallPermits::new(2);
        let first_permit = permits.acquire("a", SOON).await.unwrap();
        let _second_permit = permits.acquire("b", SOON).await.unwrap();
        assert_eq!(
            permits.acquire("c", SOON).await.unwrap_err(),
            OutboundError::Busy
        );
        drop(first_permit);
        assert!(permits.acquire("c", SOON).await.is_ok());
    }

    #[tokio::test]
    async fn waiting_for_a_slow_host_blocks_no_other() {
        let permits = Arc::new(CallPermits::new(4));
        let _slow_call = permits.acquire("slow", SOON).await.unwrap();
        let waiting_calls: Vec<_> = (0..10)
            .map(|_| {
                let permits = Arc::clone(&permits);
                tokio::spawn(async move { permits.acquire("slow", 10 * SOON).await.is_ok() })
            })
            .collect();
        tokio::time::sleep(SOON).await;
        assert!(permits.acquire("fast", SOON).await.is_ok());
        for call in waiting_calls {
            assert!(!call.await.unwrap());
        }
    }

    #[tokio::test]
    async fn hosts_without_calls_use_no_memory() {
        let permits = CallPermits::new(4);
        for number in 0..1_000 {
            drop(permits.acquire(&format!("host{number}"), SOON).await);
        }
        let call = permits.acquire("a", SOON).await.unwrap();
        assert!(permits.acquire("a", SOON).await.is_err());
        assert_eq!(permits.hosts.lock().len(), 1);
        drop(call);
        assert!(permits.hosts.lock().is_empty());
    }
}
