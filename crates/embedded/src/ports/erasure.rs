//! Erases an address.

mod erasable;
mod verdicts;

pub(super) use verdicts::delete_tombstones;

use crate::EmbeddedStore;
use crate::database::Database;
use crate::read_records::ReadRecords;
use crate::record::LinkRecord;
use crate::table::{self, KeyRange, RecordKey, Table};
use async_trait::async_trait;
use erasable::{Erasable, ErasureTarget};
use std::ops::ControlFlow;
use std::sync::Arc;
use voight_domain::check::{Concluded, EvidenceBatch};
use voight_domain::events::ClientEvent;
use voight_domain::linkage::FingerprintPage;
use voight_domain::metering::{IdempotencyRecord, Opening};
use voight_domain::ports::{
    EraseMode, Erasure, ErasureCounts, ErasureScope, ErasureStore, StoreError,
};
use voight_domain::secrets::AddressDigest;
use voight_domain::snapshot::SnapshotSlice;
use voight_domain::verdict::Tombstone;
use voight_domain::vocabulary::ContextId;
use voight_domain::webhooks::DeliveryRecord;
use voight_engine::{Engine, Order};

/// Number of records per batch scan.
const SCAN_BATCH: usize = 1000;
/// Maximum number of records that one transaction removes.
const DELETE_BATCH: usize = 200;

#[async_trait]
impl<E: Engine> ErasureStore for EmbeddedStore<E> {
    async fn erase(&self, erasure: &Erasure) -> Result<ErasureCounts, StoreError> {
        let target = Arc::new(ErasureTarget::new(erasure, self.clock.now()));
        // Evidence first: evidence that is not judged yet must not become a verdict again.
        let batches = scan_and_erase::<E, EvidenceBatch>(&self.evidence, &target).await;
        self.recount_shares();
        let mut counts = ErasureCounts {
            batches: batches?,
            ..ErasureCounts::default()
        };
        for scope in &erasure.scopes {
            self.erase_verdict(&target, scope, &mut counts).await?;
        }
        counts.ledger_addresses = scan_and_erase::<E, Opening>(&self.main, &target).await?;
        counts.idempotency_records =
            scan_and_erase::<E, IdempotencyRecord>(&self.main, &target).await?;
        counts.receipts = scan_and_erase::<E, Concluded>(&self.main, &target).await?;
        counts.links = scan_and_erase::<E, FingerprintPage>(&self.main, &target).await?;
        counts.links += scan_and_erase::<E, LinkRecord>(&self.main, &target).await?;
        counts.snapshot_rows = scan_and_erase::<E, SnapshotSlice>(&self.main, &target).await?;
        counts.client_events = scan_and_erase::<E, ClientEvent>(&self.main, &target).await?;
        counts.deliveries = scan_and_erase::<E, DeliveryRecord>(&self.main, &target).await?;
        Ok(counts)
    }

    async fn tombstone(
        &self,
        context: &ContextId,
        digest: AddressDigest,
    ) -> Result<Option<Tombstone>, StoreError> {
        self.main
            .read(|view| match view.fetch(&table::context_key(context))? {
                Some(scope) => view.fetch(&table::tombstone(scope, digest)),
                None => Ok(None),
            })
    }
}

impl<E: Engine> EmbeddedStore<E> {
    /// Removes the records of the address in one context, and writes the tombstone.
    async fn erase_verdict(
        &self,
        target: &ErasureTarget,
        scope: &ErasureScope,
        counts: &mut ErasureCounts,
    ) -> Result<(), StoreError> {
        let state = self
            .main
            .read(|view| verdicts::load_erasable_state(view, target.address, scope))?;
        let events = state.count(Table::Event);
        counts.verdicts += state.count(Table::Verdict);
        counts.events += events;
        counts.labels += state.count(Table::Label);
        if state.tombstone {
            counts.tombstones.push(scope.context.clone());
        }
        if target.mode == EraseMode::DryRun || state.is_empty() {
            return Ok(());
        }
        // One more transaction than the events need, for events that arrive in the meantime.
        for _ in 0..events / DELETE_BATCH as u64 + 2 {
            let address = target.address;
            let scope = scope.clone();
            if self
                .main
                .write(move |transaction| {
                    verdicts::erase(transaction, address, &scope, DELETE_BATCH)
                })
                .await?
            {
                return Ok(());
            }
        }
        Err(StoreError::NotApplied(
            "a timeline grew faster than it was erased; erase the address again".into(),
        ))
    }
}

/// Scans all records of one type and erases those about the address. Returns how many of them are in use. An index by
/// address would itself have to be erased, so there is none.
async fn scan_and_erase<E: Engine, R: Erasable>(
    database: &Database<E>,
    target: &Arc<ErasureTarget>,
) -> Result<u64, StoreError> {
    let mut next = Some(KeyRange::<R>::all().from);
    let mut in_use = 0;
    while let Some(from) = next {
        let matches = database.read(|view| MatchBatch::find::<R>(view, &from, target))?;
        in_use += matches.in_use;
        if target.mode == EraseMode::Execute {
            for keys in matches.keys.chunks(DELETE_BATCH) {
                erase::<E, R>(database, target, keys.to_vec()).await?;
            }
        }
        next = matches.next;
    }
    Ok(in_use)
}

/// Matching records of one batch.
#[derive(Default)]
struct MatchBatch {
    keys: Vec<Vec<u8>>,
    /// Number of matching records that are in use.
    in_use: u64,
    /// First key of the next batch, if any.
    next: Option<Vec<u8>>,
}

impl MatchBatch {
    fn find<R: Erasable>(
        view: &impl ReadRecords,
        from: &[u8],
        target: &ErasureTarget,
    ) -> Result<Self, StoreError> {
        let mut batch = Self::default();
        let mut record_count = 0;
        let mut span = KeyRange::<R>::all();
        from.clone_into(&mut span.from);
        view.scan(&span, Order::Ascending, |key, record: R| {
            if record.matches(target) {
                batch.keys.push(key.to_vec());
                batch.in_use += record.counted(target);
            }
            record_count += 1;
            if record_count < SCAN_BATCH {
                return ControlFlow::Continue(());
            }
            batch.next = Some([key, &[0]].concat());
            ControlFlow::Break(())
        })?;
        Ok(batch)
    }
}

/// Erases those of the records that still exist and still match.
async fn erase<E: Engine, R: Erasable>(
    database: &Database<E>,
    target: &Arc<ErasureTarget>,
    keys: Vec<Vec<u8>>,
) -> Result<(), StoreError> {
    let target = Arc::clone(target);
    let transaction = database.write(move |transaction| {
        for key in keys {
            let record_key = RecordKey::<R>::from_scan(&key);
            if let Some(record) = transaction
                .fetch(&record_key)?
                .filter(|record| record.matches(&target))
            {
                record.erase(transaction, record_key, &target)?;
            }
        }
        Ok(())
    });
    transaction.await
}
