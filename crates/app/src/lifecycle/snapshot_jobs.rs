//! Jobs of snapshots: list and look up addresses slice by slice, and delete expired snapshots.
//!
//! Clients take turns after each slice, and so do the jobs of a client. A complete scan finds the jobs that no request has queued: those of a process that was
//! killed, those of other nodes, and those that a cap had paused. No job runs while the clock is rejected.

use crate::os::Monotonic;
use actix_web::web;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{sleep, timeout};
use voight_domain::services::SnapshotError;
use voight_domain::vocabulary::{ClientId, SnapshotId};
use voight_http::{AppState, FairQueue, SnapshotJob};

/// Time between two complete scans.
const SCAN_INTERVAL: Duration = Duration::from_secs(30);
/// Pause after slices, as a multiple of their duration, so that lookups keep most of the writer's time.
const PAUSE_FACTOR: u32 = 1;
/// Minimum pause. The timer of the runtime has a resolution of one millisecond, so the pauses of short slices are added up.
const MIN_PAUSE: Duration = Duration::from_millis(2);

/// Runs the jobs for as long as the service runs.
pub(super) async fn run(state: web::Data<AppState>) {
    let Some(mut requested) = state.snapshot_jobs.take_receiver() else {
        return;
    };
    let mut jobs = JobQueue::default();
    let mut pause = Duration::ZERO;
    loop {
        if state.clock.error().is_none() {
            scan(&state, &mut jobs).await;
        }
        let scan_start = Monotonic::start();
        while let Some(job) = next_job(&mut jobs, &mut requested, &scan_start).await {
            let job_start = Monotonic::start();
            continue_job(&state, &mut jobs, job).await;
            pause += job_start.elapsed() * PAUSE_FACTOR;
            if pause >= MIN_PAUSE {
                sleep(pause).await;
                pause = Duration::ZERO;
            }
        }
    }
}

/// Jobs with work to do, each listed once.
#[derive(Debug, Default)]
struct JobQueue(FairQueue<ClientId, SnapshotId>);

impl JobQueue {
    fn add(&mut self, (client, id): SnapshotJob) {
        if self.0.items_of(&client).all(|queued_id| *queued_id != id) {
            self.0.push(client, id);
        }
    }
}

/// Adds all unfinished jobs.
async fn scan(state: &AppState, jobs: &mut JobQueue) {
    let snapshots = &state.services.snapshots;
    match snapshots.unfinished().await {
        Ok(unfinished) => unfinished.into_iter().for_each(|job| jobs.add(job)),
        Err(error) => tracing::warn!(
            event = "snapshot_scan_postponed",
            %error,
            "the scan for jobs of snapshots is postponed"
        ),
    }
}

/// Returns the next job; `None` when the next scan is due and no job is left.
async fn next_job(
    jobs: &mut JobQueue,
    requested: &mut UnboundedReceiver<SnapshotJob>,
    scan_start: &Monotonic,
) -> Option<SnapshotJob> {
    while let Ok(job) = requested.try_recv() {
        jobs.add(job);
    }
    if let Some(job) = jobs.0.pop() {
        return Some(job);
    }
    let remaining_time = SCAN_INTERVAL.saturating_sub(scan_start.elapsed());
    timeout(remaining_time, requested.recv())
        .await
        .ok()
        .flatten()
}

/// Runs one slice of a job, and queues the job again if it has more.
async fn continue_job(state: &AppState, jobs: &mut JobQueue, (client, id): SnapshotJob) {
    if state.clock.error().is_some() {
        return;
    }
    match state.services.snapshots.continue_job(client, id).await {
        Ok(true) => jobs.add((client, id)),
        Ok(false) | Err(SnapshotError::NotFound) => {}
        Err(error) => tracing::warn!(
            event = "snapshot_job_postponed",
            snapshot = %id,
            %error,
            "the job of a snapshot is postponed"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(client: u8, number: u8) -> SnapshotJob {
        (
            ClientId::from_bytes([client; 16]),
            SnapshotId::from_bytes([number; 16]),
        )
    }

    #[test]
    fn jobs_are_queued_once_and_clients_take_turns() {
        let mut jobs = JobQueue::default();
        for (client, number) in [(1, 1), (1, 2), (1, 1), (2, 3)] {
            jobs.add(job(client, number));
        }
        let first = jobs.0.pop().unwrap();
        jobs.add(first);
        let order: Vec<_> = std::iter::from_fn(|| jobs.0.pop()).collect();
        assert_eq!(first, job(1, 1));
        assert_eq!(order, [job(2, 3), job(1, 2), job(1, 1)]);
    }
}
