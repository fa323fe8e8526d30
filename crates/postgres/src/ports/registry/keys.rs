//! Operations on API keys.

use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, already_exists};
use crate::sql::registry;
use crate::value::{RowExt, values};
use voight_domain::registry::{AuditEntry, Key, KeyChange, KeySecret, KeyUse, KeyWithClient};
use voight_domain::vocabulary::{ClientId, KeyId};
use voight_encoding::Encode;

async fn owner(step: &Transaction, id: KeyId) -> Result<Option<ClientId>, Error> {
    let row = step.row(registry::KEY_OWNER, values![id]).await?;
    row.map(|row| row.byte_array(0).map(ClientId::from_bytes)).transpose()
}

/// Reads the key with this id.
pub(super) async fn find(step: &Transaction, id: KeyId) -> Result<Option<Key>, Error> {
    match owner(step, id).await? {
        Some(client) => step.fetch(registry::KEY, values![client, id]).await,
        None => Ok(None),
    }
}

/// Reads the key with this id, and its client.
pub(in crate::ports) async fn holder(step: &Transaction, id: KeyId) -> Result<Option<KeyWithClient>, Error> {
    let Some(key) = find(step, id).await? else { return Ok(None) };
    let client = step.fetch(registry::CLIENT, values![key.client]).await?;
    Ok(client.map(|client| KeyWithClient { key, client }))
}

/// Inserts a key under the next number of its client.
pub(super) async fn create(step: &Transaction, key: &Key, audit: &AuditEntry) -> Result<Option<Key>, Error> {
    let Some(client) = common::lock_client(step, key.client).await? else { return Ok(None) };
    let number = u32::try_from(client.keys + 1).map_err(Error::damaged)?;
    let key = Key { number, ..key.clone() };
    if step.execute_sql(registry::TAKE_KEY, values![key.id, key.client]).await? == 0 {
        return Err(already_exists("the key's id"));
    }
    for secret in &key.secrets {
        insert(step, &key, secret).await?;
    }
    step.enqueue_write(registry::SET_KEYS, values![key.client, number]);
    step.enqueue_write(registry::ADD_KEY, values![key.client, key.id, key.encode()]);
    common::audit(step, audit).await?;
    Ok(Some(key))
}

/// Applies a change to a key, and updates the directory of digests to exactly those of its secrets.
pub(super) async fn change(
    step: &Transaction,
    id: KeyId,
    change: &KeyChange,
    audit: &AuditEntry,
) -> Result<Option<Key>, Error> {
    let Some(client) = owner(step, id).await? else { return Ok(None) };
    common::lock_client(step, client).await?;
    let Some(before) = step.fetch::<Key>(registry::KEY, values![client, id]).await? else { return Ok(None) };
    let old: Vec<_> = before.secrets.iter().map(|secret| secret.digest).collect();
    if let Some(secret) = change.new_secret() {
        insert(step, &before, secret).await?;
    }
    let key = before.with_change(change.clone(), step.now());
    for digest in old.into_iter().filter(|digest| !key.secrets.iter().any(|secret| secret.digest == *digest)) {
        step.enqueue_write(registry::DROP_DIGEST, values![digest]);
    }
    step.enqueue_write(registry::SET_KEY, values![client, id, key.encode()]);
    common::audit(step, audit).await?;
    Ok(Some(key))
}

/// Stores the last use of a key if it is due. Cached keys stay valid, because a use does not affect authorisation.
pub(super) async fn store_use(step: &Transaction, KeyUse { key: id, at }: KeyUse) -> Result<(), Error> {
    let Some(client) = owner(step, id).await? else { return Ok(()) };
    common::lock_client(step, client).await?;
    let key = step.fetch::<Key>(registry::KEY, values![client, id]).await?;
    if let Some(used) = key.and_then(|key| key.after_use(at)) {
        step.enqueue_write(registry::SET_KEY, values![client, id, used.encode()]);
    }
    Ok(())
}

async fn insert(step: &Transaction, key: &Key, secret: &KeySecret) -> Result<(), Error> {
    let taking = values![secret.digest, key.client, key.id, key.environment];
    if step.execute_sql(registry::TAKE_DIGEST, taking).await? == 0 {
        Err(already_exists("the key's digest"))
    } else {
        Ok(())
    }
}
