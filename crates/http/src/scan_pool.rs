//! Runs long reads on blocking threads, at most `MAX_CONCURRENT_SCANS` at a time.

use crate::background::spawn_background;
use crate::error::ApiError;
use std::future::Future;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use voight_api::ErrorId;

/// Maximum number of concurrent scans; further ones wait. A lookup never waits for a scan.
const MAX_CONCURRENT_SCANS: usize = 2;

/// Permits of the scans.
pub(crate) struct ScanPool(Arc<Semaphore>);

impl Default for ScanPool {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MAX_CONCURRENT_SCANS)))
    }
}

impl ScanPool {
    /// Runs `scan` on a separate thread. Store calls complete synchronously, so a long read would block all other requests of a
    /// worker. If the caller disconnects, the scan continues and keeps its permit until its end.
    pub(crate) async fn run<F>(&self, scan: F) -> Result<F::Output, ApiError>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.run_blocking(move |runtime| runtime.block_on(scan)).await
    }

    /// Runs blocking code, with a handle of the runtime, as [`run`](Self::run) does.
    pub(crate) async fn run_blocking<T, F>(&self, scan: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce(&Handle) -> T + Send + 'static,
    {
        let turn = Arc::clone(&self.0).acquire_owned().await.map_err(|_| ErrorId::Internal)?;
        let runtime = Handle::current();
        let scanned = spawn_background(move || {
            let _until_the_end = turn;
            scan(&runtime)
        });
        scanned.await.map_err(|_| ErrorId::Internal.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::sync::Barrier;

    #[actix_web::test]
    async fn concurrent_scans_are_limited() {
        let (scans, running, most) =
            (ScanPool::default(), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let meeting = Arc::new(Barrier::new(MAX_CONCURRENT_SCANS));
        let scan = || {
            let (running, most, meeting) = (Arc::clone(&running), Arc::clone(&most), Arc::clone(&meeting));
            scans.run(async move {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                // No scan passes this barrier alone.
                meeting.wait().await;
                running.fetch_sub(1, Ordering::SeqCst);
            })
        };
        let (first, second, third, fourth) = tokio::join!(scan(), scan(), scan(), scan());
        assert!([first, second, third, fourth].iter().all(Result::is_ok));
        assert_eq!(most.load(Ordering::SeqCst), MAX_CONCURRENT_SCANS);
    }

    #[actix_web::test]
    async fn a_scan_that_panics_is_an_error_and_gives_its_turn_back() {
        let scans = ScanPool::default();
        for _ in 0..=MAX_CONCURRENT_SCANS {
            let failed: Result<(), _> = scans.run(async { panic!("a bug") }).await;
            assert_eq!(failed.unwrap_err().id(), ErrorId::Internal);
        }
    }
}
