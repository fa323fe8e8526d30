//! Operations on clients.

use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, already_exists};
use crate::sql::registry;
use crate::value::values;
use voight_domain::registry::{AuditEntry, Client, ClientChange};
use voight_domain::vocabulary::{ClientId, Environment};
use voight_encoding::Encode;

/// Inserts a client under the next number of the store, together with its two meters.
pub(super) async fn create(step: &Transaction, client: &Client, audit: &AuditEntry) -> Result<Client, Error> {
    step.set_client(client.id);
    let number = step.count(registry::LOCK_CLIENT_TOTAL, Vec::new()).await? + 1;
    if step.execute_sql(registry::TAKE_NAME, values![&client.name, client.id]).await? == 0 {
        return Err(already_exists("the client's name"));
    }
    if step.execute_sql(registry::ADD_CLIENT, values![client.id, number, client.encode()]).await? == 0 {
        return Err(already_exists("the client's id"));
    }
    step.enqueue_write(registry::SET_CLIENT_TOTAL, values![number]);
    for environment in [Environment::Live, Environment::Sandbox] {
        step.enqueue_write(registry::ADD_METER, values![client.id, environment]);
    }
    common::audit(step, audit).await?;
    Ok(client.clone())
}

/// Returns at most `limit` clients with ids greater than `after`.
pub(super) async fn list(step: &Transaction, after: Option<ClientId>, limit: usize) -> Result<Vec<Client>, Error> {
    let after = after.map(|id| id.to_bytes().to_vec()).unwrap_or_default();
    step.list(registry::CLIENTS, values![after, limit]).await
}

/// Applies a change to a client.
pub(super) async fn change(
    step: &Transaction,
    id: ClientId,
    change: &ClientChange,
    audit: &AuditEntry,
) -> Result<Option<Client>, Error> {
    let Some(before) = common::lock_client(step, id).await? else { return Ok(None) };
    let changed = before.client.with_change(change.clone());
    step.enqueue_write(registry::SET_CLIENT, values![id, changed.encode()]);
    common::audit(step, audit).await?;
    Ok(Some(changed))
}
