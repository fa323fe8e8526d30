//! Facts that the lookups of a batch are decided from.

use super::key_location::KeyLocation;
use crate::connection::Write;
use crate::error::Error;
use crate::sql::{check, lookup, registry};
use crate::value::{RowExt, decode, values};
use std::collections::{BTreeSet, HashMap};
use tokio_postgres::Row;
use voight_domain::metering::LedgerId;
use voight_domain::metering::{
    AddressFacts, CallerFacts, IdempotencyInput, IdempotencyRecord, LookupRequest, MeterState,
};
use voight_domain::registry::{Client, Context, Key, KeyWithClient};
use voight_domain::secrets::{AddressDigest, IdempotencyDigest, KeyDigest};
use voight_domain::verdict::{Tombstone, Verdict};
use voight_domain::vocabulary::{ClientId, ContextId, EoaAddress, KeyId};
use voight_encoding::Encode;

/// Kinds of rows that the statement `FACTS` returns.
mod kind {
    pub(super) const CLIENT: u64 = 1;
    pub(super) const KEY: u64 = 2;
    pub(super) const CONTEXT: u64 = 3;
    pub(super) const VERDICT: u64 = 4;
    pub(super) const TOMBSTONE: u64 = 5;
    pub(super) const IDEMPOTENCY_RECORD: u64 = 6;
}

/// Context and address of a verdict.
pub(super) type VerdictSubject = (ContextId, EoaAddress);

/// Records of one client that the lookups of a batch need.
#[derive(Default)]
pub(super) struct BatchInputs {
    pub(super) meter: Option<MeterState>,
    client: Option<Client>,
    keys: HashMap<KeyId, Key>,
    pub(super) contexts: HashMap<ContextId, Context>,
    pub(super) verdicts: HashMap<VerdictSubject, Verdict>,
    /// Records of the verdicts that no lookup has marked as looked up, as they are stored.
    unmarked_records: HashMap<VerdictSubject, Vec<u8>>,
    pub(super) tombstones: HashMap<(ContextId, AddressDigest), Tombstone>,
    pub(super) idempotency_records: HashMap<IdempotencyDigest, IdempotencyRecord>,
}

impl BatchInputs {
    /// Decodes the row of the meter and the rows of the statement `FACTS`.
    pub(super) fn read(meter: Option<&Row>, rows: &[Row]) -> Result<Self, Error> {
        let meter: Option<&[u8]> = meter.map_or(Ok(None), |row| row.column(0))?;
        let mut facts = Self {
            meter: meter.map(decode).transpose()?,
            ..Self::default()
        };
        for row in rows {
            facts.add(row)?;
        }
        Ok(facts)
    }

    /// Decodes the answers to [`reads_of_one`]; `None` if the tombstone has changed between its two reads.
    pub(super) fn of_one(
        request: &LookupRequest,
        answers: &[Vec<Row>],
    ) -> Result<Option<Self>, Error> {
        let [
            meter,
            client,
            key,
            tombstone,
            verdict,
            tombstone_again,
            context,
            idempotency_record @ ..,
        ] = answers
        else {
            return Err(Error::damaged("an answer is missing"));
        };
        if bytes(tombstone)? != bytes(tombstone_again)? {
            return Ok(None);
        }
        let subject = || request.context.clone();
        let mut facts = Self {
            meter: record(meter)?,
            client: record(client)?,
            ..Self::default()
        };
        facts
            .keys
            .extend(record(key)?.map(|key: Key| (key.id, key)));
        facts.tombstones.extend(
            record(tombstone)?.map(|record| ((subject(), request.address_digest()), record)),
        );
        if let Some(record) = bytes(verdict)? {
            facts.add_verdict((subject(), request.address), record)?;
        }
        facts
            .contexts
            .extend(record(context)?.map(|record| (subject(), record)));
        if let (Some(input), Some(rows)) = (request.idempotency, idempotency_record.first()) {
            facts
                .idempotency_records
                .extend(record(rows)?.map(|record| (input.key_digest, record)));
        }
        Ok(Some(facts))
    }

    fn add(&mut self, row: &Row) -> Result<(), Error> {
        let context = || row.utf8(1)?.parse::<ContextId>().map_err(Error::damaged);
        match row.number(0)? {
            kind::CLIENT => self.client = Some(row.record(3)?),
            kind::KEY => drop(
                self.keys
                    .insert(KeyId::from_bytes(row.byte_array(2)?), row.record(3)?),
            ),
            kind::CONTEXT => drop(self.contexts.insert(context()?, row.record(3)?)),
            kind::VERDICT => {
                let address = EoaAddress::from_bytes(row.byte_array(2)?);
                self.add_verdict((context()?, address), row.column(3)?)?;
            }
            kind::TOMBSTONE => {
                self.tombstones.insert(
                    (context()?, AddressDigest(row.byte_array(2)?)),
                    row.record(3)?,
                );
            }
            kind::IDEMPOTENCY_RECORD => {
                self.idempotency_records
                    .insert(IdempotencyDigest(row.byte_array(2)?), row.record(3)?);
            }
            kind => return Err(Error::damaged(format_args!("a row of kind {kind}"))),
        }
        Ok(())
    }

    fn add_verdict(&mut self, subject: VerdictSubject, record: &[u8]) -> Result<(), Error> {
        let verdict: Verdict = decode(record)?;
        if !verdict.looked_up {
            self.unmarked_records
                .insert(subject.clone(), record.to_vec());
        }
        self.verdicts.insert(subject, verdict);
        Ok(())
    }

    /// Returns the stored record of a verdict that no lookup has marked as looked up.
    pub(super) fn unmarked_record(&self, subject: &VerdictSubject) -> Option<&[u8]> {
        self.unmarked_records.get(subject).map(Vec::as_slice)
    }

    /// Returns the key with its client if `digest` is the digest of one of the key's secrets.
    pub(super) fn find_key_by_digest(
        &self,
        key: KeyId,
        digest: KeyDigest,
    ) -> Option<KeyWithClient> {
        let key_with_client = self.find_key(key)?;
        key_with_client
            .key
            .secrets
            .iter()
            .any(|secret| secret.digest == digest)
            .then_some(key_with_client)
    }

    /// Returns the key with its client.
    pub(super) fn find_key(&self, key: KeyId) -> Option<KeyWithClient> {
        Some(KeyWithClient {
            key: self.keys.get(&key)?.clone(),
            client: self.client.clone()?,
        })
    }

    /// Returns the facts about a caller.
    pub(super) fn caller<'a>(
        &'a self,
        key: Option<&'a KeyWithClient>,
        context: &ContextId,
        idempotency: Option<IdempotencyInput>,
    ) -> CallerFacts<'a> {
        CallerFacts {
            key,
            context: self.contexts.get(context),
            meter: self.meter.as_ref(),
            idempotency_record: idempotency
                .and_then(|input| self.idempotency_records.get(&input.key_digest)),
        }
    }

    /// Returns the facts about an address. `digest` is that of its tombstone.
    pub(super) fn address(
        &self,
        context: &ContextId,
        address: EoaAddress,
        digest: AddressDigest,
    ) -> AddressFacts<'_> {
        AddressFacts {
            verdict: self.verdicts.get(&(context.clone(), address)),
            tombstone: self.tombstones.get(&(context.clone(), digest)),
        }
    }
}

/// Returns the bytes in the first column of the only row; `None` for NULL.
fn bytes(rows: &[Row]) -> Result<Option<&[u8]>, Error> {
    rows.first().map_or(Ok(None), |row| row.column(0))
}

/// Decodes the record in the first column of the only row; `None` for NULL.
fn record<R: Encode>(rows: &[Row]) -> Result<Option<R>, Error> {
    bytes(rows)?.map(decode).transpose()
}

/// Returns the statement that locks the meter.
pub(super) fn meter(
    LedgerId {
        client,
        environment,
    }: LedgerId,
) -> Write {
    (lookup::LOCK_METER, values![client, environment])
}

/// Returns the reads of a single lookup, each of one row by its full key.
///
/// Each statement has its own snapshot. The tombstone is read before and after the verdict, so that a concurrent erasure
/// is noticed, and the context last, so that an archived context is rejected.
pub(super) fn reads_of_one(
    ledger: LedgerId,
    request: &LookupRequest,
    location: KeyLocation,
) -> Vec<Write> {
    let client = ledger.client;
    let tombstone = || {
        (
            check::TOMBSTONE,
            values![client, &request.context, request.address_digest()],
        )
    };
    let mut reads = vec![
        meter(ledger),
        (registry::CLIENT, values![client]),
        (registry::KEY, values![client, location.key]),
        tombstone(),
        (
            check::VERDICT,
            values![client, &request.context, request.address],
        ),
        tombstone(),
        (registry::CONTEXT, values![client, &request.context]),
    ];
    reads.extend(request.idempotency.map(|input| {
        (
            lookup::IDEMPOTENCY_RECORD,
            values![client, input.key_digest],
        )
    }));
    reads
}

/// Keys of the records that the lookups of a batch need, each listed once.
#[derive(Default)]
pub(super) struct WantedFacts<'a> {
    keys: BTreeSet<KeyId>,
    contexts: BTreeSet<&'a ContextId>,
    addresses: BTreeSet<(&'a ContextId, EoaAddress, AddressDigest)>,
    idempotency_records: BTreeSet<IdempotencyDigest>,
}

impl<'a> WantedFacts<'a> {
    /// Adds the caller of a request.
    pub(super) fn add_caller(
        &mut self,
        key: KeyId,
        context: &'a ContextId,
        idempotency: Option<IdempotencyInput>,
    ) {
        self.keys.insert(key);
        self.contexts.insert(context);
        self.idempotency_records
            .extend(idempotency.map(|input| input.key_digest));
    }

    /// Adds an address with the digest of its tombstone.
    pub(super) fn add_address(
        &mut self,
        context: &'a ContextId,
        address: EoaAddress,
        digest: AddressDigest,
    ) {
        self.addresses.insert((context, address, digest));
    }

    /// Returns the read of these records with the statement `FACTS`.
    pub(super) fn read(&self, client: ClientId) -> Write {
        let bytes = |context: &ContextId| context.as_str().as_bytes().to_vec();
        let values = values![
            client,
            self.keys
                .iter()
                .map(|key| key.to_bytes().to_vec())
                .collect::<Vec<_>>(),
            self.contexts
                .iter()
                .map(|context| bytes(context))
                .collect::<Vec<_>>(),
            self.addresses
                .iter()
                .map(|(context, ..)| bytes(context))
                .collect::<Vec<_>>(),
            self.addresses
                .iter()
                .map(|(_, address, _)| address.as_bytes().to_vec())
                .collect::<Vec<_>>(),
            self.addresses
                .iter()
                .map(|(.., digest)| digest.0.to_vec())
                .collect::<Vec<_>>(),
            self.idempotency_records
                .iter()
                .map(|digest| digest.0.to_vec())
                .collect::<Vec<_>>(),
        ];
        (lookup::FACTS, values)
    }
}
