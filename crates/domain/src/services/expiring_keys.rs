//! Number of keys that expire soon.

use super::RegistryService;
use super::read_all::PAGE;
use crate::ports::StoreError;
use crate::registry::ClientStatus;
use std::time::Duration;

impl RegistryService {
    /// Counts the active keys that expire within `span`, except those of closed clients. Reads every client and key.
    pub async fn count_expiring_keys(&self, span: Duration) -> Result<u64, StoreError> {
        let now = self.now();
        let mut expiring_keys = 0;
        let mut last_client = None;
        loop {
            let clients = self.store.clients(last_client, PAGE).await?;
            for client in &clients {
                if client.status == ClientStatus::Closed {
                    continue;
                }
                let keys = self.store.keys(client.id).await?;
                expiring_keys += keys
                    .iter()
                    .filter(|key| key.expires_within(span, now))
                    .count() as u64;
            }
            if clients.len() < PAGE {
                return Ok(expiring_keys);
            }
            last_client = clients.last().map(|client| client.id);
        }
    }
}
