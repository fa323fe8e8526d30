//! Vouched sessions: the backend of a platform vouches for the address of its visitor.

use crate::codec::{Decoder, Encoder};
use crate::secrets::Secrets;
use crate::vocabulary::{ContextId, EoaAddress, Timestamp};
use std::time::Duration;

/// Lifetime of a session token.
pub const SESSION_TTL: Duration = Duration::from_mins(10);

const VERSION: u8 = 1;
const KIND: &str = "session";

/// Vouched session, the content of a session token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VouchedSession {
    /// The context.
    pub context: ContextId,
    /// The address.
    pub address: EoaAddress,
    /// The time of expiry.
    pub expires_at: Timestamp,
}

impl VouchedSession {
    /// Returns the token that the component passes to the window.
    pub fn to_token(&self, secrets: &Secrets) -> String {
        let mut out = Encoder::versioned(VERSION);
        out.str(self.context.as_str())
            .fixed(self.address.as_bytes())
            .int(self.expires_at.as_millis());
        secrets.seal(KIND, out.finish())
    }

    /// Returns the session in an authentic token; `None` for any other text.
    pub fn from_token(token: &str, secrets: &Secrets) -> Option<Self> {
        let bytes = secrets.unseal(KIND, token)?;
        let mut input = Decoder::versioned(&bytes, VERSION).ok()?;
        let session = Self {
            context: input.parsed("a context id").ok()?,
            address: EoaAddress::from_bytes(input.fixed().ok()?),
            expires_at: Timestamp::from_millis(input.int().ok()?),
        };
        input.finish().ok()?;
        Some(session)
    }

    /// Returns `true` if the session vouches for this address in this context at `now`.
    pub fn vouches_for(&self, context: &ContextId, address: &EoaAddress, now: Timestamp) -> bool {
        self.context == *context && self.address == *address && now < self.expires_at
    }
}

#[cfg(test)]
mod tests {
    use super::super::challenge::tests::{challenge, secrets};
    use super::*;

    #[test]
    fn session_is_for_one_address_and_context() {
        let session = VouchedSession {
            context: challenge().context,
            address: challenge().address,
            expires_at: Timestamp::from_millis(100),
        };
        let decoded_session =
            VouchedSession::from_token(&session.to_token(&secrets()), &secrets()).unwrap();
        assert_eq!(decoded_session, session);
        let other_context: ContextId = "other.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap();
        assert!(decoded_session.vouches_for(
            &session.context,
            &session.address,
            Timestamp::from_millis(99)
        ));
        assert!(!decoded_session.vouches_for(
            &session.context,
            &session.address,
            Timestamp::from_millis(100)
        ));
        assert!(!decoded_session.vouches_for(
            &other_context,
            &session.address,
            Timestamp::from_millis(0)
        ));
        assert!(!decoded_session.vouches_for(
            &session.context,
            &EoaAddress::from_bytes([9; 20]),
            Timestamp::from_millis(0)
        ));
    }

    #[test]
    fn session_token_with_extra_bytes_is_rejected() {
        let mut body = Encoder::versioned(VERSION);
        body.str(challenge().context.as_str())
            .fixed(challenge().address.as_bytes())
            .int(100)
            .u8(0);
        assert_eq!(
            VouchedSession::from_token(&secrets().seal(KIND, body.finish()), &secrets()),
            None
        );
    }

    #[test]
    fn challenge_token_is_no_session() {
        assert_eq!(
            VouchedSession::from_token(&challenge().to_token(&secrets()), &secrets()),
            None
        );
    }
}
