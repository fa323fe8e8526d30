//! Verifies clients, API keys and contexts, and their indexes.

use super::record::{VerifyState, client_number, count_records, ensure_key, require};
use super::{corrupt, ensure};
use crate::Read;
use crate::read_records::ReadRecords;
use crate::record::{
    ApiKeyIndex, ApiKeyLocation, ClientCount, ClientCounters, ClientNameIndex, ClientRecord, ContextLocation,
};
use crate::table::{self, ClientNumber, KeyRange, tail};
use voight_domain::ports::StoreError;
use voight_domain::registry::{AdminToken, Context, Key};
use voight_domain::vocabulary::{ClientId, ContextId, KeyId};

pub(super) fn client(
    view: &impl Read,
    seen: &mut VerifyState,
    key: &[u8],
    record: &ClientRecord,
) -> Result<(), StoreError> {
    let client = &record.client;
    ensure_key(key, &table::client(client.id))?;
    ensure(require(view, &table::name(&client.name))?.0 == client.id, "its name leads to another client")?;
    let total = require(view, &table::client_total())?.0;
    ensure((1..=total).contains(&record.client_number.0), "its number was never given out")?;
    let other = seen.clients.insert(record.client_number.0, client.id);
    ensure(other.is_none_or(|other| other == client.id), "another client has its number")
}

pub(super) fn key(view: &impl Read, stored: &[u8], key: &Key) -> Result<(), StoreError> {
    let client_number = client_number(stored)?;
    ensure_key(stored, &table::key(client_number, key.id))?;
    owned(view, key.client, client_number)?;
    ensure(require(view, &table::key_owner(key.id))?.0 == client_number, "its id leads to another client")?;
    let counts = require(view, &table::counts(client_number))?;
    ensure((1..=counts.keys).contains(&key.number), "its number was never given out")?;
    for secret in &key.secrets {
        let location = require(view, &table::key_digest(secret.digest))?;
        ensure(location == ApiKeyLocation { client_number, key: key.id }, "a digest of it leads to another key")?;
    }
    Ok(())
}

pub(super) fn key_digest(view: &impl Read, stored: &[u8], location: ApiKeyLocation) -> Result<(), StoreError> {
    let key = require(view, &table::key(location.client_number, location.key))?;
    let known = key.secrets.iter().any(|secret| stored.get(1..) == Some(secret.digest.0.as_slice()));
    ensure(known, "the key that it leads to has another digest")
}

pub(super) fn key_owner(view: &impl Read, stored: &[u8], owner: ApiKeyIndex) -> Result<(), StoreError> {
    let id = tail(stored).map(KeyId::from_bytes).ok_or_else(|| corrupt("its key is too short"))?;
    ensure_key(stored, &table::key_owner(id))?;
    require(view, &table::key(owner.0, id)).map(drop)
}

pub(super) fn name(view: &impl Read, stored: &[u8], owner: ClientNameIndex) -> Result<(), StoreError> {
    let found = require(view, &table::client(owner.0))?;
    ensure(stored.get(1..) == Some(found.client.name.as_str().as_bytes()), "the client it leads to has another name")
}

pub(super) fn total(view: &impl Read, total: ClientCount) -> Result<(), StoreError> {
    let clients = count_records(view, &KeyRange::<ClientRecord>::all())?;
    ensure(clients == u64::from(total.0), "there are more or fewer clients than it says")
}

pub(super) fn counts(view: &impl Read, stored: &[u8], counts: ClientCounters) -> Result<(), StoreError> {
    let client_number = client_number(stored)?;
    let keys = count_records(view, &table::keys(client_number))?;
    ensure(keys == u64::from(counts.keys), "there are more or fewer keys than it says")?;
    let contexts = count_records(view, &table::contexts(client_number))?;
    ensure(contexts == u64::from(counts.contexts), "there are more or fewer contexts than it says")
}

pub(super) fn context(view: &impl Read, stored: &[u8], context: &Context) -> Result<(), StoreError> {
    let client_number = client_number(stored)?;
    ensure_key(stored, &table::context(client_number, &context.id))?;
    owned(view, context.client, client_number)?;
    let location = require(view, &table::context_key(&context.id))?;
    ensure(location == ContextLocation { client_number, number: context.number }, "its id leads to another context")?;
    let counts = require(view, &table::counts(client_number))?;
    ensure((1..=counts.contexts).contains(&context.number), "its number was never given out")?;
    let key = require(view, &table::key(client_number, context.key))?;
    ensure(key.environment == context.environment, "the key that it is tied to is of another environment")
}

pub(super) fn verify_context_key(view: &impl Read, stored: &[u8], location: ContextLocation) -> Result<(), StoreError> {
    let id = stored.get(1..).and_then(|id| std::str::from_utf8(id).ok()).and_then(|id| id.parse::<ContextId>().ok());
    let id = id.ok_or_else(|| corrupt("its key is no id of a context"))?;
    let context = require(view, &table::context(location.client_number, &id))?;
    ensure(context.number == location.number, "the context it leads to has another number")
}

/// Checks that `client` has the number `client_number`.
fn owned(view: &impl Read, client: ClientId, client_number: ClientNumber) -> Result<(), StoreError> {
    let found = view.fetch(&table::client(client))?.ok_or_else(|| corrupt("its client is missing"))?;
    ensure(found.client_number == client_number, "it is kept with another client")
}

/// Verifies only the key: no other record refers to an admin token.
pub(super) fn admin_token(key: &[u8], token: &AdminToken) -> Result<(), StoreError> {
    ensure_key(key, &table::admin_token(token.id))
}
