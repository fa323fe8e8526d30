//! Ledger rows, format 1. Their canonical bytes are chained and never rewritten.

use super::{Commitment, Period};
use crate::billing::PriceBookDigest;
use crate::codec::{DecodeError, Decoder, Encoder};
use crate::secrets::IdempotencyDigest;
use crate::verdict::{Answer, Confidence};
use crate::vocabulary::Timestamp;

const FORMAT: u8 = 1;
const LOOKUP: u8 = 1;
const PERIOD_END: u8 = 2;

/// Row of a client's ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LedgerRow {
    /// Gapless sequence number within (client, environment), from 1.
    pub seq: u64,
    /// The commit time by the server's clock; never before the date of the previous row.
    pub at: Timestamp,
    /// The content of the row.
    pub kind: RowKind,
}

/// Content of a ledger row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// Answered lookup.
    Lookup(LookupRow),
    /// The end of a billing period. An invoice covers exactly the rows between two of these markers.
    PeriodEnd(PeriodEnd),
}

/// Answered lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LookupRow {
    /// The number of the context within its client.
    pub context: u32,
    /// The number of the key within its client.
    pub key: u32,
    /// `true` if the free allowance covers the lookup.
    pub free: bool,
    /// The answer to the lookup.
    pub answer: Answer,
    /// The commitment to the address, which the row does not hold.
    pub commitment: Commitment,
    /// The digest of the idempotency key, if the request had one.
    pub idempotency: Option<IdempotencyDigest>,
    /// The hard cap in force, in billable lookups per period.
    pub cap: Option<u64>,
}

/// Totals of an ended period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodEnd {
    /// The period.
    pub period: Period,
    /// Billable lookups of the period.
    pub billable: u64,
    /// Lookups beyond the free allowance.
    pub paid: u64,
    /// The price book that bills the period.
    pub book: PriceBookDigest,
}

impl LedgerRow {
    /// Returns the canonical bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(FORMAT);
        match &self.kind {
            RowKind::Lookup(lookup) => {
                out.u8(LOOKUP).uint(self.seq).int(self.at.as_millis());
                lookup.encode(&mut out);
            }
            RowKind::PeriodEnd(end) => {
                out.u8(PERIOD_END).uint(self.seq).int(self.at.as_millis());
                end.encode(&mut out);
            }
        }
        out.finish()
    }

    /// Parses the canonical bytes of a row.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, FORMAT)?;
        let tag = input.u8()?;
        let seq = input.uint()?;
        let at = Timestamp::from_millis(input.int()?);
        let kind = match tag {
            LOOKUP => RowKind::Lookup(LookupRow::decode(&mut input)?),
            PERIOD_END => RowKind::PeriodEnd(PeriodEnd::decode(&mut input)?),
            _ => return Err(DecodeError::OutOfRange("the kind of a ledger row")),
        };
        input.finish()?;
        Ok(Self { seq, at, kind })
    }
}

impl PeriodEnd {
    fn encode(&self, out: &mut Encoder) {
        self.period.encode(out);
        out.uint(self.billable).uint(self.paid).fixed(&self.book.0);
    }

    fn decode(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            period: Period::decode(input)?,
            billable: input.uint()?,
            paid: input.uint()?,
            book: PriceBookDigest(input.fixed()?),
        })
    }
}

impl LookupRow {
    fn encode(&self, out: &mut Encoder) {
        let flags = u8::from(self.free)
            | u8::from(self.answer.is_bot) << 1
            | u8::from(self.idempotency.is_some()) << 2
            | u8::from(self.cap.is_some()) << 3;
        out.uint(self.context.into())
            .uint(self.key.into())
            .u8(flags)
            .u8(self.answer.score.hundredths());
        out.fixed(&self.commitment.0);
        if let Some(idempotency) = &self.idempotency {
            out.fixed(&idempotency.0);
        }
        if let Some(cap) = self.cap {
            out.uint(cap);
        }
    }

    fn decode(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let context = input.uint_as()?;
        let key = input.uint_as()?;
        let flags = input.u8()?;
        let score = input.u8()?;
        if flags > 0b1111 || score > 100 {
            return Err(DecodeError::OutOfRange(
                "the flags or the score of a ledger row",
            ));
        }
        let is_set = |bit: u8| flags >> bit & 1 == 1;
        Ok(Self {
            context,
            key,
            free: is_set(0),
            answer: Answer {
                is_bot: is_set(1),
                score: Confidence::from_hundredths(score),
            },
            commitment: Commitment(input.fixed()?),
            idempotency: if is_set(2) {
                Some(IdempotencyDigest(input.fixed()?))
            } else {
                None
            },
            cap: if is_set(3) { Some(input.uint()?) } else { None },
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(crate) fn row() -> impl Strategy<Value = LedgerRow> {
        let lookup = (
            any::<u32>(),
            any::<u32>(),
            any::<bool>(),
            any::<bool>(),
            0..=100_u8,
            any::<[u8; 32]>(),
            any::<Option<[u8; 16]>>(),
            any::<Option<u64>>(),
        )
            .prop_map(
                |(context, key, free, is_bot, score, commitment, idempotency, cap)| {
                    RowKind::Lookup(LookupRow {
                        context,
                        key,
                        free,
                        answer: Answer {
                            is_bot,
                            score: Confidence::from_hundredths(score),
                        },
                        commitment: Commitment(commitment),
                        idempotency: idempotency.map(IdempotencyDigest),
                        cap,
                    })
                },
            );
        let end = (
            any::<i64>(),
            any::<i64>(),
            any::<u64>(),
            any::<u64>(),
            any::<[u8; 32]>(),
        );
        let end = end.prop_map(|(start, end, billable, paid, book)| {
            let period = Period {
                start: Timestamp::from_millis(start),
                end: Timestamp::from_millis(end),
            };
            RowKind::PeriodEnd(PeriodEnd {
                period,
                billable,
                paid,
                book: PriceBookDigest(book),
            })
        });
        (any::<u64>(), any::<i64>(), prop_oneof![lookup, end]).prop_map(|(seq, at, kind)| {
            LedgerRow {
                seq,
                at: Timestamp::from_millis(at),
                kind,
            }
        })
    }

    proptest! {
        #[test]
        fn rows_round_trip(row in row()) {
            prop_assert_eq!(LedgerRow::from_bytes(&row.to_bytes()), Ok(row));
        }

        #[test]
        fn decoder_never_panics(bytes: Vec<u8>) {
            let _ = LedgerRow::from_bytes(&bytes);
        }
    }

    #[test]
    fn ordinary_row_is_small() {
        let row = LedgerRow {
            seq: 1_000_000,
            at: Timestamp::from_millis(1_800_000_000_000),
            kind: RowKind::Lookup(LookupRow {
                context: 40,
                key: 3,
                free: false,
                answer: Answer::UNKNOWN,
                commitment: Commitment([7; 32]),
                idempotency: None,
                cap: None,
            }),
        };
        assert_eq!(row.to_bytes().len(), 47);
    }

    #[test]
    fn format_1_never_changes() {
        // These bytes are in the exports of clients: if this test fails, the format has changed and needs a new number.
        let row = LedgerRow {
            seq: 300,
            at: Timestamp::from_millis(1000),
            kind: RowKind::Lookup(LookupRow {
                context: 1,
                key: 2,
                free: true,
                answer: Answer {
                    is_bot: true,
                    score: Confidence::from_hundredths(98),
                },
                commitment: Commitment([0xcc; 32]),
                idempotency: Some(IdempotencyDigest([0xdd; 16])),
                cap: Some(5),
            }),
        };
        let expected_hex = format!(
            "0101ac02d00f01020f62{}{}05",
            "cc".repeat(32),
            "dd".repeat(16)
        );
        assert_eq!(
            data_encoding::HEXLOWER.encode(&row.to_bytes()),
            expected_hex
        );
        let period = Period {
            start: Timestamp::from_millis(-1),
            end: Timestamp::from_millis(1000),
        };
        let end = PeriodEnd {
            period,
            billable: 300,
            paid: 2,
            book: PriceBookDigest([0xee; 32]),
        };
        let row = LedgerRow {
            kind: RowKind::PeriodEnd(end),
            ..row
        };
        let expected_hex = format!("0102ac02d00f01d00fac0202{}", "ee".repeat(32));
        assert_eq!(
            data_encoding::HEXLOWER.encode(&row.to_bytes()),
            expected_hex
        );
    }
}
