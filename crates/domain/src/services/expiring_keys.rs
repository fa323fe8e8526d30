//! Keys that expire soon.

use super::read_all::PAGE;
use super::{MaintenanceService, RegistryService};
use crate::ports::StoreError;
use crate::registry::{
    Actor, AuditAction, AuditEntry, ClientStatus, KEY_EXPIRY_NOTICE, Key, KeyChange,
};
use crate::vocabulary::Timestamp;

impl RegistryService {
    /// Returns the active keys that expire within [`KEY_EXPIRY_NOTICE`], except those of closed clients. Reads every client
    /// and key.
    pub async fn expiring_keys(&self) -> Result<Vec<Key>, StoreError> {
        let now = self.now();
        let mut expiring_keys = Vec::new();
        let mut last_client = None;
        loop {
            let clients = self.store.clients(last_client, PAGE).await?;
            for client in &clients {
                if client.status == ClientStatus::Closed {
                    continue;
                }
                let mut keys = self.store.keys(client.id).await?;
                keys.retain(|key| key.expires_within(KEY_EXPIRY_NOTICE, now));
                expiring_keys.append(&mut keys);
            }
            if clients.len() < PAGE {
                return Ok(expiring_keys);
            }
            last_client = clients.last().map(|client| client.id);
        }
    }
}

impl MaintenanceService {
    /// Reports keys that expire soon to their clients, once for each key, by an event in the feed. The first error is
    /// returned after all keys.
    ///
    /// Of several nodes on one store, only the leader does anything.
    pub async fn report_expiring_keys(
        &self,
        keys: &[Key],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut first_error = None;
        for key in keys.iter().filter(|key| key.is_expiry_due_for_report(now)) {
            if !self.store().try_acquire_lease().await? {
                return Ok(());
            }
            let audit = AuditEntry {
                at: now,
                actor: Actor::Service,
                action: AuditAction::KeyExpiring,
                subject: key.id.to_string(),
                detail: "the key expires soon; reported to its client by an event".to_owned(),
            };
            let change = KeyChange::ReportExpiry;
            if let Err(error) = self.store().change_key(key.id, change, audit).await {
                first_error.get_or_insert(error);
            }
        }
        first_error.map_or(Ok(()), Err)
    }
}
