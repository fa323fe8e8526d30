//! The challenge that opens a check: a MAC'd token, so that opening writes nothing.

use super::TargetPosition;
use crate::codec::{DecodeError, Decoder, Encoder};
use crate::registry::PressCount;
use crate::secrets::Secrets;
use crate::verdict::LayerKind;
use crate::vocabulary::{CheckId, ContextId, Environment, EoaAddress, Origin, Timestamp};
use std::time::Duration;

/// How long a check may take.
pub const CHECK_TTL: Duration = Duration::from_mins(5);

const VERSION: u8 = 1;
const KIND: &str = "challenge";

/// Everything a check was opened with. The server keeps none of it: it comes back in the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// The check.
    pub check: CheckId,
    /// Its context.
    pub context: ContextId,
    /// Its address.
    pub address: EoaAddress,
    /// The origin of the page that hosts it.
    pub origin: Origin,
    /// Whether that origin was on a pinned list.
    pub origin_allowlisted: bool,
    /// Live or sandbox.
    pub environment: Environment,
    /// Whether the session belongs to the address.
    pub layer: LayerKind,
    /// How many presses a pointer is asked for.
    pub presses: PressCount,
    /// Places the first target.
    pub seed: [u8; 8],
    /// Leading zero bits that the work must show.
    pub work_bits: u8,
    /// When it was opened.
    pub opened_at: Timestamp,
}

impl Challenge {
    /// When the check ends.
    pub fn expires_at(&self) -> Timestamp {
        self.opened_at.saturating_add(CHECK_TTL)
    }

    /// Where the first target is drawn.
    pub fn first_target(&self) -> TargetPosition {
        let [a, b, c, d, ..] = self.seed;
        TargetPosition::from_random([a, b, c, d])
    }

    /// The token that the window sends back.
    pub fn to_token(&self, secrets: &Secrets) -> String {
        secrets.seal(KIND, self.to_bytes())
    }

    /// The challenge in a token of ours; `None` for anything else. Expiry is the caller's to check.
    pub fn from_token(token: &str, secrets: &Secrets) -> Option<Self> {
        Self::from_bytes(&secrets.unseal(KIND, token)?).ok()
    }

    /// The challenge without its MAC, as it is kept beside evidence.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.fixed(&self.check.to_bytes()).str(self.context.as_str()).fixed(self.address.as_bytes());
        out.str(self.origin.as_str()).u8(u8::from(self.origin_allowlisted));
        out.u8(u8::from(self.environment.is_test())).u8(u8::from(self.layer == LayerKind::Owned));
        out.u8(self.presses.count()).fixed(&self.seed).u8(self.work_bits).int(self.opened_at.as_millis());
        out.finish()
    }

    /// The challenge with these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let challenge = Self {
            check: CheckId::from_bytes(input.fixed()?),
            context: input.parsed("a context id")?,
            address: EoaAddress::from_bytes(input.fixed()?),
            origin: Origin::from_record(input.str()?).ok_or(DecodeError::OutOfRange("an origin"))?,
            origin_allowlisted: input.bool()?,
            environment: if input.bool()? { Environment::Sandbox } else { Environment::Live },
            layer: if input.bool()? { LayerKind::Owned } else { LayerKind::Unverified },
            presses: PressCount::try_from(input.u8()?).map_err(|_| DecodeError::OutOfRange("presses"))?,
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
    fn a_token_gives_its_challenge_back_and_any_change_breaks_it() {
        let token = challenge().to_token(&secrets());
        assert_eq!(Challenge::from_token(&token, &secrets()), Some(challenge()));
        for place in 0..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
            assert_eq!(Challenge::from_token(&String::from_utf8(bytes).unwrap(), &secrets()), None);
        }
    }

    #[test]
    fn another_installation_refuses_the_token() {
        let other = Secrets::derive(&Pepper::from_bytes([9; 32]), 0);
        assert_eq!(Challenge::from_token(&challenge().to_token(&secrets()), &other), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text: String, bytes: Vec<u8>) {
            let _ = Challenge::from_token(&text, &secrets());
            let _ = Challenge::from_bytes(&bytes);
        }
    }
}
