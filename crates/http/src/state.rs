//! What every handler and middleware of an app shares.

use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::in_flight::InFlight;
use crate::key_uses::KeyUses;
use crate::limits::{MonotonicClock, Network, RateLimiters};
use crate::metrics::Metrics;
use crate::places::ConcurrencyLimit;
use crate::scans::ScanPool;
use crate::services::Services;
use crate::settings::HttpSettings;
use crate::twins::IdempotencyLocks;
use crate::watched_clock::GuardedClock;
use crate::window::OwnOrigin;
use actix_web::{HttpRequest, web};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use tokio::sync::Semaphore;
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::{CheckId, ClientId};

/// The state of the HTTP interface: one for the whole process, shared by every worker and both listeners.
pub struct AppState {
    /// The use cases.
    pub services: Services,
    /// What the operator has set.
    pub settings: HttpSettings,
    /// Rate limiters.
    pub limits: RateLimiters,
    /// Counters.
    pub metrics: Metrics,
    /// Monotonic time.
    pub ticks: MonotonicClock,
    /// Whether the wall clock can be believed.
    pub clock: GuardedClock,
    /// The turn of the one backup that is taken at a time.
    pub backup: Arc<Semaphore>,
    /// Last uses of keys that are not stored yet.
    pub key_uses: KeyUses,
    pub(crate) scan_pool: ScanPool,
    pub(crate) idempotency_locks: IdempotencyLocks,
    /// Permits of platforms' requests.
    pub(crate) platform_permits: ConcurrencyLimit,
    /// Permits of visitors' requests: none of them takes a permit from a platform.
    pub(crate) visitor_permits: ConcurrencyLimit,
    /// Requests in flight of each client.
    pub(crate) clients: Arc<InFlight<ClientId>>,
    /// Requests in flight of each network's windows.
    pub(crate) networks: Arc<InFlight<Network>>,
    /// Requests in flight of each check.
    pub(crate) checks: Arc<InFlight<CheckId>>,
    /// Connections of each network.
    pub(crate) connections: Arc<InFlight<Network>>,
    /// The origin of the window's own document.
    pub(crate) own_origin: OwnOrigin,
    /// The description of the API, once somebody has asked for it.
    pub(crate) openapi: OnceLock<web::Bytes>,
    process_nonce: OnceLock<[u8; 16]>,
    draining: AtomicBool,
    untrusted_forwarder: OnceLock<IpAddr>,
}

impl AppState {
    /// The state over these services. `ticks` is [`MonotonicClock::system`] everywhere but in tests.
    pub fn new(services: Services, settings: HttpSettings, ticks: MonotonicClock) -> Self {
        Self {
            limits: RateLimiters::new(settings.limits, &ticks),
            clock: GuardedClock::new(Arc::clone(&services.clock), ticks.clone()),
            own_origin: OwnOrigin::new(settings.public_url.as_deref()),
            services,
            settings,
            metrics: Metrics::default(),
            ticks,
            backup: Arc::new(Semaphore::new(1)),
            key_uses: KeyUses::default(),
            scan_pool: ScanPool::default(),
            idempotency_locks: IdempotencyLocks::default(),
            platform_permits: ConcurrencyLimit::default(),
            visitor_permits: ConcurrencyLimit::default(),
            clients: Arc::default(),
            networks: Arc::default(),
            checks: Arc::default(),
            connections: Arc::default(),
            openapi: OnceLock::new(),
            process_nonce: OnceLock::new(),
            draining: AtomicBool::new(false),
            untrusted_forwarder: OnceLock::new(),
        }
    }

    /// Random bytes of this process, which nonces of its admin listeners carry.
    pub(crate) fn process_nonce(&self) -> [u8; 16] {
        *self.process_nonce.get_or_init(|| self.services.entropy.bytes())
    }

    /// From now on new requests are answered with 503, and the service is not ready.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::SeqCst);
    }

    /// Whether the service is shutting down.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::SeqCst)
    }

    /// Holds the wall clock against what is on record now.
    pub async fn refresh_recorded_time(&self) -> Result<(), StoreError> {
        self.clock.set_recorded_time(self.services.operator.recorded_time().await?);
        Ok(())
    }

    /// Refuses what an operator would have dated for good, as the end of a period is, while the wall clock cannot be believed.
    pub(crate) async fn require_trusted_clock(&self) -> Result<(), ApiError> {
        self.refresh_recorded_time().await?;
        let Some(doubt) = self.clock.error() else { return Ok(()) };
        let why =
            format!("{doubt}: set it right, or accept it with `voight doctor --accept-time`; nothing was closed.");
        Err(ApiError::with_message(ErrorId::Conflict, why))
    }

    /// Returns `true` if requests of platforms were shed a short while ago because all permits were taken. One client alone
    /// never has as many.
    pub fn is_overloaded(&self) -> bool {
        self.platform_permits.recently_overloaded(self.ticks.elapsed())
    }

    /// Returns `true` if requests of visitors were shed a short while ago because all permits were taken. One network alone
    /// never has as many.
    pub fn is_overloaded_by_visitors(&self) -> bool {
        self.visitor_permits.recently_overloaded(self.ticks.elapsed())
    }

    /// The first peer that sent a forwarding header without being a trusted proxy: most likely a proxy that is missing from
    /// `trusted_proxies`, which makes all its visitors look like one network.
    pub fn untrusted_proxy(&self) -> Option<IpAddr> {
        self.untrusted_forwarder.get().copied()
    }

    pub(crate) fn note_untrusted_forwarder(&self, peer: IpAddr) {
        if self.untrusted_forwarder.set(peer).is_ok() {
            tracing::warn!("a forwarding header came from a peer that is not in trusted_proxies; it is ignored");
        }
    }

    /// The state of the app that `request` came to.
    pub fn from_http_request(request: &HttpRequest) -> Result<&Self, ApiError> {
        let state = request.app_data::<web::Data<Self>>().map(web::Data::get_ref);
        state.ok_or_else(|| ErrorId::Internal.into())
    }
}
