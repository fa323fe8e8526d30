//! Encoding of the events of clients.

use crate::ledger::{answer_byte, answer_from_byte};
use crate::{ByteEnum, Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::events::{ClientEvent, EventFeed, EventSubject, EventType, NewEvent};
use voight_domain::vocabulary::{EndpointId, EoaAddress, KeyId, SnapshotId, Timestamp};

const VERDICT: u8 = 0;
const CONTEXT: u8 = 1;
const KEY: u8 = 2;
const LEDGER: u8 = 3;
const INVOICE: u8 = 4;
const SNAPSHOT: u8 = 5;
const ENDPOINT: u8 = 6;

impl Encode for ClientEvent {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.uint(self.number)
            .int(self.at.as_millis())
            .u8(self.event.event_type.code())
            .u8(self.event.environment.code());
        encode_subject(&mut out, &self.event.subject);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let event = Self {
            number: input.uint()?,
            at: Timestamp::from_millis(input.int()?),
            event: NewEvent {
                event_type: EventType::from_code(input.u8()?)?,
                environment: ByteEnum::from_code(input.u8()?)?,
                subject: decode_subject(&mut input)?,
            },
        };
        input.finish()?;
        Ok(event)
    }
}

impl Encode for EventFeed {
    fn encode(&self) -> Vec<u8> {
        Encoder::versioned(VERSION)
            .uint(self.last)
            .int(self.last_at.as_millis())
            .uint(self.purged)
            .finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let feed = Self {
            last: input.uint()?,
            last_at: Timestamp::from_millis(input.int()?),
            purged: input.uint()?,
        };
        input.finish()?;
        if feed.purged > feed.last {
            return Err(DecodeError::OutOfRange("the last purged event"));
        }
        Ok(feed)
    }
}

fn encode_subject(out: &mut Encoder, subject: &EventSubject) {
    match subject {
        EventSubject::Verdict {
            context,
            address,
            answer,
        } => {
            out.u8(VERDICT).str(context.as_str());
            out.option(address.as_ref(), |out, address| {
                out.fixed(address.as_bytes());
            });
            out.option(*answer, |out, answer| {
                out.u8(answer_byte(answer));
            });
        }
        EventSubject::Context(context) => {
            out.u8(CONTEXT).str(context.as_str());
        }
        EventSubject::Key(key) => {
            out.u8(KEY).fixed(&key.to_bytes());
        }
        EventSubject::Ledger(seq) => {
            out.u8(LEDGER).uint(*seq);
        }
        EventSubject::Invoice(number) => {
            out.u8(INVOICE).uint((*number).into());
        }
        EventSubject::Snapshot(snapshot) => {
            out.u8(SNAPSHOT).fixed(&snapshot.to_bytes());
        }
        EventSubject::Endpoint(endpoint) => {
            out.u8(ENDPOINT).fixed(&endpoint.to_bytes());
        }
    }
}

fn decode_subject(input: &mut Decoder<'_>) -> Result<EventSubject, DecodeError> {
    Ok(match input.u8()? {
        VERDICT => EventSubject::Verdict {
            context: input.parsed("a context id")?,
            address: input.option(|input| input.fixed().map(EoaAddress::from_bytes))?,
            answer: input.option(|input| answer_from_byte(input.u8()?))?,
        },
        CONTEXT => EventSubject::Context(input.parsed("a context id")?),
        KEY => EventSubject::Key(KeyId::from_bytes(input.fixed()?)),
        LEDGER => EventSubject::Ledger(input.uint()?),
        INVOICE => EventSubject::Invoice(input.uint_as()?),
        SNAPSHOT => EventSubject::Snapshot(SnapshotId::from_bytes(input.fixed()?)),
        ENDPOINT => EventSubject::Endpoint(EndpointId::from_bytes(input.fixed()?)),
        _ => return Err(DecodeError::OutOfRange("the object of an event")),
    })
}
