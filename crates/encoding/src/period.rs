//! Encoding of ended periods, price books and alerts.

use crate::ByteEnum;
use crate::{Encode, VERSION};
use voight_domain::billing::{PriceBook, PriceBookDigest};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::metering::{Alert, ChainHead, EndedPeriod, Period};
use voight_domain::vocabulary::Timestamp;

impl Encode for PriceBook {
    fn encode(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::from_bytes(bytes)
    }
}

impl Encode for EndedPeriod {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        self.period.encode(&mut out);
        out.uint(self.first_seq)
            .uint(self.last_seq)
            .fixed(&self.head.0)
            .uint(self.billable)
            .uint(self.charged);
        out.fixed(&self.book.0);
        for number in [self.invoice, self.last_voided_invoice] {
            out.option(number, |out, number| {
                out.uint(number.into());
            });
        }
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let ended_period = Self {
            period: Period::decode(&mut input)?,
            first_seq: input.uint()?,
            last_seq: input.uint()?,
            head: ChainHead(input.fixed()?),
            billable: input.uint()?,
            charged: input.uint()?,
            book: PriceBookDigest(input.fixed()?),
            invoice: input.option(Decoder::uint_as)?,
            last_voided_invoice: input.option(Decoder::uint_as)?,
        };
        input.finish()?;
        Ok(ended_period)
    }
}

impl Encode for Alert {
    fn encode(&self) -> Vec<u8> {
        Encoder::versioned(VERSION)
            .u8(self.kind.code())
            .uint(self.seq)
            .int(self.at.as_millis())
            .finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let kind = ByteEnum::from_code(input.u8()?)?;
        let alert = Self {
            kind,
            seq: input.uint()?,
            at: Timestamp::from_millis(input.int()?),
        };
        input.finish()?;
        Ok(alert)
    }
}
