//! Embedded store: its two databases, and what its ports share.

#[cfg(test)]
mod tests;

use crate::database::Database;
use crate::idempotency::IdempotencyTable;
use crate::lookup_cache::LookupCache;
use crate::scrub_history::ScrubHistory;
use crate::scrubber::Scrubber;
use crate::writer::{FailStop, QueueLimits, WriterStatus};
use crate::{DiskMonitor, Identity, ScrubStateFile};
use std::path::Path;
use std::sync::{Arc, Mutex};
use voight_domain::check::EvidenceShares;
use voight_domain::ports::Clock;
use voight_engine::Engine;

/// Queue limits of the main database. The command of a lookup is smaller than a kilobyte.
const MAIN: QueueLimits = QueueLimits {
    queue_capacity: 4096,
    max_group_size: 1024,
};
/// Queue limits of the evidence database. A command holds up to 64 KiB.
const EVIDENCE: QueueLimits = QueueLimits {
    queue_capacity: 256,
    max_group_size: 64,
};

/// Components of a store.
pub struct StoreParts<E> {
    /// Main database: everything except raw evidence.
    pub main: E,
    /// Database of raw evidence. It has its own writer, so a flood of evidence never delays a lookup.
    pub evidence: E,
    /// Identity of the store.
    pub identity: Identity,
    /// Clock that dates all writes.
    pub clock: Arc<dyn Clock>,
    /// Maximum number of bytes of raw evidence.
    pub evidence_max_bytes: u64,
}

/// Storage ports on an embedded engine.
pub struct EmbeddedStore<E> {
    pub(crate) main: Database<E>,
    pub(crate) evidence: Database<E>,
    pub(crate) lookup_cache: Arc<LookupCache>,
    pub(crate) idempotency: Arc<IdempotencyTable>,
    pub(crate) identity: Identity,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) evidence_max_bytes: u64,
    /// Shares of networks and contexts in the evidence; `None` until they are first needed.
    pub(crate) evidence_shares: Arc<Mutex<Option<EvidenceShares>>>,
    pub(crate) scrubber: Mutex<Scrubber>,
    pub(crate) scrub_history: ScrubHistory,
    pub(crate) disk_monitor: Option<DiskMonitor>,
}

impl<E: Engine> EmbeddedStore<E> {
    /// Starts a store with its writers. Dropping it finishes the queued commands and ends the writers.
    pub fn start(parts: StoreParts<E>) -> std::io::Result<Self> {
        let lookup_cache = Arc::new(LookupCache::default());
        let changed_cache = Arc::clone(&lookup_cache);
        let failure = FailStop::default();
        let status = |component| {
            WriterStatus::new(Arc::clone(&parts.clock), failure.for_component(component))
        };
        Ok(Self {
            main: Database::start(
                parts.main,
                MAIN,
                status(""),
                Box::new(move |batch| changed_cache.invalidate(batch)),
            )?,
            evidence: Database::start(
                parts.evidence,
                EVIDENCE,
                status("of the evidence: "),
                Box::new(|_| {}),
            )?,
            lookup_cache,
            idempotency: Arc::default(),
            identity: parts.identity,
            clock: parts.clock,
            evidence_max_bytes: parts.evidence_max_bytes,
            evidence_shares: Arc::default(),
            scrubber: Mutex::default(),
            scrub_history: ScrubHistory::default(),
            disk_monitor: None,
        })
    }

    /// Adds the location of the databases. The store then reports disk use, keeps `reserve` bytes free of evidence, and
    /// persists the scrub state.
    #[must_use]
    pub fn on_disk(self, path: &Path, reserve: u64) -> Self {
        let scrub_history = ScrubHistory::load(ScrubStateFile::for_store(path), &self.identity);
        Self {
            scrub_history,
            disk_monitor: Some(DiskMonitor::new(path, reserve)),
            ..self
        }
    }
}

impl<E> std::fmt::Debug for EmbeddedStore<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EmbeddedStore")
            .field("identity", &self.identity.id())
            .finish_non_exhaustive()
    }
}
