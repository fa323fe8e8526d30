//! Deliveries of events to webhook endpoints.
//!
//! Of several nodes on one store, only the leader delivers. The store lists the endpoints that are due, so the memory of this
//! task is bounded by the number of attempts at the same time, whatever the number of endpoints and events. Nothing is sent
//! while the clock is rejected.

use crate::os::Monotonic;
use actix_web::web;
use futures_util::future::join_all;
use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::sleep;
use voight_api::public::encode_event;
use voight_domain::ports::{ClaimedDeliveries, StoreError};
use voight_domain::services::AttemptResult;
use voight_domain::webhooks::{DeliveryLane, DeliverySlots, EndpointName};
use voight_http::AppState;

/// Pause between two reads of the endpoints that are due, while no claim begins or ends.
const IDLE_INTERVAL: Duration = Duration::from_millis(250);
/// Minimum pause between two reads.
const BUSY_INTERVAL: Duration = Duration::from_millis(20);
/// Pause after an error of the store, and between two attempts to become the leader.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// Time after which the leader lease is renewed.
const LEASE_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of endpoints that one read lists.
const MAX_DUE_ENDPOINTS: usize = 256;
/// Maximum number of attempts of one claim.
const MAX_ATTEMPTS: usize = 8;
/// Time for which attempts in progress are awaited when the service stops. Others are repeated after their lease.
pub(super) const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

/// Delivers events until the service stops; never begins without outbound connections.
pub(super) async fn run(state: web::Data<AppState>) {
    let max_attempts = state.services.deliveries.max_attempts();
    if max_attempts == 0 {
        return;
    }
    let mut worker = Worker::new(state, max_attempts);
    while !worker.state.is_draining() {
        let pause = worker.step().await;
        worker.wait(pause).await;
    }
    while worker.claims.join_next().await.is_some() {}
}

/// Claims of one process.
struct Worker {
    state: web::Data<AppState>,
    slots: Rc<RefCell<DeliverySlots>>,
    /// Endpoints with a claim in progress.
    claimed_endpoints: Rc<RefCell<HashSet<EndpointName>>>,
    claims: JoinSet<()>,
    /// The lanes in the order in which the next step serves them.
    lanes: [DeliveryLane; 2],
    /// Time since the leader lease was acquired; `None` if another node holds it.
    leader_lease: Option<Monotonic>,
}

impl Worker {
    fn new(state: web::Data<AppState>, max_attempts: usize) -> Self {
        Self {
            state,
            slots: Rc::new(RefCell::new(DeliverySlots::new(max_attempts))),
            claimed_endpoints: Rc::default(),
            claims: JoinSet::new(),
            lanes: DeliveryLane::ALL,
            leader_lease: None,
        }
    }

    /// Starts the claims that are due, and returns the pause until the next step.
    async fn step(&mut self) -> Duration {
        if self.state.clock.error().is_some() {
            return RETRY_INTERVAL;
        }
        match self.start_due_claims().await {
            Ok(None) => RETRY_INTERVAL,
            Ok(Some(0)) => IDLE_INTERVAL,
            Ok(Some(_)) => BUSY_INTERVAL,
            Err(error) => {
                tracing::warn!(event = "deliveries_postponed", %error, "deliveries to webhook endpoints are postponed");
                RETRY_INTERVAL
            }
        }
    }

    /// Waits for `pause`, or until a claim ends, which frees its slots.
    async fn wait(&mut self, pause: Duration) {
        sleep(BUSY_INTERVAL.min(pause)).await;
        tokio::select! {
            () = sleep(pause.saturating_sub(BUSY_INTERVAL)) => {}
            Some(_) = self.claims.join_next() => {}
        }
        while self.claims.try_join_next().is_some() {}
    }

    /// Starts claims, and returns their number; `None` if another node is the leader.
    async fn start_due_claims(&mut self) -> Result<Option<usize>, StoreError> {
        if !self.is_leader().await? {
            return Ok(None);
        }
        // Each lane is the first one in every second step, so neither can use every slot that becomes free.
        self.lanes.rotate_left(1);
        let mut started_claims = 0;
        for lane in self.lanes {
            if !self.slots.borrow().has_free(lane) {
                continue;
            }
            let deliveries = &self.state.services.deliveries;
            for name in deliveries.due_endpoints(lane, MAX_DUE_ENDPOINTS).await? {
                started_claims += usize::from(self.start_claim(name, lane));
            }
        }
        Ok(Some(started_claims))
    }

    async fn is_leader(&mut self) -> Result<bool, StoreError> {
        let is_recent = |lease: &Monotonic| lease.elapsed() < LEASE_INTERVAL;
        if self.leader_lease.as_ref().is_some_and(is_recent) {
            return Ok(true);
        }
        let begin = Monotonic::start();
        let is_leader = self.state.services.deliveries.try_acquire_lease().await?;
        self.leader_lease = is_leader.then_some(begin);
        Ok(is_leader)
    }

    /// Starts a claim of an endpoint; returns `false` if one is in progress, or if no slot is free for it.
    fn start_claim(&mut self, name: EndpointName, lane: DeliveryLane) -> bool {
        if self.claimed_endpoints.borrow().contains(&name) {
            return false;
        }
        let limit = match lane {
            DeliveryLane::Healthy => MAX_ATTEMPTS,
            DeliveryLane::Failing => 1,
        };
        let count = self.slots.borrow_mut().take(name.client, lane, limit);
        if count == 0 {
            return false;
        }
        self.claimed_endpoints.borrow_mut().insert(name);
        let slots = ClaimSlots {
            slots: Rc::clone(&self.slots),
            claimed_endpoints: Rc::clone(&self.claimed_endpoints),
            name,
            lane,
            count,
        };
        self.claims.spawn_local(deliver(self.state.clone(), slots));
        true
    }
}

/// Slots and mark of a claim, given back when it ends, also by a panic.
struct ClaimSlots {
    slots: Rc<RefCell<DeliverySlots>>,
    claimed_endpoints: Rc<RefCell<HashSet<EndpointName>>>,
    name: EndpointName,
    lane: DeliveryLane,
    count: usize,
}

impl ClaimSlots {
    /// Gives back the slots above `count`.
    fn shrink(&mut self, count: usize) {
        let surplus = self.count.saturating_sub(count);
        self.slots
            .borrow_mut()
            .give_back(self.name.client, self.lane, surplus);
        self.count -= surplus;
    }
}

impl Drop for ClaimSlots {
    fn drop(&mut self) {
        self.shrink(0);
        self.claimed_endpoints.borrow_mut().remove(&self.name);
    }
}

/// Claims attempts of an endpoint, makes them, and concludes them.
async fn deliver(state: web::Data<AppState>, mut slots: ClaimSlots) {
    if let Err(error) = claim_and_send(&state, &mut slots).await {
        let endpoint = slots.name.id;
        tracing::warn!(
            event = "endpoint_postponed",
            %endpoint,
            %error,
            "deliveries to a webhook endpoint are repeated later"
        );
        // The endpoint stays marked meanwhile, so that a store that fails is not called again at once.
        slots.shrink(0);
        sleep(RETRY_INTERVAL).await;
    }
}

async fn claim_and_send(state: &AppState, slots: &mut ClaimSlots) -> Result<(), StoreError> {
    let deliveries = &state.services.deliveries;
    let name = slots.name;
    let Some(claimed_deliveries) = deliveries.claim(name, slots.count).await? else {
        return Ok(());
    };
    state
        .metrics
        .record_deleted_events(claimed_deliveries.given_up);
    if claimed_deliveries.attempts.is_empty() {
        return Ok(());
    }
    slots.shrink(claimed_deliveries.attempts.len());
    let results = send(state, &claimed_deliveries).await;
    let made_attempts = claimed_deliveries.attempts.iter().zip(&results);
    let event_times: Vec<_> = made_attempts
        .filter(|(_, result)| matches!(result, AttemptResult::Made(_)))
        .map(|((_, event), _)| event.at)
        .collect();
    let reports = deliveries
        .conclude(name, claimed_deliveries.lease, results)
        .await?;
    let now = state.clock.now();
    for (report, event_at) in reports.into_iter().zip(event_times) {
        let lag = now.saturating_since(event_at);
        state.metrics.record_delivery(report, lag);
    }
    Ok(())
}

/// Makes the attempts at the same time. Those that take too long when the service stops are made again after its next start.
async fn send(state: &AppState, claimed_deliveries: &ClaimedDeliveries) -> Vec<AttemptResult> {
    let endpoint = &claimed_deliveries.endpoint;
    let attempts = claimed_deliveries.attempts.iter();
    let results = attempts.map(async |(attempt, event)| {
        let deliveries = &state.services.deliveries;
        tokio::select! {
            result = deliveries.attempt(endpoint, *attempt, event, encode_event) => result,
            () = end_of_drain(state) => AttemptResult::Postponed(*attempt),
        }
    });
    join_all(results).await
}

/// Completes when half of [`DRAIN_TIMEOUT`] has passed since the service began to stop.
async fn end_of_drain(state: &AppState) {
    while !state.is_draining() {
        sleep(IDLE_INTERVAL).await;
    }
    sleep(DRAIN_TIMEOUT / 2).await;
}
