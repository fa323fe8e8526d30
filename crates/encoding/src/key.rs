//! Encoding of API keys.

use crate::ByteEnum;
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::registry::{Key, KeySecret};
use voight_domain::secrets::KeyDigest;
use voight_domain::vocabulary::{ClientId, Environment, KeyId, ScopeSet, Timestamp};

/// Version byte of a key whose expiry was reported. Its layout is that of [`VERSION`], followed by the time of the report.
const REPORTED_VERSION: u8 = 2;

impl Encode for Key {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(match self.expiry_reported_at {
            Some(_) => REPORTED_VERSION,
            None => VERSION,
        });
        out.fixed(&self.id.to_bytes())
            .uint(self.number.into())
            .fixed(&self.client.to_bytes());
        out.u8(self.environment.code()).u8(self.scopes.bits());
        out.list(&self.networks, |out, network| {
            out.str(&network.to_string());
        });
        out.list(&self.secrets, encode_secret);
        out.int(self.created_at.as_millis());
        encode_end(&mut out, self.expires_at);
        encode_end(&mut out, self.revoked_at);
        out.option(self.label.as_ref(), |out, label| {
            out.str(label.as_str());
        });
        encode_end(&mut out, self.last_used_at);
        if let Some(reported_at) = self.expiry_reported_at {
            out.int(reported_at.as_millis());
        }
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::new(bytes);
        let is_reported = match input.u8()? {
            VERSION => false,
            REPORTED_VERSION => true,
            version => return Err(DecodeError::Version(version)),
        };
        let key = Self {
            id: KeyId::from_bytes(input.fixed()?),
            number: input.uint_as()?,
            client: ClientId::from_bytes(input.fixed()?),
            environment: Environment::from_code(input.u8()?)?,
            scopes: ScopeSet::from_bits(input.u8()?)?,
            networks: input.list(|input| input.parsed("a network"))?,
            secrets: input.list(decode_secret)?,
            created_at: Timestamp::from_millis(input.int()?),
            expires_at: decode_end(&mut input)?,
            revoked_at: decode_end(&mut input)?,
            label: input.option(|input| input.parsed("a label of a key"))?,
            last_used_at: decode_end(&mut input)?,
            expiry_reported_at: if is_reported {
                Some(Timestamp::from_millis(input.int()?))
            } else {
                None
            },
        };
        input.finish()?;
        Ok(key)
    }
}

fn encode_secret(out: &mut Encoder, secret: &KeySecret) {
    out.fixed(&secret.digest.0).str(&secret.hint);
    encode_end(out, secret.valid_until);
}

fn decode_secret(input: &mut Decoder<'_>) -> Result<KeySecret, DecodeError> {
    Ok(KeySecret {
        digest: KeyDigest(input.fixed()?),
        hint: input.str()?.to_owned(),
        valid_until: decode_end(input)?,
    })
}

fn encode_end(out: &mut Encoder, end: Option<Timestamp>) {
    out.option(end, |out, end| {
        out.int(end.as_millis());
    });
}

fn decode_end(input: &mut Decoder<'_>) -> Result<Option<Timestamp>, DecodeError> {
    input.option(|input| input.int().map(Timestamp::from_millis))
}
