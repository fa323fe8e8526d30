//! Operations on API keys.

use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, already_exists};
use crate::sql::registry;
use crate::value::{RowExt, values};
use voight_domain::events::key_event;
use voight_domain::registry::{AuditEntry, Key, KeyChange, KeySecret, KeyUse, KeyWithClient};
use voight_domain::vocabulary::{ClientId, KeyId};
use voight_encoding::Encode;

/// Reads the client of the key with this id.
pub(in crate::ports) async fn owner(
    transaction: &Transaction,
    id: KeyId,
) -> Result<Option<ClientId>, Error> {
    let row = transaction.row(registry::KEY_OWNER, values![id]).await?;
    row.map(|row| row.byte_array(0).map(ClientId::from_bytes))
        .transpose()
}

/// Reads the key with this id.
pub(super) async fn find(transaction: &Transaction, id: KeyId) -> Result<Option<Key>, Error> {
    match owner(transaction, id).await? {
        Some(client) => transaction.fetch(registry::KEY, values![client, id]).await,
        None => Ok(None),
    }
}

/// Reads the key with this id, and its client.
pub(in crate::ports) async fn find_with_client(
    transaction: &Transaction,
    id: KeyId,
) -> Result<Option<KeyWithClient>, Error> {
    let Some(key) = find(transaction, id).await? else {
        return Ok(None);
    };
    let client = transaction
        .fetch(registry::CLIENT, values![key.client])
        .await?;
    Ok(client.map(|client| KeyWithClient { key, client }))
}

/// Inserts a key under the next number of its client.
pub(super) async fn create(
    transaction: &Transaction,
    key: &Key,
    audit: &AuditEntry,
) -> Result<Option<Key>, Error> {
    let Some(client) = common::lock_client(transaction, key.client).await? else {
        return Ok(None);
    };
    let number = u32::try_from(client.keys + 1).map_err(Error::damaged)?;
    let key = Key {
        number,
        ..key.clone()
    };
    if transaction
        .execute_sql(registry::TAKE_KEY, values![key.id, key.client])
        .await?
        == 0
    {
        return Err(already_exists("the key's id"));
    }
    for secret in &key.secrets {
        insert(transaction, &key, secret).await?;
    }
    transaction.enqueue_write(registry::SET_KEYS, values![key.client, number]);
    transaction.enqueue_write(registry::ADD_KEY, values![key.client, key.id, key.encode()]);
    let event = key_event(None, &key);
    common::append_client_events(transaction, key.client, event).await?;
    common::audit(transaction, audit).await?;
    Ok(Some(key))
}

/// Applies a change to a key, and updates the directory of digests to exactly those of its secrets.
pub(super) async fn change(
    transaction: &Transaction,
    id: KeyId,
    change: &KeyChange,
    audit: &AuditEntry,
) -> Result<Option<Key>, Error> {
    let Some(client) = owner(transaction, id).await? else {
        return Ok(None);
    };
    common::lock_client(transaction, client).await?;
    let Some(old_key) = transaction
        .fetch::<Key>(registry::KEY, values![client, id])
        .await?
    else {
        return Ok(None);
    };
    let old: Vec<_> = old_key.secrets.iter().map(|secret| secret.digest).collect();
    if let Some(secret) = change.new_secret() {
        insert(transaction, &old_key, secret).await?;
    }
    let key = old_key
        .clone()
        .with_change(change.clone(), transaction.now());
    for digest in old
        .into_iter()
        .filter(|digest| !key.secrets.iter().any(|secret| secret.digest == *digest))
    {
        transaction.enqueue_write(registry::DROP_DIGEST, values![digest]);
    }
    transaction.enqueue_write(registry::SET_KEY, values![client, id, key.encode()]);
    let event = key_event(Some(&old_key), &key);
    common::append_client_events(transaction, client, event).await?;
    common::audit(transaction, audit).await?;
    Ok(Some(key))
}

/// Stores the last use of a key if it is due. Cached keys stay valid, because a use does not affect authorisation.
pub(super) async fn store_use(
    transaction: &Transaction,
    KeyUse { key: id, at }: KeyUse,
) -> Result<(), Error> {
    let Some(client) = owner(transaction, id).await? else {
        return Ok(());
    };
    common::lock_client(transaction, client).await?;
    let key = transaction
        .fetch::<Key>(registry::KEY, values![client, id])
        .await?;
    if let Some(used_key) = key.and_then(|key| key.after_use(at)) {
        transaction.enqueue_write(registry::SET_KEY, values![client, id, used_key.encode()]);
    }
    Ok(())
}

async fn insert(transaction: &Transaction, key: &Key, secret: &KeySecret) -> Result<(), Error> {
    let taking = values![secret.digest, key.client, key.id, key.environment];
    if transaction
        .execute_sql(registry::TAKE_DIGEST, taking)
        .await?
        == 0
    {
        Err(already_exists("the key's digest"))
    } else {
        Ok(())
    }
}
