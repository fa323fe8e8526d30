//! Ledger row as JSON: each member of its canonical bytes by name, and nothing twice.

use crate::text::{hex, parsed};
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use voight_domain::billing::PriceBookDigest;
use voight_domain::ledger_audit::RowLine;
use voight_domain::metering::{
    Commitment, LedgerRow, LookupRow, Opening, Period, PeriodEnd, RowKind,
};
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::verdict::{Answer, Confidence};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RowJson {
    seq: u64,
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    lookup: Option<LookupText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    period_end: Option<PeriodEndText>,
    head: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningText>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LookupText {
    context: u32,
    key: u32,
    free: bool,
    is_bot: bool,
    /// Score in hundredths, because hashed data must not contain floating-point numbers.
    score_hundredths: u8,
    commitment: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotency: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cap: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PeriodEndText {
    start: String,
    end: String,
    billable: u64,
    paid: u64,
    price_book: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OpeningText {
    nonce: String,
    address: String,
}

impl From<&RowLine> for RowJson {
    fn from(line: &RowLine) -> Self {
        let (lookup, period_end) = match &line.row.kind {
            RowKind::Lookup(lookup) => (Some(lookup.into()), None),
            RowKind::PeriodEnd(end) => (None, Some(end.into())),
        };
        let opening = line.opening.map(|Opening { nonce, address }| OpeningText {
            nonce: HEXLOWER.encode(&nonce),
            address: address.to_string(),
        });
        Self {
            seq: line.row.seq,
            at: line.row.at.to_string(),
            lookup,
            period_end,
            head: line.head.to_string(),
            opening,
        }
    }
}

impl TryFrom<RowJson> for RowLine {
    type Error = String;

    fn try_from(text: RowJson) -> Result<Self, Self::Error> {
        let kind = match (text.lookup, text.period_end) {
            (Some(lookup), None) => RowKind::Lookup(lookup.try_into()?),
            (None, Some(end)) => RowKind::PeriodEnd(end.try_into()?),
            _ => return Err("a row has either lookup or period_end".to_owned()),
        };
        let row = LedgerRow {
            seq: text.seq,
            at: parsed("at", &text.at)?,
            kind,
        };
        let opening = text.opening.map(Opening::try_from).transpose()?;
        Ok(Self {
            row,
            head: parsed("head", &text.head)?,
            opening,
        })
    }
}

impl From<&LookupRow> for LookupText {
    fn from(row: &LookupRow) -> Self {
        Self {
            context: row.context,
            key: row.key,
            free: row.free,
            is_bot: row.answer.is_bot,
            score_hundredths: row.answer.score.hundredths(),
            commitment: HEXLOWER.encode(&row.commitment.0),
            idempotency: row
                .idempotency
                .map(|idempotency| HEXLOWER.encode(&idempotency.0)),
            cap: row.cap,
        }
    }
}

impl TryFrom<LookupText> for LookupRow {
    type Error = String;

    fn try_from(text: LookupText) -> Result<Self, Self::Error> {
        let score = Confidence::from_hundredths(text.score_hundredths);
        Ok(Self {
            context: text.context,
            key: text.key,
            free: text.free,
            answer: Answer {
                is_bot: text.is_bot,
                score,
            },
            commitment: Commitment(hex("commitment", &text.commitment)?),
            idempotency: text
                .idempotency
                .map(|digest| hex("idempotency", &digest).map(IdempotencyDigest))
                .transpose()?,
            cap: text.cap,
        })
    }
}

impl From<&PeriodEnd> for PeriodEndText {
    fn from(end: &PeriodEnd) -> Self {
        let PeriodEnd {
            period: Period { start, end },
            billable,
            paid,
            book,
        } = *end;
        Self {
            start: start.to_string(),
            end: end.to_string(),
            billable,
            paid,
            price_book: book.to_string(),
        }
    }
}

impl TryFrom<PeriodEndText> for PeriodEnd {
    type Error = String;

    fn try_from(text: PeriodEndText) -> Result<Self, Self::Error> {
        let period = Period {
            start: parsed("start", &text.start)?,
            end: parsed("end", &text.end)?,
        };
        let book = PriceBookDigest(hex("price_book", &text.price_book)?);
        Ok(Self {
            period,
            billable: text.billable,
            paid: text.paid,
            book,
        })
    }
}

impl TryFrom<OpeningText> for Opening {
    type Error = String;

    fn try_from(text: OpeningText) -> Result<Self, Self::Error> {
        Ok(Self {
            nonce: hex("nonce", &text.nonce)?,
            address: parsed("address", &text.address)?,
        })
    }
}
