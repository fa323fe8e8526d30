//! Verifies clients, API keys and contexts, and their indexes.

use super::key::client_number;
use super::record::{StoredRecord, VerifyRecord, count_records, ensure_key, require};
use super::{corrupt, ensure};
use crate::read_records::ReadRecords;
use crate::record::{
    ApiKeyIndex, ApiKeyLocation, ClientCount, ClientCounters, ClientNameIndex, ClientRecord,
    ContextLocation,
};
use crate::table::{self, ClientNumber, KeyRange, tail};
use voight_domain::ports::StoreError;
use voight_domain::registry::{AdminToken, Context, Key, User};
use voight_domain::vocabulary::{ClientId, ContextId, KeyId};
use voight_engine::Read;

impl VerifyRecord for ClientRecord {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let client = &self.client;
        ensure_key(record.key, &table::client(client.id))?;
        ensure(
            require(record.view, &table::name(&client.name))?.0 == client.id,
            "its name leads to another client",
        )?;
        let total = require(record.view, &table::client_total())?.0;
        ensure(
            (1..=total).contains(&self.client_number.0),
            "its number was never given out",
        )?;
        let previous_client = record.state.clients.insert(self.client_number.0, client.id);
        ensure(
            previous_client.is_none_or(|previous_client| previous_client == client.id),
            "another client has its number",
        )
    }
}

impl VerifyRecord for Key {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let client_number = client_number(record.key)?;
        ensure_key(record.key, &table::key(client_number, self.id))?;
        owned(record.view, self.client, client_number)?;
        ensure(
            require(record.view, &table::key_owner(self.id))?.0 == client_number,
            "its id leads to another client",
        )?;
        let counts = require(record.view, &table::counts(client_number))?;
        ensure(
            (1..=counts.keys).contains(&self.number),
            "its number was never given out",
        )?;
        for secret in &self.secrets {
            let location = require(record.view, &table::key_digest(secret.digest))?;
            ensure(
                location
                    == ApiKeyLocation {
                        client_number,
                        key: self.id,
                    },
                "a digest of it leads to another key",
            )?;
        }
        Ok(())
    }
}

impl VerifyRecord for ApiKeyLocation {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let key = require(record.view, &table::key(self.client_number, self.key))?;
        let has_digest = key
            .secrets
            .iter()
            .any(|secret| record.key.get(1..) == Some(secret.digest.0.as_slice()));
        ensure(has_digest, "the key that it leads to has another digest")
    }
}

impl VerifyRecord for ApiKeyIndex {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let id = tail(record.key)
            .map(KeyId::from_bytes)
            .ok_or_else(|| corrupt("its key is too short"))?;
        ensure_key(record.key, &table::key_owner(id))?;
        require(record.view, &table::key(self.0, id)).map(drop)
    }
}

impl VerifyRecord for ClientNameIndex {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let client_record = require(record.view, &table::client(self.0))?;
        ensure(
            record.key.get(1..) == Some(client_record.client.name.as_str().as_bytes()),
            "the client it leads to has another name",
        )
    }
}

impl VerifyRecord for ClientCount {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let clients = count_records(record.view, &KeyRange::<ClientRecord>::all())?;
        ensure(
            clients == u64::from(self.0),
            "there are more or fewer clients than it says",
        )
    }
}

impl VerifyRecord for ClientCounters {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let client_number = client_number(record.key)?;
        let keys = count_records(record.view, &table::keys(client_number))?;
        ensure(
            keys == u64::from(self.keys),
            "there are more or fewer keys than it says",
        )?;
        let contexts = count_records(record.view, &table::contexts(client_number))?;
        ensure(
            contexts == u64::from(self.contexts),
            "there are more or fewer contexts than it says",
        )
    }
}

impl VerifyRecord for Context {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let client_number = client_number(record.key)?;
        ensure_key(record.key, &table::context(client_number, &self.id))?;
        owned(record.view, self.client, client_number)?;
        let location = require(record.view, &table::context_key(&self.id))?;
        ensure(
            location
                == ContextLocation {
                    client_number,
                    number: self.number,
                },
            "its id leads to another context",
        )?;
        let counts = require(record.view, &table::counts(client_number))?;
        ensure(
            (1..=counts.contexts).contains(&self.number),
            "its number was never given out",
        )?;
        let key = require(record.view, &table::key(client_number, self.key))?;
        ensure(
            key.environment == self.environment,
            "the key that it is tied to is of another environment",
        )
    }
}

impl VerifyRecord for ContextLocation {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let id = record
            .key
            .get(1..)
            .and_then(|id| std::str::from_utf8(id).ok())
            .and_then(|id| id.parse::<ContextId>().ok());
        let id = id.ok_or_else(|| corrupt("its key is not an id of a context"))?;
        let context = require(record.view, &table::context(self.client_number, &id))?;
        ensure(
            context.number == self.number,
            "the context it leads to has another number",
        )
    }
}

/// Checks that `client` has the number `client_number`.
fn owned(
    view: &impl Read,
    client: ClientId,
    client_number: ClientNumber,
) -> Result<(), StoreError> {
    let client_record = view
        .fetch(&table::client(client))?
        .ok_or_else(|| corrupt("its client is missing"))?;
    ensure(
        client_record.client_number == client_number,
        "it is kept with another client",
    )
}

impl VerifyRecord for AdminToken {
    /// Verifies only the key: no other record refers to an admin token.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        ensure_key(record.key, &table::admin_token(self.id))
    }
}

impl VerifyRecord for User {
    /// Verifies only the key: no other record refers to a user.
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        ensure_key(record.key, &table::user(self.id))
    }
}
