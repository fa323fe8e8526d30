//! Encoding of contexts.

use crate::ByteEnum;
use crate::client::origin;
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::registry::{
    Context, ContextMode, ContextSettings, DeviceLimitPolicy, MinConfidence, OwnershipPolicy,
    PressCount, UnverifiedFlagPolicy,
};
use voight_domain::vocabulary::{ClientId, Environment, KeyId, Timestamp};

impl Encode for Context {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.str(self.id.as_str())
            .uint(self.number.into())
            .fixed(&self.client.to_bytes());
        out.fixed(&self.key.to_bytes()).u8(self.environment.code());
        encode_settings(&mut out, &self.settings);
        out.int(self.created_at.as_millis());
        out.option(self.archived_at, |out, at| {
            out.int(at.as_millis());
        });
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let context = Self {
            id: input.parsed("a context id")?,
            number: input.uint_as()?,
            client: ClientId::from_bytes(input.fixed()?),
            key: KeyId::from_bytes(input.fixed()?),
            environment: Environment::from_code(input.u8()?)?,
            settings: decode_settings(&mut input)?,
            created_at: Timestamp::from_millis(input.int()?),
            archived_at: input.option(|input| input.int().map(Timestamp::from_millis))?,
        };
        input.finish()?;
        Ok(context)
    }
}

fn encode_settings(out: &mut Encoder, settings: &ContextSettings) {
    out.list(&settings.origins, |out, origin| {
        out.str(origin.as_str());
    });
    out.u8(settings.ownership_proof.code())
        .u8(settings.unverified_flags.code())
        .u8(settings.min_confidence.percent());
    out.u8(settings.press_count.count())
        .u8(settings.mode.code())
        .uint(settings.device_limit.into());
    out.u8(settings.device_policy.code())
        .uint(settings.retention_days.into());
}

fn decode_settings(input: &mut Decoder<'_>) -> Result<ContextSettings, DecodeError> {
    Ok(ContextSettings {
        origins: input.list(origin)?,
        ownership_proof: OwnershipPolicy::from_code(input.u8()?)?,
        unverified_flags: UnverifiedFlagPolicy::from_code(input.u8()?)?,
        min_confidence: MinConfidence::try_from(input.u8()?)
            .map_err(|_| DecodeError::OutOfRange("a minimum confidence"))?,
        press_count: PressCount::try_from(input.u8()?)
            .map_err(|_| DecodeError::OutOfRange("presses"))?,
        mode: ContextMode::from_code(input.u8()?)?,
        device_limit: input.uint_as()?,
        device_policy: DeviceLimitPolicy::from_code(input.u8()?)?,
        retention_days: input.uint_as()?,
    })
}
