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
pub(super) async fn create(
    transaction: &Transaction,
    client: &Client,
    audit: &AuditEntry,
) -> Result<Client, Error> {
    transaction.set_client(client.id);
    let number = transaction
        .count(registry::LOCK_CLIENT_TOTAL, Vec::new())
        .await?
        + 1;
    if transaction
        .execute_sql(registry::TAKE_NAME, values![&client.name, client.id])
        .await?
        == 0
    {
        return Err(already_exists("the client's name"));
    }
    if transaction
        .execute_sql(
            registry::ADD_CLIENT,
            values![client.id, number, client.encode()],
        )
        .await?
        == 0
    {
        return Err(already_exists("the client's id"));
    }
    transaction.enqueue_write(registry::SET_CLIENT_TOTAL, values![number]);
    for environment in [Environment::Live, Environment::Sandbox] {
        transaction.enqueue_write(registry::ADD_METER, values![client.id, environment]);
    }
    common::audit(transaction, audit).await?;
    Ok(client.clone())
}

/// Returns at most `limit` clients with ids greater than `after`.
pub(super) async fn list(
    transaction: &Transaction,
    previous_id: Option<ClientId>,
    limit: usize,
) -> Result<Vec<Client>, Error> {
    let previous_id = previous_id
        .map(|id| id.to_bytes().to_vec())
        .unwrap_or_default();
    transaction
        .list(registry::CLIENTS, values![previous_id, limit])
        .await
}

/// Applies a change to a client.
pub(super) async fn change(
    transaction: &Transaction,
    id: ClientId,
    change: &ClientChange,
    audit: &AuditEntry,
) -> Result<Option<Client>, Error> {
    let Some(client_row) = common::lock_client(transaction, id).await? else {
        return Ok(None);
    };
    let new_client = client_row.client.with_change(change.clone());
    transaction.enqueue_write(registry::SET_CLIENT, values![id, new_client.encode()]);
    common::audit(transaction, audit).await?;
    Ok(Some(new_client))
}
