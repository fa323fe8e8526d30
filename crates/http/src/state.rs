//! State that all guards and handlers of an app share.

use crate::api::GeneratedFiles;
use crate::concurrency_limit::{ConcurrencyLimit, RecentOverload};
use crate::error::ApiError;
use crate::guarded_clock::GuardedClock;
use crate::idempotency_lock::IdempotencyLocks;
use crate::in_flight::InFlight;
use crate::key_uses::KeyUses;
use crate::limits::{MonotonicClock, Network, RateLimiters};
use crate::metrics::Metrics;
use crate::scan_pool::ScanPool;
use crate::settings::HttpSettings;
use crate::shares::Shares;
use crate::snapshot_jobs::SnapshotJobs;
use crate::spool::Spool;
use crate::window::OwnOrigin;
use actix_web::{HttpRequest, web};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use tokio::sync::Semaphore;
use voight_api::ErrorId;
use voight_domain::ports::{Clock, Entropy, StoreError};
use voight_domain::services::Services;
use voight_domain::vocabulary::{AdminTokenId, CheckId, ClientId};

/// Text of a document; `None` if the documentation lacks it or is corrupt, which is a bug of the build.
pub(crate) type DocumentText = OnceLock<Option<web::Bytes>>;

/// Clocks and random generator of the machine.
#[derive(Clone)]
pub struct SystemPorts {
    /// Wall clock, the one of the use cases.
    pub clock: Arc<dyn Clock>,
    /// Monotonic clock: [`MonotonicClock::system`] except in tests.
    pub monotonic_clock: MonotonicClock,
    /// Random generator, for request ids and nonces.
    pub entropy: Arc<dyn Entropy>,
}

/// State of the HTTP interface: one for the process, shared by all workers and both listeners.
pub struct AppState {
    /// Use cases.
    pub services: Services,
    /// Settings of the operator.
    pub settings: HttpSettings,
    /// Rate limiters.
    pub limits: RateLimiters,
    /// Metrics.
    pub metrics: Metrics,
    /// Monotonic clock.
    pub monotonic_clock: MonotonicClock,
    /// Wall clock with its guard.
    pub clock: GuardedClock,
    /// Random generator, for request ids and nonces.
    pub(crate) entropy: Arc<dyn Entropy>,
    /// Permit of a backup; at most one runs at a time.
    pub backup: Arc<Semaphore>,
    /// Event streams of each admin token; `None` is the token of the data directory.
    pub(crate) event_streams: Arc<Shares<Option<AdminTokenId>>>,
    /// Last uses of keys that are not stored yet.
    pub key_uses: KeyUses,
    /// Jobs of snapshots.
    pub snapshot_jobs: SnapshotJobs,
    pub(crate) scan_pool: ScanPool,
    /// Temporary files.
    pub(crate) spool: Arc<Spool>,
    /// Files of snapshots that are being downloaded.
    pub(crate) generated_files: Arc<GeneratedFiles>,
    /// Downloads of each client.
    pub(crate) downloads: Arc<Shares<ClientId>>,
    /// Requests of each client that wait for an event.
    pub(crate) event_waits: Arc<Shares<ClientId>>,
    /// Tests of webhook endpoints of each client that are in progress.
    pub(crate) webhook_tests: Arc<Shares<ClientId>>,
    pub(crate) idempotency_locks: IdempotencyLocks,
    /// Permits of platforms' requests.
    pub(crate) platform_permits: ConcurrencyLimit,
    /// Permits of visitors' requests, separate so that visitors cannot take permits from platforms.
    pub(crate) visitor_permits: ConcurrencyLimit,
    /// Requests in flight of each client.
    pub(crate) clients: Arc<InFlight<ClientId>>,
    /// Requests in flight of each network's windows.
    pub(crate) networks: Arc<InFlight<Network>>,
    /// Requests in flight of each check.
    pub(crate) checks: Arc<InFlight<CheckId>>,
    /// Rejected connections of both listeners, while all are in use.
    pub(crate) connection_overload: RecentOverload,
    /// Origin of the window's own document.
    pub(crate) own_origin: OwnOrigin,
    /// OpenAPI document of the public API.
    pub(crate) openapi: DocumentText,
    process_nonce: OnceLock<[u8; 16]>,
    draining: AtomicBool,
    untrusted_forwarder: OnceLock<IpAddr>,
}

impl AppState {
    /// Creates the state over these services.
    pub fn new(services: Services, settings: HttpSettings, system: SystemPorts) -> Self {
        let SystemPorts {
            clock,
            monotonic_clock,
            entropy,
        } = system;
        let metrics = Metrics::default();
        Self {
            limits: RateLimiters::new(settings.limits, &monotonic_clock),
            clock: GuardedClock::new(clock, monotonic_clock.clone()),
            entropy,
            own_origin: OwnOrigin::new(settings.public_url.as_deref()),
            spool: Arc::new(Spool::new(settings.spool.clone(), metrics.rejections())),
            generated_files: Arc::default(),
            downloads: Arc::default(),
            event_waits: Arc::default(),
            webhook_tests: Arc::default(),
            services,
            settings,
            monotonic_clock,
            backup: Arc::new(Semaphore::new(1)),
            event_streams: Arc::default(),
            key_uses: KeyUses::default(),
            snapshot_jobs: SnapshotJobs::default(),
            scan_pool: ScanPool::new(metrics.rejections()),
            metrics,
            idempotency_locks: IdempotencyLocks::default(),
            platform_permits: ConcurrencyLimit::default(),
            visitor_permits: ConcurrencyLimit::default(),
            clients: Arc::default(),
            networks: Arc::default(),
            checks: Arc::default(),
            connection_overload: RecentOverload::default(),
            openapi: DocumentText::new(),
            process_nonce: OnceLock::new(),
            draining: AtomicBool::new(false),
            untrusted_forwarder: OnceLock::new(),
        }
    }

    /// Returns random bytes of this process, which nonces of its admin listeners contain.
    pub(crate) fn process_nonce(&self) -> [u8; 16] {
        *self.process_nonce.get_or_init(|| self.entropy.bytes())
    }

    /// Starts draining: new requests fail with 503, and the service is not ready.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::SeqCst);
    }

    /// Returns `true` if the service is shutting down.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::SeqCst)
    }

    /// Compares the wall clock with the latest recorded time in the store.
    pub async fn refresh_recorded_time(&self) -> Result<(), StoreError> {
        self.clock
            .set_recorded_time(self.services.operator.recorded_time().await?);
        Ok(())
    }

    /// Rejects changes with permanent dates, such as the end of a period, while the clock is rejected.
    pub(crate) async fn require_trusted_clock(&self) -> Result<(), ApiError> {
        self.refresh_recorded_time().await?;
        let Some(doubt) = self.clock.error() else {
            return Ok(());
        };
        let message = format!(
            "{doubt}: set it right, or accept it with `voight doctor --acknowledge-clock`; nothing was closed."
        );
        Err(ApiError::with_message(ErrorId::Conflict, message))
    }

    /// Returns `true` if requests of platforms were shed recently because no permit was free. A single client cannot take all
    /// permits.
    pub fn is_overloaded(&self) -> bool {
        self.platform_permits
            .recently_overloaded(self.monotonic_clock.elapsed())
    }

    /// Returns `true` if requests of visitors were shed recently because no permit was free. A single network cannot take all
    /// permits.
    pub fn is_overloaded_by_visitors(&self) -> bool {
        self.visitor_permits
            .recently_overloaded(self.monotonic_clock.elapsed())
    }

    /// Returns `true` if connections were rejected recently because all are in use and none waits for its client.
    pub fn lacks_connections(&self) -> bool {
        self.connection_overload
            .is_recent(self.monotonic_clock.elapsed())
    }

    /// Returns the first peer that sent a forwarding header without being a trusted proxy. Most likely it is a proxy that is
    /// missing in `trusted_proxies`, so that all its visitors count as one network.
    pub fn untrusted_proxy(&self) -> Option<IpAddr> {
        self.untrusted_forwarder.get().copied()
    }

    pub(crate) fn note_untrusted_forwarder(&self, peer: IpAddr) {
        if self.untrusted_forwarder.set(peer).is_ok() {
            tracing::warn!(
                event = "forwarding_header_ignored",
                "a forwarding header came from a peer that is not in trusted_proxies; it is ignored"
            );
        }
    }

    /// Returns the state of the app that received `request`.
    pub fn from_http_request(request: &HttpRequest) -> Result<&Self, ApiError> {
        let state = request
            .app_data::<web::Data<Self>>()
            .map(web::Data::get_ref);
        state.ok_or_else(|| ErrorId::Internal.into())
    }
}
