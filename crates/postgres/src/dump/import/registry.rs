//! Import of clients, keys and contexts.

use super::{Importer, KeyFields};
use crate::dump::copy_buffer::CopyBuffer;
use crate::error::Error;
use crate::sql::tables::{ConvertedTable, SqlTable};
use crate::value::{decode, values};
use std::collections::BTreeMap;
use std::sync::Arc;
use voight_domain::registry::{Client, Context, Key};
use voight_domain::vocabulary::{ClientId, Environment};
use voight_encoding::keyspace::{ClientCounters, ClientRecord};
use voight_encoding::{ByteEnum, Encode};

/// Clients by number, buffered until all their records were added.
#[derive(Default)]
pub(super) struct ClientImporter(BTreeMap<u64, PendingClient>);

struct PendingClient {
    client: Client,
    counts: ClientCounters,
    /// Meters in the order of the environment codes.
    meters: [Option<Vec<u8>>; 2],
}

impl ClientImporter {
    /// Returns the id of the client with this number.
    pub(super) fn id(&self, number: u64) -> Result<ClientId, Error> {
        self.0
            .get(&number)
            .map(|pending_client| pending_client.client.id)
            .ok_or_else(|| missing(number))
    }

    /// Stores the meter of a client.
    pub(super) fn set_meter(
        &mut self,
        number: u64,
        environment: u64,
        record: &[u8],
    ) -> Result<(), Error> {
        let [live, sandbox] = &mut self.held(number)?.meters;
        let meter = if environment == u64::from(Environment::Live.code()) {
            live
        } else {
            sandbox
        };
        *meter = Some(record.to_vec());
        Ok(())
    }

    /// Adds the rows of the clients. Each client gets both meters, so that they can be locked.
    pub(super) fn put(&mut self, rows: &mut CopyBuffer) {
        for (
            number,
            PendingClient {
                client,
                counts,
                meters,
            },
        ) in std::mem::take(&mut self.0)
        {
            let record = client.encode();
            rows.add(SqlTable::ClientName, values![&client.name, client.id]);
            rows.add(
                SqlTable::Client,
                values![client.id, number, counts.keys, counts.contexts, record],
            );
            for (environment, meter) in [Environment::Live, Environment::Sandbox]
                .into_iter()
                .zip(meters)
            {
                rows.add(SqlTable::Meter, values![client.id, environment, meter]);
            }
        }
    }

    fn held(&mut self, number: u64) -> Result<&mut PendingClient, Error> {
        self.0.get_mut(&number).ok_or_else(|| missing(number))
    }
}

fn missing(number: u64) -> Error {
    Error::damaged(format_args!("there is no client with the number {number}"))
}

impl Importer {
    pub(super) fn registry(
        &mut self,
        table: ConvertedTable,
        key_fields: KeyFields<'_>,
        record: &[u8],
    ) -> Result<(), Error> {
        if table == ConvertedTable::ClientCounters {
            self.clients.held(key_fields.number(0)?)?.counts = decode(record)?;
        } else {
            let ClientRecord {
                client_number,
                client,
            } = decode(record)?;
            let pending_client = PendingClient {
                client,
                counts: ClientCounters::default(),
                meters: [None, None],
            };
            self.clients
                .0
                .insert(client_number.0.into(), pending_client);
        }
        Ok(())
    }

    /// Adds the rows of the directories of an API key.
    pub(super) fn key(&mut self, key: &Key) {
        self.rows
            .add(SqlTable::KeyOwner, values![key.id, key.client]);
        for secret in &key.secrets {
            self.rows.add(
                SqlTable::KeyDigest,
                values![secret.digest, key.client, key.id, key.environment],
            );
        }
    }

    /// Adds the row of the directory of a context, and notes its id, to which later records refer by number.
    pub(super) fn context(&mut self, client_number: u64, context: Context) -> Result<(), Error> {
        let client = self.clients.id(client_number)?;
        self.rows
            .add(SqlTable::ContextOwner, values![&context.id, client]);
        let id = Arc::new(context.id);
        self.owners.insert(Arc::clone(&id), client);
        self.contexts
            .insert((client_number, context.number.into()), (client, id));
        Ok(())
    }
}
