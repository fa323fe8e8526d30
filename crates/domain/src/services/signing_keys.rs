//! Keys that sign receipts and ledger heads.

use super::read_all::PAGE;
use super::{OperatorService, ServiceError};
use crate::ports::StoreError;
use crate::registry::AuditAction;
use crate::secrets::{PublicKey, PublicKeys, Signer, SigningKeyRotation};
use std::collections::BTreeMap;
use std::sync::Arc;

impl OperatorService {
    /// Activates the signing key whose number is stored; returns `true` if another key was in use before.
    ///
    /// Called after a store is opened, and then periodically, because another node may have rotated the key.
    pub async fn load_signing_key(&self) -> Result<bool, StoreError> {
        let number = self.store.signing_key().await?;
        let in_use = self.secrets.signer().number();
        if number <= in_use {
            return Ok(false);
        }
        let rotations = self.rotations(in_use, number).await?;
        self.secrets.rotate_signer_to(number, &rotations);
        Ok(true)
    }

    /// Returns the signer, with the dates of the known rotations.
    pub fn signer(&self) -> Arc<Signer> {
        self.secrets.signer()
    }

    /// Returns the rotations after number `after` up to number `last`, dated by the audit log. The log is read
    /// backwards, so recent rotations are found first.
    async fn rotations(
        &self,
        after: u32,
        last: u32,
    ) -> Result<Vec<SigningKeyRotation>, StoreError> {
        let signer = self.secrets.signer_by_number(last);
        let numbers = (after.saturating_add(1)..=last).rev();
        let mut missing: BTreeMap<_, _> = numbers
            .zip(&signer.public_keys().0)
            .map(|(number, key)| (key.kid.as_str(), number))
            .collect();
        let mut rotations = Vec::new();
        let mut end = self.store.audit_head().await?.seq;
        while end > 0 && !missing.is_empty() {
            let limit = PAGE.min(usize::try_from(end).unwrap_or(PAGE));
            end = end.saturating_sub(limit as u64);
            let entries = self
                .store
                .audit(end, limit)
                .await?
                .into_iter()
                .rev()
                .map(|record| record.entry);
            for entry in entries.filter(|entry| entry.action == AuditAction::SigningKeyRotated) {
                let number = missing.remove(entry.subject.as_str());
                rotations.extend(number.map(|number| SigningKeyRotation {
                    number,
                    at: entry.at,
                }));
            }
        }
        Ok(rotations)
    }

    /// Returns the public signing keys, the one in use first.
    pub fn signing_keys(&self) -> PublicKeys {
        self.secrets.signer().public_keys().clone()
    }

    /// Rotates the signing key and returns the public half of the new key. Existing signatures stay valid; receipts
    /// dated after the rotation are no longer accepted under the old key.
    pub async fn rotate_signing_key(&self) -> Result<PublicKey, ServiceError> {
        self.load_signing_key().await?;
        let number = self.secrets.signer().number().saturating_add(1);
        let next = self.secrets.signer_by_number(number).public_key().clone();
        let entry = self.audit(
            AuditAction::SigningKeyRotated,
            &next.kid,
            format!("number {number}"),
        );
        let rotation = SigningKeyRotation {
            number,
            at: entry.at,
        };
        self.store.activate_signing_key(number, entry).await?;
        self.secrets.rotate_signer_to(number, &[rotation]);
        Ok(next)
    }
}
