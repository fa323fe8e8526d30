//! Encoding of ledger rows, meters, openings and idempotency records.
//!
//! Rows and meters are stored as their canonical bytes, which the hash chain covers.

use crate::byte_enum::ByteEnum;
use crate::verdict::{decode_versions, encode_versions};
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::metering::{
    ChainHead, IdempotencyRecord, LedgerRow, MeterState, Opening, RecordedAnswer, RecordedBatch,
    RecordedResponse,
};
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::verdict::{Answer, Confidence, Detail};
use voight_domain::vocabulary::{EoaAddress, Timestamp};

const LOOKUP: u8 = 1;
const CONTEXT: u8 = 2;
const REDEEMED: u8 = 3;
/// Response of a lookup with its detail.
const DETAIL: u8 = 4;
const BATCH: u8 = 5;
/// Bit of a bot in the byte of an answer of a batch. The other bits are the score.
const BOT: u8 = 0x80;

impl Encode for LedgerRow {
    fn encode(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::from_bytes(bytes)
    }
}

impl Encode for MeterState {
    fn encode(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::from_bytes(bytes)
    }
}

impl Encode for Opening {
    fn encode(&self) -> Vec<u8> {
        Encoder::versioned(VERSION)
            .fixed(&self.nonce)
            .fixed(self.address.as_bytes())
            .finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let opening = Self {
            nonce: input.fixed()?,
            address: EoaAddress::from_bytes(input.fixed()?),
        };
        input.finish()?;
        Ok(opening)
    }
}

impl Encode for IdempotencyRecord {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.fixed(&self.parameters.0)
            .int(self.expires_at.as_millis());
        match &self.answer {
            RecordedResponse::Lookup(answered) => {
                out.u8(if answered.detail.is_some() {
                    DETAIL
                } else {
                    LOOKUP
                });
                encode_answered(&mut out, answered);
                if let Some(detail) = &answered.detail {
                    encode_detail(&mut out, detail);
                }
            }
            RecordedResponse::Context(id) => {
                out.u8(CONTEXT).str(id.as_str());
            }
            RecordedResponse::Redeemed(at) => {
                out.u8(REDEEMED).int(at.as_millis());
            }
            RecordedResponse::Batch(batch) => {
                let answers: Vec<_> = batch.answers.iter().copied().map(answer_byte).collect();
                out.u8(BATCH)
                    .bytes(&answers)
                    .uint(batch.seq)
                    .fixed(&batch.head.0);
            }
        }
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let parameters = IdempotencyDigest(input.fixed()?);
        let until = Timestamp::from_millis(input.int()?);
        let answer = match input.u8()? {
            LOOKUP => RecordedResponse::Lookup(decode_answered(&mut input)?),
            DETAIL => {
                let recorded_answer = decode_answered(&mut input)?;
                RecordedResponse::Lookup(RecordedAnswer {
                    detail: Some(decode_detail(&mut input)?),
                    ..recorded_answer
                })
            }
            CONTEXT => RecordedResponse::Context(input.parsed("a context id")?),
            REDEEMED => RecordedResponse::Redeemed(Timestamp::from_millis(input.int()?)),
            BATCH => {
                let answers = input
                    .bytes()?
                    .iter()
                    .map(|byte| answer_from_byte(*byte))
                    .collect::<Result<_, _>>()?;
                RecordedResponse::Batch(RecordedBatch {
                    answers,
                    seq: input.uint()?,
                    head: ChainHead(input.fixed()?),
                })
            }
            _ => return Err(DecodeError::OutOfRange("the kind of an idempotency record")),
        };
        input.finish()?;
        Ok(Self {
            parameters,
            answer,
            expires_at: until,
        })
    }
}

fn encode_answered(out: &mut Encoder, answered: &RecordedAnswer) {
    out.u8(u8::from(answered.answer.is_bot))
        .u8(answered.answer.score.hundredths());
    out.uint(answered.seq).fixed(&answered.head.0);
}

pub(crate) const fn answer_byte(answer: Answer) -> u8 {
    answer.score.hundredths() | if answer.is_bot { BOT } else { 0 }
}

pub(crate) fn answer_from_byte(byte: u8) -> Result<Answer, DecodeError> {
    answer(byte & BOT != 0, byte & !BOT)
}

fn answer(is_bot: bool, score: u8) -> Result<Answer, DecodeError> {
    if score > 100 {
        return Err(DecodeError::OutOfRange("a score"));
    }
    Ok(Answer {
        is_bot,
        score: Confidence::from_hundredths(score),
    })
}

fn decode_answered(input: &mut Decoder<'_>) -> Result<RecordedAnswer, DecodeError> {
    let answer = answer(input.bool()?, input.u8()?)?;
    Ok(RecordedAnswer {
        answer,
        seq: input.uint()?,
        head: ChainHead(input.fixed()?),
        detail: None,
    })
}

/// Appends the detail of an answer.
pub fn encode_detail(out: &mut Encoder, detail: &Detail) {
    out.u8(detail.status.code()).uint(detail.checks.into());
    out.option(detail.last_check_at, |out, at| {
        out.int(at.as_millis());
    });
    out.option(detail.layer, |out, layer| {
        out.u8(layer.code());
    });
    out.option(detail.decided_by, |out, by| {
        out.u8(by.code());
    });
    encode_versions(out, detail.versions);
}

/// Reads what [`encode_detail`] wrote.
pub fn decode_detail(input: &mut Decoder<'_>) -> Result<Detail, DecodeError> {
    Ok(Detail {
        status: ByteEnum::from_code(input.u8()?)?,
        checks: input.uint_as()?,
        last_check_at: input.option(|input| input.int().map(Timestamp::from_millis))?,
        layer: input.option(|input| ByteEnum::from_code(input.u8()?))?,
        decided_by: input.option(|input| ByteEnum::from_code(input.u8()?))?,
        versions: decode_versions(input)?,
    })
}
