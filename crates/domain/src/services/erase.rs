//! Removing what is known of an address.

use super::reason::validate_reason;
use super::{OperatorService, ServiceError};
use crate::ports::{Erasure, ErasureCounts, ErasureScope, StoreError};
use crate::registry::{AuditAction, AuditEntry, Context};
use crate::secrets::AddressDigest;
use crate::vocabulary::EoaAddress;

/// What an erase has removed, or a dry run would.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErasureReport {
    /// What names the address in the audit log.
    pub audit_digest: AddressDigest,
    /// What went, or would go.
    pub erased: ErasureCounts,
}

impl OperatorService {
    /// Removes what is known of an address from the whole store, audited with the reason once it is done. A dry run needs the
    /// reason too, so that the same words can be sent for good.
    ///
    /// An erase that failed half-way is finished by making it again.
    pub async fn erase(&self, address: EoaAddress, reason: &str, dry_run: bool) -> Result<ErasureReport, ServiceError> {
        let reason = validate_reason("an erase", reason)?;
        let places = self.erasure_scopes(&address).await?;
        let erased = self.store.erase(&Erasure { address, scopes: places, dry_run }).await?;
        let audit_digest = self.secrets.audit_address_digest(&address);
        if !dry_run {
            self.store
                .append_audit(AuditEntry {
                    at: self.clock.now(),
                    actor: self.actor.clone(),
                    action: AuditAction::AddressErased,
                    subject: audit_digest.to_string(),
                    detail: format!("{}: {reason}", describe(&erased)),
                })
                .await?;
        }
        Ok(ErasureReport { audit_digest, erased })
    }

    /// Every context there is, with what stands for the address there.
    async fn erasure_scopes(&self, address: &EoaAddress) -> Result<Vec<ErasureScope>, StoreError> {
        let place = |context: Context| ErasureScope {
            digest: self.secrets.address_digest(&context.id, address),
            claim: self.secrets.lookup_fingerprint(&context.id, address),
            context: context.id,
        };
        Ok(self.contexts().await?.into_iter().map(place).collect())
    }
}

fn describe(erased: &ErasureCounts) -> String {
    let ErasureCounts {
        verdicts,
        events,
        ledger_addresses: openings,
        idempotency_records: claims,
        receipts,
        labels,
        batches,
        links,
        tombstones,
    } = erased;
    let tombstones = tombstones.len();
    format!(
        "{verdicts} verdicts, {events} events, {openings} openings, {claims} claims, {receipts} receipts, {labels} labels, {batches} batches of evidence, {links} links; {tombstones} tombstones"
    )
}
