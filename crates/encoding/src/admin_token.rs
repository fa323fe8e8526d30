//! Encoding of named admin tokens.

use crate::ByteEnum;
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::registry::{AdminToken, Role};
use voight_domain::vocabulary::{AdminTokenId, Timestamp};

impl Encode for AdminToken {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.fixed(&self.id.to_bytes())
            .str(self.name.as_str())
            .u8(self.role.code())
            .uint(self.generation.into());
        out.int(self.created_at.as_millis())
            .option(self.revoked_at, |out, at| {
                out.int(at.as_millis());
            });
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let token = Self {
            id: AdminTokenId::from_bytes(input.fixed()?),
            name: input.parsed("the name of an admin token")?,
            role: Role::from_code(input.u8()?)?,
            generation: input.uint_as()?,
            created_at: Timestamp::from_millis(input.int()?),
            revoked_at: input.option(|input| input.int().map(Timestamp::from_millis))?,
        };
        input.finish()?;
        Ok(token)
    }
}
