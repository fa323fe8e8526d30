//! Import of meters, price books and idempotency records.

use super::{Importer, KeyFields};
use crate::connection::NO_CLIENT;
use crate::dump::copy_buffer::CopyBuffer;
use crate::error::Error;
use crate::sql::tables::SqlTable;
use crate::value::{decode, values};
use std::collections::{BTreeMap, BTreeSet};
use voight_domain::billing::PriceBookDigest;
use voight_domain::metering::{IdempotencyRecord, MeterState};
use voight_domain::vocabulary::ClientId;

/// Price books. A dump has one copy of each; in the tables each client that is billed by it has its own.
#[derive(Default)]
pub(super) struct PriceBookImporter {
    records: BTreeMap<[u8; 32], Vec<u8>>,
    billed: BTreeSet<([u8; 32], [u8; 16])>,
}

impl PriceBookImporter {
    /// Stores a price book.
    pub(super) fn add(&mut self, digest: [u8; 32], record: &[u8]) {
        self.records.insert(digest, record.to_vec());
    }

    /// Notes that the client is billed by the price book.
    pub(super) fn bills(&mut self, book: PriceBookDigest, client: ClientId) {
        self.billed.insert((book.0, client.to_bytes()));
    }

    /// Adds the rows of the price books. A book without a client is stored under [`NO_CLIENT`].
    pub(super) fn put(&mut self, rows: &mut CopyBuffer) {
        for (digest, record) in std::mem::take(&mut self.records) {
            let mut clients: Vec<_> = self
                .billed
                .range((digest, NO_CLIENT)..=(digest, [u8::MAX; 16]))
                .map(|(_, client)| *client)
                .collect();
            if clients.is_empty() {
                clients.push(NO_CLIENT);
            }
            for client in clients {
                rows.add(
                    SqlTable::PriceBook,
                    values![client, &digest[..], record.as_slice()],
                );
            }
        }
    }
}

impl Importer {
    /// Keeps the meter of a client until its row is added.
    pub(super) fn meter(&mut self, key_fields: KeyFields<'_>, record: &[u8]) -> Result<(), Error> {
        if let Some(book) = decode::<MeterState>(record)?.price_book {
            self.books
                .bills(book, self.clients.id(key_fields.number(0)?)?);
        }
        self.clients
            .set_meter(key_fields.number(0)?, key_fields.number(1)?, record)
    }

    /// Adds an idempotency record of a client.
    pub(super) fn idempotency_record(
        &mut self,
        key_fields: KeyFields<'_>,
        record: &[u8],
    ) -> Result<(), Error> {
        let segment = key_fields.value(0)?;
        let client = self.clients.id(key_fields.number(1)?)?;
        let IdempotencyRecord {
            parameters,
            expires_at,
            ..
        } = decode(record)?;
        let row = values![
            client,
            key_fields.bytes(2)?,
            parameters,
            expires_at,
            segment,
            record
        ];
        self.rows.add(SqlTable::IdempotencyRecord, row);
        Ok(())
    }
}
