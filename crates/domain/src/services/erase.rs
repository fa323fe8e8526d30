//! Erasure of the data of an address.

use super::read_all::read_contexts;
use super::reason::validate_reason;
use super::{OperatorService, ServiceError};
use crate::ports::{ContextFilter, EraseMode, Erasure, ErasureCounts, ErasureScope, StoreError};
use crate::registry::{AuditAction, Context};
use crate::secrets::AddressDigest;
use crate::vocabulary::EoaAddress;

/// Result of an erasure or of a dry run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErasureReport {
    /// The digest of the address in the audit log.
    pub audit_digest: AddressDigest,
    /// Numbers of records that were deleted, or would be.
    pub erased: ErasureCounts,
}

impl OperatorService {
    /// Erases the data of an address from the whole store; a completed erasure is audited with the reason.
    ///
    /// A dry run needs the reason, too, so that the same request can be repeated without `dry_run`. A failed erasure is
    /// completed by a repeat.
    pub async fn erase(
        &self,
        address: EoaAddress,
        reason: &str,
        mode: EraseMode,
    ) -> Result<ErasureReport, ServiceError> {
        let reason = validate_reason("an erase", reason)?;
        let scopes = self.erasure_scopes(&address).await?;
        let erased_records = self
            .store
            .erase(&Erasure {
                address,
                scopes,
                mode,
            })
            .await?;
        let audit_digest = self.secrets.audit_address_digest(&address);
        if mode == EraseMode::Execute {
            let detail = format!("{}: {reason}", describe(&erased_records));
            self.store
                .append_audit(self.audit(AuditAction::AddressErased, &audit_digest, detail))
                .await?;
        }
        Ok(ErasureReport {
            audit_digest,
            erased: erased_records,
        })
    }

    /// Returns all contexts, with the digests of the address in each.
    async fn erasure_scopes(&self, address: &EoaAddress) -> Result<Vec<ErasureScope>, StoreError> {
        let scope = |context: Context| ErasureScope {
            digest: self.secrets.address_digest(&context.id, address),
            request_fingerprint: self.secrets.lookup_fingerprint(&context.id, address),
            context: context.id,
        };
        Ok(read_contexts(self.store.as_ref(), ContextFilter::All)
            .await?
            .into_iter()
            .map(scope)
            .collect())
    }
}

fn describe(erased: &ErasureCounts) -> String {
    let ErasureCounts {
        verdicts,
        events,
        ledger_addresses: openings,
        idempotency_records,
        receipts,
        labels,
        batches,
        links,
        snapshot_rows,
        client_events,
        deliveries,
        tombstones,
    } = erased;
    let tombstones = tombstones.len();
    format!(
        "{verdicts} verdicts, {events} events, {openings} openings, {idempotency_records} idempotency records, {receipts} receipts, {labels} labels, {batches} batches of evidence, {links} links, {snapshot_rows} snapshot rows, {client_events} addresses in event feeds, {deliveries} responses of webhook receivers; {tombstones} tombstones"
    )
}
