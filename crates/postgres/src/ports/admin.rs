//! Verdict overrides, the audit log and the signing key.

use crate::PostgresStore;
use crate::common::{self, ContextKey};
use crate::connection::Transaction;
use crate::error::{Error, conflict, not_found};
use crate::sql::{admin, check};
use crate::value::{RowExt, values};
use async_trait::async_trait;
use std::io;
use voight_domain::events::verdict_event;
use voight_domain::ports::{
    AdminStore, AuditRecord, Health, Override, StoreError, StoreInfo, VerdictRecord,
};
use voight_domain::registry::{AuditEntry, AuditHead};
use voight_domain::verdict::{Event, EventKind, Verdict};
use voight_domain::vocabulary::{ContextId, EoaAddress};
use voight_encoding::Encode;

#[async_trait]
impl AdminStore for PostgresStore {
    async fn verdicts(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> Result<Vec<VerdictRecord>, StoreError> {
        let arguments = (context.clone(), after, limit);
        self.read(arguments, |transaction, (context, after, limit)| {
            Box::pin(verdicts(transaction, context, *after, *limit))
        })
        .await
    }

    async fn override_verdict(
        &self,
        change: Override,
        audit: AuditEntry,
    ) -> Result<Verdict, StoreError> {
        self.write((change, audit), |transaction, (change, audit)| {
            Box::pin(override_in(transaction, change, audit))
        })
        .await
    }

    async fn audit(&self, after: u64, limit: usize) -> Result<Vec<AuditRecord>, StoreError> {
        self.read((after, limit), |transaction, (after, limit)| {
            Box::pin(audit(transaction, *after, *limit))
        })
        .await
    }

    async fn audit_head(&self) -> Result<AuditHead, StoreError> {
        let head = self
            .read((), |transaction, ()| {
                Box::pin(transaction.fetch(admin::AUDIT_HEAD, Vec::new()))
            })
            .await?;
        Ok(head.unwrap_or_else(AuditHead::genesis))
    }

    async fn signing_key(&self) -> Result<u32, StoreError> {
        self.read((), |transaction, ()| {
            Box::pin(signing_key(transaction, admin::SIGNING_KEY))
        })
        .await
    }

    async fn activate_signing_key(&self, number: u32, audit: AuditEntry) -> Result<(), StoreError> {
        self.write((number, audit), |transaction, (number, audit)| {
            Box::pin(use_signing_key(transaction, *number, audit))
        })
        .await
    }

    fn backup(&self, _: &mut dyn io::Write) -> Result<u64, StoreError> {
        let why = "a store on PostgreSQL is backed up by the database's own tools; use pg_basebackup, or pg_dump";
        Err(StoreError::Conflict(why.to_owned()))
    }

    fn info(&self) -> StoreInfo {
        self.info.clone()
    }

    fn health(&self) -> Health {
        self.transactions.health()
    }
}

async fn verdicts(
    transaction: &Transaction,
    context: &ContextId,
    previous_address: Option<EoaAddress>,
    limit: usize,
) -> Result<Vec<VerdictRecord>, Error> {
    let Some(client) = common::context_owner(transaction, context).await? else {
        return Ok(Vec::new());
    };
    let previous_address = previous_address
        .map(|address| address.as_bytes().to_vec())
        .unwrap_or_default();
    let rows = transaction
        .rows(
            admin::VERDICTS,
            values![client, context, previous_address, limit],
        )
        .await?;
    let records = rows.iter().map(|row| {
        Ok(VerdictRecord {
            address: EoaAddress::from_bytes(row.byte_array(0)?),
            verdict: row.record(1)?,
        })
    });
    records.collect()
}

async fn override_in(
    transaction: &Transaction,
    change: &Override,
    audit: &AuditEntry,
) -> Result<Verdict, Error> {
    let context = &change.context;
    let owned_context = common::lock_context(transaction, context).await?;
    let (client, locked_context) = owned_context.ok_or_else(|| not_found("context", context))?;
    let context_key = ContextKey { client, context };
    let now = transaction.now();
    let old_verdict = common::lock_verdict(transaction, context_key, change.address).await?;
    let verdict = old_verdict
        .unwrap_or_default()
        .overridden(change.verdict, change.tau, now);
    transaction.enqueue_write(
        check::SET_VERDICT,
        values![client, context, change.address, verdict.encode()],
    );
    transaction.enqueue_write(
        check::DROP_TOMBSTONE,
        values![client, context, change.digest],
    );
    let kind = EventKind::Overridden {
        epoch: verdict.epoch,
        to: change.verdict,
        reason: change.reason.clone(),
    };
    let event = Event { at: now, kind };
    common::append_events(transaction, context_key, change.address, &[event]).await?;
    let client_event = verdict_event(
        &locked_context,
        change.address,
        old_verdict.as_ref(),
        &verdict,
    );
    common::append_client_events(transaction, client, client_event).await?;
    common::audit(transaction, audit).await?;
    Ok(verdict)
}

async fn audit(
    transaction: &Transaction,
    after: u64,
    limit: usize,
) -> Result<Vec<AuditRecord>, Error> {
    let rows = transaction
        .rows(admin::AUDIT, values![after, limit])
        .await?;
    rows.iter()
        .map(|row| {
            Ok(AuditRecord {
                seq: row.number(0)?,
                entry: row.record(1)?,
            })
        })
        .collect()
}

async fn signing_key(transaction: &Transaction, sql: &'static str) -> Result<u32, Error> {
    u32::try_from(transaction.count(sql, Vec::new()).await?).map_err(Error::damaged)
}

async fn use_signing_key(
    transaction: &Transaction,
    number: u32,
    audit: &AuditEntry,
) -> Result<(), Error> {
    let in_use = signing_key(transaction, admin::LOCK_SIGNING_KEY).await?;
    if number == in_use {
        return Ok(());
    }
    if in_use.checked_add(1) != Some(number) {
        return Err(conflict(format_args!(
            "signing key {number} does not follow {in_use}"
        )));
    }
    transaction.enqueue_write(admin::SET_SIGNING_KEY, values![number]);
    common::audit(transaction, audit).await
}
