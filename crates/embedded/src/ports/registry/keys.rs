//! Write transactions on API keys.

use crate::common::{self, already_exists};
use crate::read_records::ReadRecords;
use crate::record::{ApiKeyIndex, ApiKeyLocation, ClientCounters};
use crate::table::{self, ClientNumber};
use crate::write_transaction::WriteTransaction;
use voight_domain::events::key_event;
use voight_domain::ports::StoreError;
use voight_domain::registry::{AuditEntry, Key, KeyChange, KeyUse, KeyWithClient, NewKey};
use voight_domain::vocabulary::{KeyId, Timestamp};

/// Returns an API key with its client's number.
pub(super) fn find(
    view: &impl ReadRecords,
    id: KeyId,
) -> Result<Option<(ClientNumber, Key)>, StoreError> {
    let Some(ApiKeyIndex(client_number)) = view.fetch(&table::key_owner(id))? else {
        return Ok(None);
    };
    Ok(view
        .fetch(&table::key(client_number, id))?
        .map(|key| (client_number, key)))
}

/// Returns an API key with its client and the client's number.
pub(in crate::ports) fn find_with_client(
    view: &impl ReadRecords,
    id: KeyId,
) -> Result<Option<(ClientNumber, KeyWithClient)>, StoreError> {
    let Some((client_number, key)) = find(view, id)? else {
        return Ok(None);
    };
    let client = view.fetch(&table::client(key.client))?;
    Ok(client.map(|record| {
        (
            client_number,
            KeyWithClient {
                key,
                client: record.client,
            },
        )
    }))
}

/// Stores a new API key and assigns its number within the client.
pub(super) fn create(
    transaction: &mut WriteTransaction<'_>,
    key: NewKey,
    audit: &AuditEntry,
    now: Timestamp,
) -> Result<Option<Key>, StoreError> {
    let Some(client_number) = common::client_number(transaction, key.client)? else {
        return Ok(None);
    };
    if transaction.holds(&table::key_owner(key.id))? {
        return Err(already_exists("the key's id"));
    }
    for secret in &key.secrets {
        if transaction.holds(&table::key_digest(secret.digest))? {
            return Err(already_exists("the key's digest"));
        }
        transaction.put(
            table::key_digest(secret.digest),
            &ApiKeyLocation {
                client_number,
                key: key.id,
            },
        );
    }
    let counts = common::client_counters(transaction, client_number)?;
    let key = Key {
        number: counts.keys + 1,
        ..key
    };
    transaction.put(
        table::counts(client_number),
        &ClientCounters {
            keys: key.number,
            ..counts
        },
    );
    transaction.put(table::key_owner(key.id), &ApiKeyIndex(client_number));
    transaction.put(table::key(client_number, key.id), &key);
    common::append_client_event(transaction, client_number, key_event(None, &key), now)?;
    common::append_audit(transaction, audit)?;
    Ok(Some(key))
}

/// Applies a change to an API key, and updates the index of its secrets' digests.
pub(super) fn change(
    transaction: &mut WriteTransaction<'_>,
    id: KeyId,
    change: KeyChange,
    audit: &AuditEntry,
    now: Timestamp,
) -> Result<Option<Key>, StoreError> {
    let Some((client_number, old_key)) = find(transaction, id)? else {
        return Ok(None);
    };
    let old_digests: Vec<_> = old_key.secrets.iter().map(|secret| secret.digest).collect();
    if let Some(secret) = change.new_secret()
        && transaction.holds(&table::key_digest(secret.digest))?
    {
        return Err(already_exists("the key's digest"));
    }
    let key = old_key.clone().with_change(change, now);
    for digest in old_digests {
        transaction.remove(table::key_digest(digest));
    }
    for secret in &key.secrets {
        transaction.put(
            table::key_digest(secret.digest),
            &ApiKeyLocation {
                client_number,
                key: id,
            },
        );
    }
    transaction.put(table::key(client_number, id), &key);
    let event = key_event(Some(&old_key), &key);
    common::append_client_event(transaction, client_number, event, now)?;
    common::append_audit(transaction, audit)?;
    Ok(Some(key))
}

/// Stores the uses of API keys that are due.
pub(super) fn store_uses(
    transaction: &mut WriteTransaction<'_>,
    uses: &[KeyUse],
) -> Result<(), StoreError> {
    for KeyUse { key: id, at } in uses {
        if let Some((client_number, key)) = find(transaction, *id)?
            && let Some(used_key) = key.after_use(*at)
        {
            transaction.put(table::key(client_number, *id), &used_key);
        }
    }
    Ok(())
}
