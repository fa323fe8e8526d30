//! Challenge that opens a check: a token with a MAC, so that opening writes nothing.

use super::TargetPosition;
use crate::codec::{DecodeError, Decoder, Encoder};
use crate::registry::PressCount;
use crate::secrets::Secrets;
use crate::verdict::LayerKind;
use crate::vocabulary::{CheckId, ContextId, Environment, EoaAddress, Origin, Timestamp};
use std::time::Duration;

/// Maximum duration of a check.
pub const CHECK_TTL: Duration = Duration::from_mins(5);

const VERSION: u8 = 1;
const KIND: &str = "challenge";

/// Parameters with which a check was opened. The server does not store them: the window returns the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// The check.
    pub check: CheckId,
    /// The context of the check.
    pub context: ContextId,
    /// The address of the check.
    pub address: EoaAddress,
    /// The origin of the host page.
    pub origin: Origin,
    /// `true` if that origin was on an allowlist.
    pub origin_allowlisted: bool,
    /// The environment: live or sandbox.
    pub environment: Environment,
    /// The layer: with or without proof of ownership.
    pub layer: LayerKind,
    /// Number of presses that a pointer has to make.
    pub presses: PressCount,
    /// The seed of the first target's position.
    pub seed: [u8; 8],
    /// Leading zero bits that the proof of work needs.
    pub work_bits: u8,
    /// The time of opening.
    pub opened_at: Timestamp,
}

impl Challenge {
    /// Returns the time of expiry.
    pub fn expires_at(&self) -> Timestamp {
        self.opened_at.saturating_add(CHECK_TTL)
    }

    /// Returns the position of the first target.
    pub fn first_target(&self) -> TargetPosition {
        let [a, b, c, d, ..] = self.seed;
        TargetPosition::from_random([a, b, c, d])
    }

    /// Returns the token that the window sends back.
    pub fn to_token(&self, secrets: &Secrets) -> String {
        secrets.seal(KIND, self.to_bytes())
    }

    /// Returns the challenge in an authentic token; `None` for any other text. The caller verifies the expiry.
    pub fn from_token(token: &str, secrets: &Secrets) -> Option<Self> {
        Self::from_bytes(&secrets.unseal(KIND, token)?).ok()
    }

    /// Returns the bytes of the challenge without the MAC, as they are stored with evidence.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.fixed(&self.check.to_bytes())
            .str(self.context.as_str())
            .fixed(self.address.as_bytes());
        out.str(self.origin.as_str())
            .u8(u8::from(self.origin_allowlisted));
        out.u8(u8::from(self.environment.is_test()))
            .u8(u8::from(self.layer == LayerKind::Owned));
        out.u8(self.presses.count())
            .fixed(&self.seed)
            .u8(self.work_bits)
            .int(self.opened_at.as_millis());
        out.finish()
    }

    /// Parses the bytes of a challenge.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let challenge = Self {
            check: CheckId::from_bytes(input.fixed()?),
            context: input.parsed("a context id")?,
            address: EoaAddress::from_bytes(input.fixed()?),
            origin: Origin::from_record(input.str()?)
                .ok_or(DecodeError::OutOfRange("an origin"))?,
            origin_allowlisted: input.bool()?,
            environment: Environment::from_is_test(input.bool()?),
            layer: if input.bool()? {
                LayerKind::Owned
            } else {
                LayerKind::Unverified
            },
            presses: PressCount::try_from(input.u8()?)
                .map_err(|_| DecodeError::OutOfRange("presses"))?,
            seed: input.fixed()?,
            work_bits: input.u8()?,
            opened_at: Timestamp::from_millis(input.int()?),
        };
        input.finish()?;
        Ok(challenge)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::secrets::Pepper;
    use proptest::prelude::*;

    pub(crate) fn secrets() -> Secrets {
        Secrets::derive(&Pepper::from_bytes([8; 32]), 0)
    }

    pub(crate) fn challenge() -> Challenge {
        Challenge {
            check: CheckId::from_bytes([1; 16]),
            context: "spring.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap(),
            address: EoaAddress::from_bytes([2; 20]),
            origin: "https://quest.example".parse().unwrap(),
            origin_allowlisted: false,
            environment: Environment::Live,
            layer: LayerKind::Unverified,
            presses: PressCount::Two,
            seed: [3; 8],
            work_bits: 13,
            opened_at: Timestamp::from_millis(1_800_000_000_000),
        }
    }

    #[test]
    fn changed_challenge_token_is_rejected() {
        let token = challenge().to_token(&secrets());
        assert_eq!(Challenge::from_token(&token, &secrets()), Some(challenge()));
        for place in 0..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
            assert_eq!(
                Challenge::from_token(&String::from_utf8(bytes).unwrap(), &secrets()),
                None
            );
        }
    }

    #[test]
    fn token_of_another_pepper_is_rejected() {
        let other_secrets = Secrets::derive(&Pepper::from_bytes([9; 32]), 0);
        assert_eq!(
            Challenge::from_token(&challenge().to_token(&secrets()), &other_secrets),
            None
        );
    }

    proptest! {
        #[test]
        fn parser_never_panics(text: String, bytes: Vec<u8>) {
            let _ = Challenge::from_token(&text, &secrets());
            let _ = Challenge::from_bytes(&bytes);
        }
    }
}
