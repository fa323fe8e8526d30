//! Encoding of lookups in an entry of the write-ahead log. Meters and chain heads follow from the rows and are not
//! logged.

use super::{LookupIdempotency, RecordedLookup, RecordedLookups};
use crate::{Batch, EngineError, Read, checksum};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::metering::{LedgerRow, MeterState, Opening, RowKind};
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::vocabulary::{EoaAddress, Timestamp};
use voight_encoding::keyspace::{LedgerPrefix, Segment, Table, meter_key};
use voight_encoding::{Encode, decode_detail, encode_detail};

impl RecordedLookups {
    /// Appends all lookups to an entry of the log.
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.uint(self.ledgers.len() as u64);
        for (ledger, tail) in &self.ledgers {
            out.fixed(ledger).uint(tail.lookups.len() as u64);
            tail.lookups
                .iter()
                .for_each(|chained_lookup| chained_lookup.lookup.encode(out));
        }
    }
}

impl RecordedLookup {
    fn encode(&self, out: &mut Encoder) {
        out.bytes(&self.row.to_bytes())
            .fixed(&self.opening.nonce)
            .fixed(self.opening.address.as_bytes());
        out.option(self.idempotency.as_ref(), |out, input| {
            out.int(input.segment.0.as_millis())
                .fixed(&input.parameters.0)
                .int(input.expires_at.as_millis());
            out.option(input.detail.as_ref(), encode_detail);
        });
    }

    fn decode(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let row = LedgerRow::from_bytes(input.bytes()?)?;
        if !matches!(row.kind, RowKind::Lookup(_)) {
            return Err(DecodeError::OutOfRange("the kind of a ledger row"));
        }
        let opening = Opening {
            nonce: input.fixed()?,
            address: EoaAddress::from_bytes(input.fixed()?),
        };
        let idempotency = input.option(|input| {
            Ok(LookupIdempotency {
                segment: Segment(Timestamp::from_millis(input.int()?)),
                parameters: IdempotencyDigest(input.fixed()?),
                expires_at: Timestamp::from_millis(input.int()?),
                detail: input.option(decode_detail)?,
            })
        })?;
        Ok(Self {
            row,
            opening,
            idempotency,
        })
    }
}

/// Lookups of an entry of the log, before their meters are known.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct LoggedLookups(Vec<(LedgerPrefix, Vec<RecordedLookup>)>);

impl LoggedLookups {
    /// Reads what [`RecordedLookups::encode`] wrote.
    pub(crate) fn decode(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(Self(input.list(|input| {
            Ok((input.fixed()?, input.list(RecordedLookup::decode)?))
        })?))
    }

    /// Adds the lookups to a batch. Their meters follow from those before, which are in the batch or in `base`.
    ///
    /// # Errors
    ///
    /// [`EngineError::Corrupt`] if a meter is missing or does not precede its rows.
    pub(crate) fn replay(self, batch: &mut Batch, base: &impl Read) -> Result<(), EngineError> {
        let mut replayed_lookups = RecordedLookups::default();
        for (ledger, lookups) in self.0 {
            let mut meter = meter_of(batch, base, ledger)?;
            for lookup in lookups {
                meter
                    .apply(&lookup.row)
                    .map_err(|error| corrupt(&error.to_string()))?;
                replayed_lookups.push(ledger, lookup, meter);
            }
        }
        batch.extend(Batch::of_lookups(replayed_lookups));
        Ok(())
    }
}

fn meter_of(
    batch: &Batch,
    base: &impl Read,
    ledger: LedgerPrefix,
) -> Result<MeterState, EngineError> {
    if let Some(meter) = batch.lookups().meter(ledger) {
        return Ok(*meter);
    }
    let key = meter_key(ledger);
    let mut meter = None;
    let mut visit = |value: &[u8]| meter = Some(decode_meter(&key, value));
    if !batch.get(&key, &mut visit) {
        base.get(&key, &mut visit)?;
    }
    match meter {
        Some(meter) => meter,
        None => Err(corrupt("the meter of a ledger is missing")),
    }
}

/// Verifies and decodes the meter at `key`.
fn decode_meter(key: &[u8], value: &[u8]) -> Result<MeterState, EngineError> {
    let corruption = |what: &dyn std::fmt::Display| {
        let record = checksum::describe_corruption(Table::Meter.name(), key, what);
        corrupt(&format!("a stored record is corrupt: {record}"))
    };
    let record =
        checksum::verify(key, value).ok_or_else(|| corruption(&"the checksum is wrong"))?;
    MeterState::decode(record).map_err(|error| corruption(&error))
}

fn corrupt(what: &str) -> EngineError {
    EngineError::Corrupt(format!(
        "the write-ahead log does not match its database: {what}"
    ))
}
