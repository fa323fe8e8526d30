//! Erases an address.

mod erasable;
mod verdicts;

pub(super) use verdicts::delete_tombstones;

use super::EmbeddedStore;
use super::database::Database;
use crate::read_records::ReadRecords;
use crate::record::LinkRecord;
use crate::table::{self, KeyRange, RecordKey, Table};
use crate::{Engine, Order};
use async_trait::async_trait;
use erasable::{Erasable, ErasureTarget};
use std::ops::ControlFlow;
use std::sync::Arc;
use voight_domain::check::{Concluded, EvidenceBatch};
use voight_domain::linkage::FingerprintPage;
use voight_domain::metering::{IdempotencyRecord, Opening};
use voight_domain::ports::{
    EraseMode, Erasure, ErasureCounts, ErasureScope, ErasureStore, StoreError,
};
use voight_domain::secrets::AddressDigest;
use voight_domain::snapshot::SnapshotSlice;
use voight_domain::verdict::Tombstone;
use voight_domain::vocabulary::ContextId;

/// Number of records per batch scan.
const SCAN_BATCH: usize = 1000;
/// Maximum number of records that one transaction removes.
const DELETE_BATCH: usize = 200;

#[async_trait]
impl<E: Engine> ErasureStore for EmbeddedStore<E> {
    async fn erase(&self, erasure: &Erasure) -> Result<ErasureCounts, StoreError> {
        let wanted = Arc::new(ErasureTarget::new(erasure, self.clock.now()));
        // Evidence first: evidence that is not judged yet must not become a verdict again.
        let batches = scan_and_erase::<E, EvidenceBatch>(&self.evidence, &wanted).await;
        self.recount_shares();
        let mut erased = ErasureCounts {
            batches: batches?,
            ..ErasureCounts::default()
        };
        for scope in &erasure.scopes {
            self.erase_verdict(&wanted, scope, &mut erased).await?;
        }
        erased.ledger_addresses = scan_and_erase::<E, Opening>(&self.main, &wanted).await?;
        erased.idempotency_records =
            scan_and_erase::<E, IdempotencyRecord>(&self.main, &wanted).await?;
        erased.receipts = scan_and_erase::<E, Concluded>(&self.main, &wanted).await?;
        erased.links = scan_and_erase::<E, FingerprintPage>(&self.main, &wanted).await?;
        erased.links += scan_and_erase::<E, LinkRecord>(&self.main, &wanted).await?;
        erased.snapshot_rows = scan_and_erase::<E, SnapshotSlice>(&self.main, &wanted).await?;
        Ok(erased)
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
        wanted: &ErasureTarget,
        scope: &ErasureScope,
        erased: &mut ErasureCounts,
    ) -> Result<(), StoreError> {
        let found = self
            .main
            .read(|view| verdicts::load_erasable_state(view, wanted.address, scope))?;
        let events = found.count(Table::Event);
        erased.verdicts += found.count(Table::Verdict);
        erased.events += events;
        erased.labels += found.count(Table::Label);
        if found.tombstone {
            erased.tombstones.push(scope.context.clone());
        }
        if wanted.mode == EraseMode::DryRun || found.is_empty() {
            return Ok(());
        }
        // One more transaction than the events need, for events that arrive in the meantime.
        for _ in 0..events / DELETE_BATCH as u64 + 2 {
            let (address, scope) = (wanted.address, scope.clone());
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
    wanted: &Arc<ErasureTarget>,
) -> Result<u64, StoreError> {
    let (mut next, mut in_use) = (Some(KeyRange::<R>::all().from), 0);
    while let Some(from) = next {
        let found = database.read(|view| MatchBatch::find::<R>(view, &from, wanted))?;
        in_use += found.in_use;
        if wanted.mode == EraseMode::Execute {
            for keys in found.keys.chunks(DELETE_BATCH) {
                erase::<E, R>(database, wanted, keys.to_vec()).await?;
            }
        }
        next = found.next;
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
        wanted: &ErasureTarget,
    ) -> Result<Self, StoreError> {
        let (mut found, mut seen) = (Self::default(), 0);
        let mut span = KeyRange::<R>::all();
        from.clone_into(&mut span.from);
        view.scan(&span, Order::Ascending, |key, record: R| {
            if record.matches(wanted) {
                found.keys.push(key.to_vec());
                found.in_use += record.counted(wanted);
            }
            seen += 1;
            if seen < SCAN_BATCH {
                return ControlFlow::Continue(());
            }
            found.next = Some([key, &[0]].concat());
            ControlFlow::Break(())
        })?;
        Ok(found)
    }
}

/// Erases those of the records that still exist and still match.
async fn erase<E: Engine, R: Erasable>(
    database: &Database<E>,
    wanted: &Arc<ErasureTarget>,
    keys: Vec<Vec<u8>>,
) -> Result<(), StoreError> {
    let wanted = Arc::clone(wanted);
    let transaction = database.write(move |transaction| {
        for key in keys {
            let at = RecordKey::<R>::from_scan(&key);
            if let Some(record) = transaction
                .fetch(&at)?
                .filter(|record| record.matches(&wanted))
            {
                record.erase(transaction, at, &wanted)?;
            }
        }
        Ok(())
    });
    transaction.await
}
