//! Encoding of labels.

use crate::ByteEnum;
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::verdict::{Label, Truth};
use voight_domain::vocabulary::Timestamp;

impl Encode for Label {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.u8(self.truth.code())
            .u8(u8::from(self.consent))
            .str(&self.reason)
            .int(self.at.as_millis());
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let label = Self {
            truth: Truth::from_code(input.u8()?)?,
            consent: input.bool()?,
            reason: input.str()?.to_owned(),
            at: Timestamp::from_millis(input.int()?),
        };
        input.finish()?;
        Ok(label)
    }
}
