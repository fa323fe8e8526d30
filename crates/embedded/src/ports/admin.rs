//! Administration: verdicts, overrides, audit log, signing keys, backups.

use crate::common::{self, not_found};
use crate::read_records::ReadRecords;
use crate::record::SigningKeyNumber;
use crate::table::{self, KeyRange};
use crate::write_transaction::WriteTransaction;
use crate::{EmbeddedStore, write_dump};
use async_trait::async_trait;
use std::io;
use std::sync::Arc;
use voight_domain::events::verdict_event;
use voight_domain::ports::{
    AdminStore, AuditRecord, Health, Override, StoreError, StoreInfo, VerdictRecord,
};
use voight_domain::registry::{AuditEntry, AuditHead};
use voight_domain::verdict::{Event, EventKind, Verdict};
use voight_domain::vocabulary::{ContextId, EoaAddress, Timestamp};
use voight_engine::{Engine, Order};

#[async_trait]
impl<E: Engine> AdminStore for EmbeddedStore<E> {
    async fn verdicts(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> Result<Vec<VerdictRecord>, StoreError> {
        self.main.read(|view| {
            let Some(context_key) = view.fetch(&table::context_key(context))? else {
                return Ok(Vec::new());
            };
            let page = table::verdicts(context_key)
                .after_any(after.map(|address| table::verdict(context_key, &address)));
            let records = view.collect(&page, Order::Ascending, limit, |key, verdict| {
                let address = EoaAddress::from_bytes(table::tail(key)?);
                Some(VerdictRecord { address, verdict })
            })?;
            Ok(records.into_iter().flatten().collect())
        })
    }

    async fn override_verdict(
        &self,
        change: Override,
        audit: AuditEntry,
    ) -> Result<Verdict, StoreError> {
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| override_in(transaction, change, &audit, clock.now()))
            .await
    }

    async fn audit(&self, after: u64, limit: usize) -> Result<Vec<AuditRecord>, StoreError> {
        self.main.read(|view| {
            let page = KeyRange::all().starting_after(table::audit(after));
            let records = view.collect(&page, Order::Ascending, limit, |key, entry| {
                Some(AuditRecord {
                    seq: u64::from_be_bytes(table::tail(key)?),
                    entry,
                })
            })?;
            Ok(records.into_iter().flatten().collect())
        })
    }

    async fn audit_head(&self) -> Result<AuditHead, StoreError> {
        self.main.read(common::audit_head)
    }

    async fn signing_key(&self) -> Result<u32, StoreError> {
        self.main
            .read(|view| Ok(view.fetch(&table::signing_key())?.unwrap_or_default().0))
    }

    async fn activate_signing_key(&self, number: u32, audit: AuditEntry) -> Result<(), StoreError> {
        self.main
            .write(move |transaction| use_signing_key(transaction, number, &audit))
            .await
    }

    /// Streams a dump. Corruption stops the store, as in any other read.
    fn backup(&self, mut out: &mut dyn io::Write) -> Result<u64, StoreError> {
        // The order matters: see `write_dump`.
        let evidence = self.evidence.snapshot()?;
        let main = self.main.snapshot()?;
        let dump_result = write_dump(&self.identity, &main, Some(&evidence), &mut out);
        dump_result
            .map(|summary| summary.rows)
            .map_err(StoreError::from)
            .inspect_err(|error| self.main.fail_stop_on(error))
    }

    fn info(&self) -> StoreInfo {
        StoreInfo {
            engine: self.main.name().to_owned(),
            identity: self.identity.id(),
            format: self.identity.format(),
            created_at: self.identity.created_at(),
        }
    }

    /// Returns the health of the main database. A failure of the evidence database fails both; without space for
    /// evidence lookups continue.
    fn health(&self) -> Health {
        self.main.health()
    }
}

fn use_signing_key(
    transaction: &mut WriteTransaction<'_>,
    number: u32,
    audit: &AuditEntry,
) -> Result<(), StoreError> {
    let SigningKeyNumber(in_use) = transaction
        .fetch(&table::signing_key())?
        .unwrap_or_default();
    if number == in_use {
        return Ok(());
    }
    if in_use.checked_add(1) != Some(number) {
        return Err(StoreError::Conflict(format!(
            "signing key {number} does not follow {in_use}"
        )));
    }
    transaction.put(table::signing_key(), &SigningKeyNumber(number));
    common::append_audit(transaction, audit)
}

fn override_in(
    transaction: &mut WriteTransaction<'_>,
    change: Override,
    audit: &AuditEntry,
    now: Timestamp,
) -> Result<Verdict, StoreError> {
    let (context_key, context) =
        common::context(transaction, &change.context)?.ok_or_else(|| not_found("context"))?;
    let at = table::verdict(context_key, &change.address);
    let old_verdict = transaction.fetch(&at)?;
    let verdict = old_verdict
        .unwrap_or_default()
        .overridden(change.verdict, change.tau, now);
    transaction.put(at, &verdict);
    let client_event = verdict_event(&context, change.address, old_verdict.as_ref(), &verdict);
    common::append_client_event(transaction, context_key.client_number, client_event, now)?;
    transaction.remove(table::tombstone(context_key, change.digest));
    let kind = EventKind::Overridden {
        epoch: verdict.epoch,
        to: change.verdict,
        reason: change.reason,
    };
    common::append_event(
        transaction,
        context_key,
        &change.address,
        &Event { at: now, kind },
    )?;
    common::append_audit(transaction, audit)?;
    Ok(verdict)
}
