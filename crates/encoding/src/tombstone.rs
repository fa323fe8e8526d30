//! Encoding of tombstones.

use super::verdict::{decode_nats, encode_nats};
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::verdict::{LayerRemnant, Tombstone};

const FLAGGED: u8 = 1;
const COVERED: u8 = 1 << 1;
const DECIDED: u8 = 1 << 2;

impl Encode for Tombstone {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        for trace in [self.owned, self.unverified] {
            let decided_bit = if trace.is_decided { DECIDED } else { 0 };
            out.u8(if trace.flagged { FLAGGED } else { 0 }
                | if trace.covered { COVERED } else { 0 }
                | decided_bit);
            encode_nats(&mut out, trace.bot);
        }
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let tombstone = Self {
            owned: decode_trace(&mut input)?,
            unverified: decode_trace(&mut input)?,
        };
        input.finish()?;
        Ok(tombstone)
    }
}

fn decode_trace(input: &mut Decoder<'_>) -> Result<LayerRemnant, DecodeError> {
    let flags = input.u8()?;
    if flags > (FLAGGED | COVERED | DECIDED) {
        return Err(DecodeError::OutOfRange("the flags of a tombstone"));
    }
    Ok(LayerRemnant {
        flagged: flags & FLAGGED != 0,
        covered: flags & COVERED != 0,
        is_decided: flags & DECIDED != 0,
        bot: decode_nats(input)?,
    })
}
