//! Every storage port on top of an [`Engine`].

mod admin;
mod admin_tokens;
mod billing;
mod check;
mod claims;
mod erasure;
mod evidence;
mod holders;
mod labels;
mod lane;
mod links;
mod lookup;
mod receipts;
mod registry;
mod remembered;
mod replay;
mod rounds;
mod scrubber;
mod shared;
mod upkeep;

#[cfg(test)]
mod tests;

use crate::writer::{FailStop, QueueLimits, WriterStatus};
use crate::{DiskMonitor, Engine, Identity, ScrubStateFile};
use claims::IdempotencyTable;
use holders::LookupCache;
use lane::Database;
use rounds::ScrubHistory;
use scrubber::Scrubber;
use std::path::Path;
use std::sync::{Arc, Mutex};
use voight_domain::check::EvidenceShares;
use voight_domain::ports::{Clock, StoreError};

/// Commands of the main database that may wait, and that share a batch. A lookup's command is under a kilobyte.
const MAIN: QueueLimits = QueueLimits { queue_capacity: 4096, max_group_size: 1024 };
/// The same of the evidence; a command holds up to 64 KiB.
const EVIDENCE: QueueLimits = QueueLimits { queue_capacity: 256, max_group_size: 64 };

/// What a store is made of.
pub struct StoreParts<E> {
    /// Holds everything but raw evidence.
    pub main: E,
    /// Holds raw evidence. It has a writer of its own, so a flood of evidence never delays a lookup.
    pub evidence: E,
    /// Who the store is.
    pub identity: Identity,
    /// Dates what is written.
    pub clock: Arc<dyn Clock>,
    /// The most bytes of raw evidence to keep.
    pub evidence_budget: u64,
}

/// The storage ports on an engine.
pub struct EmbeddedStore<E> {
    main: Database<E>,
    evidence: Database<E>,
    lookup_cache: Arc<LookupCache>,
    idempotency: Arc<IdempotencyTable>,
    identity: Identity,
    clock: Arc<dyn Clock>,
    evidence_budget: u64,
    /// The shares of networks and contexts in the evidence; `None` until they are first needed.
    evidence_shares: Arc<Mutex<Option<EvidenceShares>>>,
    scrubber: Mutex<Scrubber>,
    scrub_history: ScrubHistory,
    disk_monitor: Option<DiskMonitor>,
}

impl<E: Engine> EmbeddedStore<E> {
    /// A store on these parts, with its writers running. Dropping it answers what is queued and ends them.
    pub fn start(parts: StoreParts<E>) -> std::io::Result<Self> {
        let holders = Arc::new(LookupCache::default());
        let (forgetting, failure) = (Arc::clone(&holders), FailStop::default());
        let latch = |whose| WriterStatus::new(Arc::clone(&parts.clock), failure.for_component(whose));
        Ok(Self {
            main: Database::start(parts.main, MAIN, latch(""), Box::new(move |batch| forgetting.invalidate(batch)))?,
            evidence: Database::start(parts.evidence, EVIDENCE, latch("of the evidence: "), Box::new(|_| {}))?,
            lookup_cache: holders,
            idempotency: Arc::default(),
            identity: parts.identity,
            clock: parts.clock,
            evidence_budget: parts.evidence_budget,
            evidence_shares: Arc::default(),
            scrubber: Mutex::default(),
            scrub_history: ScrubHistory::default(),
            disk_monitor: None,
        })
    }

    /// The same store, with the disk that its databases lie on: how much they take, and a reserve that evidence spares.
    #[must_use]
    pub fn on_disk(self, path: &Path, reserve: u64) -> Self {
        let rounds = ScrubHistory::load(ScrubStateFile::for_store(path), &self.identity);
        Self { scrub_history: rounds, disk_monitor: Some(DiskMonitor::new(path, reserve)), ..self }
    }
}

/// The error for a change of something that must be there.
fn not_found(what: &str) -> StoreError {
    StoreError::Conflict(format!("there is no such {what}"))
}

/// The error for something new whose place is taken.
fn already_exists(what: &str) -> StoreError {
    StoreError::Conflict(format!("{what} is taken"))
}

impl<E> std::fmt::Debug for EmbeddedStore<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EmbeddedStore").field("identity", &self.identity.id()).finish_non_exhaustive()
    }
}
