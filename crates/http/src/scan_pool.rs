//! Runs long reads on blocking threads, at most `MAX_CONCURRENT_SCANS` at a time, fairly between clients.

use crate::background::spawn_background;
use crate::error::ApiError;
use crate::fair_queue::FairQueue;
use crate::metrics::{RejectionCounter, RejectionReason};
use crate::shares::{Share, ShareLimits, Shares};
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::timeout;
use voight_api::ErrorId;
use voight_domain::vocabulary::ClientId;

/// Maximum number of concurrent scans; further ones wait. A lookup never waits for a scan.
const MAX_CONCURRENT_SCANS: u64 = 2;
/// Limits of running scans. One client never occupies all slots.
const RUNNING: ShareLimits = ShareLimits {
    per_key: MAX_CONCURRENT_SCANS - 1,
    in_all: MAX_CONCURRENT_SCANS,
};
/// Maximum number of waiting scans of a client; further ones fail with 429.
const MAX_WAITING: usize = 16;
/// Timeout for a slot; 503 after it.
const SLOT_TIMEOUT: Duration = Duration::from_secs(30);
/// `Retry-After` in seconds of a scan that is rejected.
const RETRY_AFTER: u32 = 5;

/// Origin of a scan. Origins take turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ScanOrigin {
    /// Operators, together.
    Operators,
    /// A client.
    Client(ClientId),
}

/// Slots of the scans.
pub(crate) struct ScanPool(Arc<Slots>);

struct Slots {
    rejections: RejectionCounter,
    running: Arc<Shares<ScanOrigin>>,
    waiting: Mutex<FairQueue<ScanOrigin, oneshot::Sender<Slot>>>,
}

/// Slot of a running scan. The next waiting scan gets it when it is dropped.
struct Slot {
    slots: Arc<Slots>,
    /// Present until the slot is returned.
    share: Option<Share<ScanOrigin>>,
}

impl ScanPool {
    /// Creates the pool, whose rejections are counted by `rejections`.
    pub(crate) fn new(rejections: RejectionCounter) -> Self {
        Self(Arc::new(Slots {
            rejections,
            running: Arc::default(),
            waiting: Mutex::default(),
        }))
    }

    /// Runs `scan` on a separate thread. Store calls complete synchronously, so a long read would block all other requests of a
    /// worker. If the caller disconnects, the scan continues and keeps its slot until its end.
    ///
    /// # Errors
    ///
    /// 429 if too many scans of the origin wait, 503 after the timeout for a slot.
    pub(crate) async fn run<F>(&self, origin: ScanOrigin, scan: F) -> Result<F::Output, ApiError>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.run_blocking(origin, move |runtime| runtime.block_on(scan))
            .await
    }

    /// Runs blocking code, with a handle of the runtime, as [`run`](Self::run) does.
    pub(crate) async fn run_blocking<T, F>(
        &self,
        origin: ScanOrigin,
        scan: F,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&Handle) -> T + Send + 'static,
    {
        let slot = self.slot(origin, SLOT_TIMEOUT).await?;
        let runtime = Handle::current();
        let scan_task = spawn_background(move || {
            let _until_the_end = slot;
            scan(&runtime)
        });
        scan_task.await.map_err(|_| ErrorId::Internal.into())
    }

    /// Waits for a slot. A caller that disconnects meanwhile waits no longer.
    async fn slot(&self, origin: ScanOrigin, slot_timeout: Duration) -> Result<Slot, ApiError> {
        let assignment = match self.0.assign_or_wait(origin)? {
            Ok(slot) => return Ok(slot),
            Err(assigned) => assigned,
        };
        match timeout(slot_timeout, assignment).await {
            Ok(Ok(slot)) => Ok(slot),
            Ok(Err(_)) => Err(ErrorId::Internal.into()),
            Err(_) => {
                self.0.rejections.record(RejectionReason::ScanTimeout, 1);
                let message = "Uploads, files and reads of usage of others take all the time; nothing was done. Send the \
                    request again.";
                Err(ApiError::unavailable_because(message).retry_after(RETRY_AFTER))
            }
        }
    }
}

impl Slots {
    /// Assigns a free slot, or returns the receiver of one. Fails if too many scans of the origin wait.
    fn assign_or_wait(
        self: &Arc<Self>,
        origin: ScanOrigin,
    ) -> Result<Result<Slot, oneshot::Receiver<Slot>>, ApiError> {
        let mut waiting = self.lock();
        let waits = waiting.retain(&origin, |scan| !scan.is_closed());
        if waits == 0
            && let Ok(share) = self.running.take(origin, 1, RUNNING)
        {
            return Ok(Ok(Slot {
                slots: Arc::clone(self),
                share: Some(share),
            }));
        }
        if waits >= MAX_WAITING {
            self.rejections.record(RejectionReason::ClientScans, 1);
            return Err(ApiError::rate_limited_because(
                format!(
                    "{MAX_WAITING} uploads, downloads or reads of usage of this client wait already; send the request again \
                     when one of them is answered."
                ),
                RETRY_AFTER,
            ));
        }
        let (sender, assigned) = oneshot::channel();
        waiting.push(origin, sender);
        Ok(Err(assigned))
    }

    /// Assigns free slots to waiting scans.
    fn assign_free(self: &Arc<Self>) {
        let mut waiting = self.lock();
        while let Some((_, scan, share)) =
            waiting.pop_with(|origin| self.running.take(*origin, 1, RUNNING).ok())
        {
            if let Err(mut unclaimed) = scan.send(Slot {
                slots: Arc::clone(self),
                share: Some(share),
            }) {
                // The caller has disconnected. The share is returned here, since dropping the slot would assign again.
                unclaimed.share = None;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, FairQueue<ScanOrigin, oneshot::Sender<Slot>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if self.share.take().is_some() {
            self.slots.assign_free();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};
    use tokio::sync::Barrier;
    use tokio::time::sleep;

    fn client(number: u8) -> ScanOrigin {
        ScanOrigin::Client(ClientId::from_bytes([number; 16]))
    }

    #[actix_web::test]
    async fn concurrent_scans_are_limited() {
        let scans = ScanPool::new(RejectionCounter::default());
        let running = Arc::new(AtomicU64::new(0));
        let max_running = Arc::new(AtomicU64::new(0));
        let meeting = Arc::new(Barrier::new(2));
        let scan = |number| {
            let running = Arc::clone(&running);
            let max_running = Arc::clone(&max_running);
            let meeting = Arc::clone(&meeting);
            scans.run(client(number), async move {
                max_running.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                // No scan passes this barrier alone.
                meeting.wait().await;
                running.fetch_sub(1, Ordering::SeqCst);
            })
        };
        let (first, second, third, fourth) = tokio::join!(scan(1), scan(2), scan(3), scan(4));
        assert!([first, second, third, fourth].iter().all(Result::is_ok));
        assert_eq!(max_running.load(Ordering::SeqCst), MAX_CONCURRENT_SCANS);
    }

    #[actix_web::test]
    async fn panicking_scan_is_an_error_and_returns_its_slot() {
        let scans = ScanPool::new(RejectionCounter::default());
        for _ in 0..=MAX_CONCURRENT_SCANS {
            let scan_result: Result<(), _> = scans.run(client(1), async { panic!("a bug") }).await;
            assert_eq!(scan_result.unwrap_err().id(), ErrorId::Internal);
        }
    }

    #[actix_web::test]
    async fn scans_of_one_client_wait_and_others_pass() {
        let scans = ScanPool::new(RejectionCounter::default());
        let patient = Duration::from_mins(1);
        let greedy = scans.slot(client(1), patient).await.unwrap();
        let impatient = scans
            .slot(client(1), Duration::from_millis(5))
            .await
            .err()
            .unwrap();
        assert_eq!(impatient.id(), ErrorId::Unavailable);
        let polite = scans
            .slot(client(2), Duration::from_millis(5))
            .await
            .unwrap();
        let late_slot = scans.slot(client(3), patient);
        let second_slot = scans.slot(client(1), patient);
        let (late_slot, second_slot, ()) = tokio::join!(late_slot, second_slot, async {
            sleep(Duration::from_millis(5)).await;
            drop(polite);
            sleep(Duration::from_millis(5)).await;
            drop(greedy);
        });
        assert!(late_slot.is_ok() && second_slot.is_ok());
        drop((late_slot, second_slot));
        assert_eq!(scans.0.running.total(), 0);
    }

    #[actix_web::test]
    async fn waiting_scans_of_a_client_are_limited() {
        let scans = ScanPool::new(RejectionCounter::default());
        let _greedy = scans.slot(client(1), SLOT_TIMEOUT).await.unwrap();
        let waiting: Vec<_> = (0..MAX_WAITING)
            .map(|_| scans.0.assign_or_wait(client(1)).unwrap())
            .collect();
        assert!(waiting.iter().all(Result::is_err));
        let rejection = scans.0.assign_or_wait(client(1)).err().unwrap();
        assert_eq!(rejection.id(), ErrorId::RateLimited);
        drop(waiting);
        assert!(
            scans.0.assign_or_wait(client(1)).is_ok(),
            "callers that have disconnected do not count"
        );
    }
}
