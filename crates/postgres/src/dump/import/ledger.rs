//! Import of meters, ledgers and billing records.

use super::{Importer, KeyFields};
use crate::connection::NO_CLIENT;
use crate::dump::copy_buffer::CopyBuffer;
use crate::error::Error;
use crate::sql::copy_in::CopyTarget;
use crate::value::{decode, values};
use std::collections::{BTreeMap, BTreeSet};
use voight_domain::billing::PriceBookDigest;
use voight_domain::invoicing::Adjustment;
use voight_domain::metering::{EndedPeriod, IdempotencyRecord, LedgerRow, MeterState, Opening};
use voight_domain::vocabulary::ClientId;
use voight_encoding::keyspace::Table;

/// Number of the only stream of a ledger.
const STREAM: i64 = 0;

/// Price books. A dump has one copy of each; in the tables each client that is billed by it has its own.
#[derive(Default)]
pub(super) struct PriceBookImporter {
    records: BTreeMap<[u8; 32], Vec<u8>>,
    billed: BTreeSet<([u8; 32], [u8; 16])>,
}

impl PriceBookImporter {
    fn bills(&mut self, book: PriceBookDigest, client: ClientId) {
        self.billed.insert((book.0, client.to_bytes()));
    }

    /// Adds the rows of the price books. A book without a client is stored under [`NO_CLIENT`].
    pub(super) fn put(&mut self, rows: &mut CopyBuffer) {
        for (digest, record) in std::mem::take(&mut self.records) {
            let mut clients: Vec<_> =
                self.billed.range((digest, NO_CLIENT)..=(digest, [u8::MAX; 16])).map(|(_, client)| *client).collect();
            if clients.is_empty() {
                clients.push(NO_CLIENT);
            }
            for client in clients {
                rows.add(CopyTarget::PriceBook, values![client, &digest[..], record.as_slice()]);
            }
        }
    }
}

impl Importer {
    /// Adds a record of a ledger, whose key starts with a client number and an environment.
    pub(super) fn ledger(&mut self, table: Table, at: KeyFields<'_>, record: &[u8]) -> Result<(), Error> {
        let (client, environment) = (self.clients.id(at.number(0)?)?, at.number(1)?);
        match table {
            Table::Meter => {
                if let Some(book) = decode::<MeterState>(record)?.price_book {
                    self.books.bills(book, client);
                }
                self.clients.set_meter(at.number(0)?, environment, record)
            }
            Table::Row => {
                let row: LedgerRow = decode(record)?;
                self.row(CopyTarget::Row, values![client, environment, STREAM, at.number(2)?, row.at, record])
            }
            Table::Opening => {
                let address = decode::<Opening>(record)?.address;
                self.row(CopyTarget::Opening, values![client, environment, STREAM, at.number(2)?, address, record])
            }
            Table::EndedPeriod => {
                let EndedPeriod { invoice, book, .. } = decode(record)?;
                self.books.bills(book, client);
                self.row(CopyTarget::EndedPeriod, values![client, environment, STREAM, at.number(2)?, invoice, record])
            }
            _ => {
                let (seq, kind) = (at.number(2)?, at.number(3)?);
                self.row(CopyTarget::Alert, values![client, environment, STREAM, seq, kind, record])
            }
        }
    }

    /// Adds a record of a client that belongs to no ledger.
    pub(super) fn of_client(&mut self, table: Table, at: KeyFields<'_>, record: &[u8]) -> Result<(), Error> {
        match table {
            Table::IdempotencyRecord => {
                let (segment, client) = (at.value(0)?, self.clients.id(at.number(1)?)?);
                let idempotency_record: IdempotencyRecord = decode(record)?;
                self.row(
                    CopyTarget::IdempotencyRecord,
                    values![
                        client,
                        at.bytes(2)?,
                        idempotency_record.parameters,
                        idempotency_record.expires_at,
                        segment,
                        record
                    ],
                )
            }
            Table::PriceBook => {
                let digest = at.bytes(0)?.try_into().map_err(Error::damaged)?;
                self.books.records.insert(digest, record.to_vec());
                Ok(())
            }
            Table::Invoice => {
                let client = self.clients.id(at.number(0)?)?;
                self.row(CopyTarget::Invoice, values![client, at.number(1)?, record])
            }
            Table::Adjustment => {
                let client = self.clients.id(at.number(0)?)?;
                let adjustment: Adjustment = decode(record)?;
                self.row(CopyTarget::Adjustment, values![client, at.number(1)?, adjustment.invoice, record])
            }
            _ => {
                let client = self.clients.id(at.number(0)?)?;
                self.row(CopyTarget::Account, values![client, record])
            }
        }
    }
}
