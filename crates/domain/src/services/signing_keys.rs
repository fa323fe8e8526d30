//! The keys that sign receipts and heads of ledgers.

use super::{Operator, RegistrarError};
use crate::ports::StoreError;
use crate::registry::{Actor, AuditAction, AuditEntry};
use crate::secrets::{PublicKey, PublicKeys};

impl Operator {
    /// Signs with the key on record from now on: what comes first when a store was opened.
    pub async fn load_signing_key(&self) -> Result<(), StoreError> {
        self.secrets.raise_signer(self.store.signing_key().await?);
        Ok(())
    }

    /// The signing keys, the one in use first.
    pub fn signing_keys(&self) -> PublicKeys {
        self.secrets.signer().public_keys().clone()
    }

    /// Signs with a new key from now on, and returns its public half. What was signed before still verifies.
    pub async fn rotate_signing_key(&self) -> Result<PublicKey, RegistrarError> {
        let number = self.store.signing_key().await?.saturating_add(1);
        let next = self.secrets.signer_numbered(number).public_key().clone();
        let entry = AuditEntry {
            at: self.clock.now(),
            actor: Actor::Operator,
            action: AuditAction::SigningKeyRotated,
            subject: next.kid.clone(),
            detail: format!("number {number}"),
        };
        self.store.use_signing_key(number, entry).await?;
        self.secrets.raise_signer(number);
        Ok(next)
    }
}
