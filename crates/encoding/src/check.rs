//! Encoding of conclusions of checks.

use crate::ByteEnum;
use crate::client::origin;
use crate::{Encode, VERSION};
use voight_domain::check::{Concluded, GateRejection, Receipt};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::vocabulary::{Environment, EoaAddress, ReceiptId, Timestamp};

impl Encode for Concluded {
    fn encode(&self) -> Vec<u8> {
        Encoder::versioned(VERSION)
            .option(self.receipt.as_ref(), encode_receipt)
            .finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let conclusion = Self {
            receipt: input.option(decode_receipt)?,
        };
        input.finish()?;
        Ok(conclusion)
    }
}

fn encode_receipt(out: &mut Encoder, receipt: &Receipt) {
    out.fixed(&receipt.id.to_bytes())
        .str(receipt.context.as_str())
        .fixed(receipt.address.as_bytes());
    out.str(receipt.origin.as_str())
        .u8(u8::from(receipt.origin_allowlisted))
        .u8(u8::from(receipt.owned));
    out.u8(receipt.environment.code())
        .int(receipt.issued_at.as_millis());
}

fn decode_receipt(input: &mut Decoder<'_>) -> Result<Receipt, DecodeError> {
    Ok(Receipt {
        id: ReceiptId::from_bytes(input.fixed()?),
        context: input.parsed("a context id")?,
        address: EoaAddress::from_bytes(input.fixed()?),
        origin: origin(input)?,
        origin_allowlisted: input.bool()?,
        owned: input.bool()?,
        environment: Environment::from_code(input.u8()?)?,
        issued_at: Timestamp::from_millis(input.int()?),
    })
}

/// Encodes a rejection as its stable name.
pub(super) fn encode_rejection(out: &mut Encoder, rejection: GateRejection) {
    out.str(rejection.as_str());
}

pub(super) fn decode_rejection(input: &mut Decoder<'_>) -> Result<GateRejection, DecodeError> {
    let name = input.str()?;
    GateRejection::ALL
        .into_iter()
        .find(|rejection| rejection.as_str() == name)
        .ok_or(DecodeError::OutOfRange("the name of a refusal"))
}
