//! Encoding of verdicts. They are the most numerous records, so an empty layer takes one byte.

use crate::byte_enum::ByteEnum;
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::verdict::{DayCount, Layer, Nats, OverrideTo, Verdict, Versions};
use voight_domain::vocabulary::Timestamp;

/// Version byte of a verdict that the client has looked up. The layout is that of [`VERSION`].
const LOOKED_UP_VERSION: u8 = 2;

const PRESENT: u8 = 1;
const FLAGGED: u8 = 1 << 1;
const DATED: u8 = 1 << 2;
const DECIDED: u8 = 1 << 3;
const TIMED: u8 = 1 << 4;

impl Encode for Verdict {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(if self.looked_up {
            LOOKED_UP_VERSION
        } else {
            VERSION
        });
        out.uint(self.epoch.into());
        encode_layer(&mut out, &self.owned);
        encode_layer(&mut out, &self.unverified);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::new(bytes);
        let looked_up = match input.u8()? {
            VERSION => false,
            LOOKED_UP_VERSION => true,
            version => return Err(DecodeError::Version(version)),
        };
        let verdict = Self {
            epoch: input.uint_as()?,
            owned: decode_layer(&mut input)?,
            unverified: decode_layer(&mut input)?,
            looked_up,
        };
        input.finish()?;
        Ok(verdict)
    }
}

pub(super) fn encode_layer(out: &mut Encoder, layer: &Layer) {
    if *layer == Layer::default() {
        out.u8(0);
        return;
    }
    let flagged_bit = if layer.flagged { FLAGGED } else { 0 };
    let first_flagged_bit = if layer.first_flagged_at.is_some() {
        DATED
    } else {
        0
    };
    let decision_bit = if layer.decision.is_some() { DECIDED } else { 0 };
    let last_check_bit = if layer.last_check_at.is_some() {
        TIMED
    } else {
        0
    };
    out.u8(PRESENT | flagged_bit | first_flagged_bit | decision_bit | last_check_bit);
    encode_nats(out, layer.bot);
    encode_nats(out, layer.human);
    if let Some(at) = layer.first_flagged_at {
        out.int(at.as_millis());
    }
    out.uint(layer.conclusive_checks.into())
        .int(layer.today.date)
        .uint(layer.today.checks.into());
    encode_versions(out, layer.versions);
    if let Some(to) = layer.decision {
        out.u8(to.code());
    }
    if let Some(at) = layer.last_check_at {
        out.int(at.as_millis());
    }
}

pub(super) fn decode_layer(input: &mut Decoder<'_>) -> Result<Layer, DecodeError> {
    let flags = input.u8()?;
    if flags == 0 {
        return Ok(Layer::default());
    }
    if flags & PRESENT == 0 || flags > (PRESENT | FLAGGED | DATED | DECIDED | TIMED) {
        return Err(DecodeError::OutOfRange("the flags of a layer"));
    }
    let layer = Layer {
        flagged: flags & FLAGGED != 0,
        bot: decode_nats(input)?,
        human: decode_nats(input)?,
        first_flagged_at: if flags & DATED == 0 {
            None
        } else {
            Some(Timestamp::from_millis(input.int()?))
        },
        conclusive_checks: input.uint_as()?,
        today: DayCount {
            date: input.int()?,
            checks: input.uint_as()?,
        },
        versions: decode_versions(input)?,
        decision: if flags & DECIDED == 0 {
            None
        } else {
            Some(OverrideTo::from_code(input.u8()?)?)
        },
        last_check_at: if flags & TIMED == 0 {
            None
        } else {
            Some(Timestamp::from_millis(input.int()?))
        },
    };
    // An empty layer is encoded as one byte.
    if layer == Layer::default() {
        Err(DecodeError::OutOfRange("an empty layer"))
    } else {
        Ok(layer)
    }
}

pub(super) fn encode_nats(out: &mut Encoder, nats: Nats) {
    out.int(nats.as_milli().into());
}

pub(super) fn decode_nats(input: &mut Decoder<'_>) -> Result<Nats, DecodeError> {
    i32::try_from(input.int()?)
        .map(Nats::from_milli)
        .map_err(|_| DecodeError::OutOfRange("nats"))
}

pub(super) fn encode_versions(out: &mut Encoder, versions: Versions) {
    out.uint(versions.policy.into()).uint(versions.model.into());
}

pub(super) fn decode_versions(input: &mut Decoder<'_>) -> Result<Versions, DecodeError> {
    Ok(Versions {
        policy: input.uint_as()?,
        model: input.uint_as()?,
    })
}
