//! Encoding of webhook endpoints, and of the records of their delivery logs.

use crate::{ByteEnum, Encode, VERSION};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::events::EventTypeSet;
use voight_domain::vocabulary::{ClientId, ContextId, EndpointId, Timestamp};
use voight_domain::webhooks::{
    AttemptOutcome, DeliveryLog, DeliveryRecord, DeliveryState, Endpoint, EndpointRecord,
    EndpointState, EventFilter, FailureRun, PendingDelivery, ReplayRange,
};

const ACTIVE: u8 = 0;
const PAUSED: u8 = 1;
const DISABLED: u8 = 2;

const ANSWERED: u8 = 0;
const FAILED: u8 = 1;

impl Encode for EndpointRecord {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        encode_endpoint(&mut out, &self.endpoint);
        encode_delivery(&mut out, &self.delivery);
        out.uint(self.log.last).uint(self.log.purged);
        out.option(self.leased_until, encode_time);
        out.option(self.due_at, encode_time);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let record = Self {
            endpoint: decode_endpoint(&mut input)?,
            delivery: decode_delivery(&mut input)?,
            log: decode_log(&mut input)?,
            leased_until: input.option(decode_time)?,
            due_at: input.option(decode_time)?,
        };
        input.finish()?;
        Ok(record)
    }
}

impl Encode for DeliveryRecord {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.uint(self.event).u8(self.attempt);
        encode_time(&mut out, self.at);
        encode_duration(&mut out, self.duration);
        encode_outcome(&mut out, self.outcome);
        out.str(&self.response);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let record = Self {
            event: input.uint()?,
            attempt: input.u8()?,
            at: decode_time(&mut input)?,
            duration: decode_duration(&mut input)?,
            outcome: decode_outcome(&mut input)?,
            response: input.str()?.to_owned(),
        };
        input.finish()?;
        Ok(record)
    }
}

fn encode_endpoint(out: &mut Encoder, endpoint: &Endpoint) {
    out.fixed(&endpoint.id.to_bytes())
        .fixed(&endpoint.client.to_bytes())
        .u8(endpoint.environment.code())
        .str(&endpoint.url)
        .uint(endpoint.filter.types.bits());
    let contexts: Vec<_> = endpoint.filter.contexts.iter().collect();
    out.list(&contexts, |out, context| {
        out.str(context.as_str());
    });
    out.u8(endpoint.signature_kind.code())
        .uint(endpoint.generation.into());
    out.option(endpoint.rotated_at, encode_time);
    encode_time(out, endpoint.created_at);
    match endpoint.state {
        EndpointState::Active => {
            out.u8(ACTIVE);
        }
        EndpointState::Paused => {
            out.u8(PAUSED);
        }
        EndpointState::Disabled { reason, at } => {
            out.u8(DISABLED).u8(reason.code());
            encode_time(out, at);
        }
    }
}

fn decode_endpoint(input: &mut Decoder<'_>) -> Result<Endpoint, DecodeError> {
    Ok(Endpoint {
        id: EndpointId::from_bytes(input.fixed()?),
        client: ClientId::from_bytes(input.fixed()?),
        environment: ByteEnum::from_code(input.u8()?)?,
        url: input.str()?.to_owned(),
        filter: EventFilter {
            types: EventTypeSet::from_bits(input.uint()?),
            contexts: decode_contexts(input)?,
        },
        signature_kind: ByteEnum::from_code(input.u8()?)?,
        generation: input.uint_as()?,
        rotated_at: input.option(decode_time)?,
        created_at: decode_time(input)?,
        state: match input.u8()? {
            ACTIVE => EndpointState::Active,
            PAUSED => EndpointState::Paused,
            DISABLED => EndpointState::Disabled {
                reason: ByteEnum::from_code(input.u8()?)?,
                at: decode_time(input)?,
            },
            _ => return Err(DecodeError::OutOfRange("the state of an endpoint")),
        },
    })
}

fn decode_contexts(input: &mut Decoder<'_>) -> Result<BTreeSet<ContextId>, DecodeError> {
    let contexts = input.list(|input| input.parsed("a context id"))?;
    ascending(&contexts, "the contexts of a filter")?;
    Ok(contexts.into_iter().collect())
}

fn encode_delivery(out: &mut Encoder, delivery: &DeliveryState) {
    out.uint(delivery.cursor);
    out.option(delivery.replay, |out, range| {
        out.uint(range.next).uint(range.end);
    });
    let pending: Vec<_> = delivery.pending.iter().collect();
    out.list(&pending, |out, (event, entry)| {
        out.uint(**event).u8(entry.failures);
        encode_time(out, entry.due_at);
        encode_time(out, entry.decided_at);
    });
    out.option(delivery.failure_run, |out, run| {
        encode_time(out, run.since);
        encode_time(out, run.last_at);
        encode_duration(out, run.duration);
        out.u8(run.is_reported.into());
        encode_time(out, run.paused_until);
    });
}

fn decode_delivery(input: &mut Decoder<'_>) -> Result<DeliveryState, DecodeError> {
    Ok(DeliveryState {
        cursor: input.uint()?,
        replay: input.option(|input| {
            Ok(ReplayRange {
                next: input.uint()?,
                end: input.uint()?,
            })
        })?,
        pending: decode_pending(input)?,
        failure_run: input.option(|input| {
            Ok(FailureRun {
                since: decode_time(input)?,
                last_at: decode_time(input)?,
                duration: decode_duration(input)?,
                is_reported: input.bool()?,
                paused_until: decode_time(input)?,
            })
        })?,
    })
}

fn decode_pending(input: &mut Decoder<'_>) -> Result<BTreeMap<u64, PendingDelivery>, DecodeError> {
    let pending = input.list(|input| {
        let event = input.uint()?;
        let entry = PendingDelivery {
            failures: input.u8()?,
            due_at: decode_time(input)?,
            decided_at: decode_time(input)?,
        };
        Ok((event, entry))
    })?;
    let events: Vec<_> = pending.iter().map(|(event, _)| event).collect();
    ascending(&events, "the pending events of an endpoint")?;
    Ok(pending.into_iter().collect())
}

fn decode_log(input: &mut Decoder<'_>) -> Result<DeliveryLog, DecodeError> {
    let log = DeliveryLog {
        last: input.uint()?,
        purged: input.uint()?,
    };
    if log.purged > log.last {
        return Err(DecodeError::OutOfRange("the last purged delivery"));
    }
    Ok(log)
}

fn encode_outcome(out: &mut Encoder, outcome: AttemptOutcome) {
    match outcome {
        AttemptOutcome::Answered {
            status,
            retry_after,
        } => {
            out.u8(ANSWERED).uint(status.into());
            out.option(retry_after, encode_duration);
        }
        AttemptOutcome::Failed(error) => {
            out.u8(FAILED).u8(error.code());
        }
    }
}

fn decode_outcome(input: &mut Decoder<'_>) -> Result<AttemptOutcome, DecodeError> {
    Ok(match input.u8()? {
        ANSWERED => AttemptOutcome::Answered {
            status: input.uint_as()?,
            retry_after: input.option(decode_duration)?,
        },
        FAILED => AttemptOutcome::Failed(ByteEnum::from_code(input.u8()?)?),
        _ => return Err(DecodeError::OutOfRange("the outcome of a delivery")),
    })
}

fn encode_time(out: &mut Encoder, time: Timestamp) {
    out.int(time.as_millis());
}

fn decode_time(input: &mut Decoder<'_>) -> Result<Timestamp, DecodeError> {
    input.int().map(Timestamp::from_millis)
}

/// Writes a duration in milliseconds.
fn encode_duration(out: &mut Encoder, duration: Duration) {
    out.uint(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX));
}

fn decode_duration(input: &mut Decoder<'_>) -> Result<Duration, DecodeError> {
    input.uint().map(Duration::from_millis)
}

/// Passes if the values ascend, so that a record has one encoding.
fn ascending<T: Ord>(values: &[T], what: &'static str) -> Result<(), DecodeError> {
    if values.is_sorted_by(|first, second| first < second) {
        Ok(())
    } else {
        Err(DecodeError::OutOfRange(what))
    }
}
