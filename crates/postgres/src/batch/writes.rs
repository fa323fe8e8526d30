//! Writes of a batch of lookups: one statement for all rows of a table.

use super::facts::{BatchInputs, VerdictSubject};
use crate::common;
use crate::connection::{Transaction, Write};
use crate::error::Error;
use crate::sql::lookup;
use crate::value::{Value, values};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use voight_domain::billing::PriceBook;
use voight_domain::events::NewEvent;
use voight_domain::metering::LedgerId;
use voight_domain::metering::{
    Alert, EndedPeriod, IdempotencyRecord, LedgerRow, LookupWrite, MeterState, Opening, RowKind,
};
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::verdict::Verdict;
use voight_domain::vocabulary::{ClientId, ContextId};
use voight_encoding::{ByteEnum, Encode};

/// Writes of a batch, in the order of its lookups.
pub(crate) struct BatchWrites {
    ledger: LedgerId,
    pub(crate) rows: Vec<LedgerRow>,
    openings: Vec<(u64, Opening)>,
    pub(crate) ended: Vec<EndedPeriod>,
    books: Vec<Arc<PriceBook>>,
    alerts: Vec<Alert>,
    /// Events of the client, in order.
    pub(super) events: Vec<NewEvent>,
    /// Verdicts that a lookup has marked as looked up.
    marked_verdicts: BTreeMap<VerdictSubject, Verdict>,
    pub(crate) meter: Option<MeterState>,
    /// Sorted, so that two batches lock rows in the same order and do not deadlock.
    idempotency_records: BTreeMap<IdempotencyDigest, IdempotencyRecord>,
    /// Digests of the idempotency records that existed before the batch. A write to one of them replaces an expired
    /// record.
    existing_keys: HashSet<IdempotencyDigest>,
}

impl BatchWrites {
    /// Creates an empty set of writes for `ledger`; `existing_keys` lists its existing idempotency records.
    pub(crate) fn for_ledger(ledger: LedgerId, existing_keys: HashSet<IdempotencyDigest>) -> Self {
        Self {
            ledger,
            rows: Vec::new(),
            openings: Vec::new(),
            ended: Vec::new(),
            books: Vec::new(),
            alerts: Vec::new(),
            events: Vec::new(),
            marked_verdicts: BTreeMap::new(),
            meter: None,
            idempotency_records: BTreeMap::new(),
            existing_keys,
        }
    }

    /// Adds the write of one lookup in a context.
    pub(super) fn add(&mut self, write: LookupWrite, context: &ContextId) {
        self.events.extend(write.events(self.ledger.environment));
        let subject = || (context.clone(), write.opening.address);
        self.marked_verdicts
            .extend(write.verdict.map(|verdict| (subject(), verdict)));
        let lookups = write
            .rows
            .iter()
            .filter(|row| matches!(row.kind, RowKind::Lookup(_)));
        self.openings
            .extend(lookups.map(|row| (row.seq, write.opening)));
        self.rows.extend(write.rows);
        self.ended.extend(write.ended);
        self.books.extend(write.book);
        self.alerts.extend(write.alerts);
        self.meter = Some(write.meter);
        self.idempotency_records.extend(write.idempotency_record);
    }

    /// Marks verdicts, appends events, and enqueues all other writes on the transaction.
    ///
    /// Without an event no statement is executed before the commit. A batch with events locks its verdicts before the feed,
    /// as checks do.
    pub(super) async fn put(
        mut self,
        transaction: &Transaction,
        inputs: &BatchInputs,
    ) -> Result<(), Error> {
        let events = std::mem::take(&mut self.events);
        if let Some((statement, values)) = self.marks(inputs)? {
            if events.is_empty() {
                transaction.enqueue_write(statement, values);
            } else {
                transaction.execute_sql(statement, values).await?;
            }
        }
        common::append_client_events(transaction, self.ledger.client, events).await?;
        self.enqueue(transaction);
        Ok(())
    }

    /// Returns the statement that marks the verdicts as looked up, if any.
    ///
    /// Checks and operators lock the verdicts that they change. A verdict that has changed in between was not the one that
    /// the lookup answers, and a change that does not see the mark has no event; so the transaction fails and is retried.
    fn marks(&self, inputs: &BatchInputs) -> Result<Option<Write>, Error> {
        if self.marked_verdicts.is_empty() {
            return Ok(None);
        }
        let count = self.marked_verdicts.len();
        let mut contexts = Vec::with_capacity(count);
        let mut addresses = Vec::with_capacity(count);
        let mut old_records = Vec::with_capacity(count);
        let mut records = Vec::with_capacity(count);
        for (subject, verdict) in &self.marked_verdicts {
            let old_record = inputs
                .unmarked_record(subject)
                .ok_or_else(|| Error::damaged("a verdict to mark was not read"))?;
            contexts.push(subject.0.as_str().as_bytes().to_vec());
            addresses.push(subject.1.as_bytes().to_vec());
            old_records.push(old_record.to_vec());
            records.push(verdict.encode());
        }
        let client = self.ledger.client;
        let values = values![client, contexts, addresses, old_records, records];
        Ok(Some((lookup::MARK_LOOKED_UP, values)))
    }

    /// Enqueues the writes of the ledger.
    fn enqueue(&self, transaction: &Transaction) {
        let LedgerId {
            client,
            environment,
        } = self.ledger;
        let Some(meter) = &self.meter else { return };
        self.put_rows(transaction);
        self.put_openings(transaction);
        self.put_idempotency_records(transaction);
        for period in &self.ended {
            transaction.enqueue_write(
                lookup::SET_ENDED,
                values![
                    client,
                    environment,
                    period.last_seq,
                    period.invoice,
                    period.encode()
                ],
            );
        }
        for book in &self.books {
            transaction.enqueue_write(
                lookup::KEEP_BOOK,
                values![client, &book.digest().0[..], book.encode()],
            );
        }
        for alert in &self.alerts {
            let kind = alert.kind.code();
            transaction.enqueue_write(
                lookup::ADD_ALERT,
                values![client, environment, alert.seq, kind, alert.encode()],
            );
        }
        transaction.enqueue_write(
            lookup::SET_METER,
            values![client, environment, meter.encode()],
        );
    }

    /// Enqueues rows. A single row is inserted by value, because Citus plans a list at a
    /// higher cost.
    fn put_rows(&self, transaction: &Transaction) {
        let LedgerId {
            client,
            environment,
        } = self.ledger;
        match self.rows.as_slice() {
            [] => {}
            [row] => {
                transaction.enqueue_write(
                    lookup::ADD_ROW,
                    values![client, environment, row.seq, row.at, row.encode()],
                );
            }
            rows => {
                let seqs: Vec<_> = rows.iter().map(|row| row.seq.cast_signed()).collect();
                let times: Vec<_> = rows.iter().map(|row| row.at.as_millis()).collect();
                let records: Vec<_> = rows.iter().map(Encode::encode).collect();
                transaction.enqueue_write(
                    lookup::ADD_ROWS,
                    values![client, environment, seqs, times, records],
                );
            }
        }
    }

    /// Enqueues the openings of the lookup rows.
    fn put_openings(&self, transaction: &Transaction) {
        let LedgerId {
            client,
            environment,
        } = self.ledger;
        match self.openings.as_slice() {
            [] => {}
            [(seq, opening)] => {
                let values = values![client, environment, *seq, opening.address, opening.encode()];
                transaction.enqueue_write(lookup::ADD_OPENING, values);
            }
            openings => {
                let seqs: Vec<_> = openings.iter().map(|(seq, _)| seq.cast_signed()).collect();
                let addresses: Vec<_> = openings
                    .iter()
                    .map(|(_, opening)| opening.address.as_bytes().to_vec())
                    .collect();
                let records: Vec<_> = openings
                    .iter()
                    .map(|(_, opening)| opening.encode())
                    .collect();
                transaction.enqueue_write(
                    lookup::ADD_OPENINGS,
                    values![client, environment, seqs, addresses, records],
                );
            }
        }
    }

    /// Enqueues new idempotency records and those that replace an expired record.
    fn put_idempotency_records(&self, transaction: &Transaction) {
        let client = self.ledger.client;
        let (replaced_records, new): (Vec<_>, Vec<_>) = self
            .idempotency_records
            .iter()
            .partition(|(digest, _)| self.existing_keys.contains(digest));
        match new.as_slice() {
            [] => {}
            [(digest, record)] => {
                let values = values![
                    client,
                    **digest,
                    &record.parameters.0[..],
                    record.expires_at,
                    record.encode()
                ];
                transaction.enqueue_write(lookup::ADD_IDEMPOTENCY_RECORD, values);
            }
            new => transaction.enqueue_write(
                lookup::ADD_IDEMPOTENCY_RECORDS,
                idempotency_values(client, new),
            ),
        }
        if !replaced_records.is_empty() {
            transaction.enqueue_write(
                lookup::RENEW_IDEMPOTENCY_RECORDS,
                idempotency_values(client, &replaced_records),
            );
        }
    }
}

fn idempotency_values(
    client: ClientId,
    idempotency_records: &[(&IdempotencyDigest, &IdempotencyRecord)],
) -> Vec<Value> {
    let digests: Vec<_> = idempotency_records
        .iter()
        .map(|(digest, _)| digest.0.to_vec())
        .collect();
    let parameters: Vec<_> = idempotency_records
        .iter()
        .map(|(_, record)| record.parameters.0.to_vec())
        .collect();
    let ends: Vec<_> = idempotency_records
        .iter()
        .map(|(_, record)| record.expires_at.as_millis())
        .collect();
    let records: Vec<_> = idempotency_records
        .iter()
        .map(|(_, record)| record.encode())
        .collect();
    values![client, digests, parameters, ends, records]
}
