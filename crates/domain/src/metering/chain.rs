//! Hash chain over a client's ledger, and the commitments that hide its addresses.

use super::LedgerId;
use crate::vocabulary::{ContextId, EoaAddress};
use std::fmt;
use std::str::FromStr;

/// Head of a ledger's chain: `head(n) = BLAKE3(head(n - 1) || row(n))`.
///
/// ```
/// use voight_domain::ClientId;
/// use voight_domain::metering::{ChainHead, LedgerId};
///
/// let genesis = ChainHead::genesis(LedgerId::live(ClientId::from_bytes([1; 16])));
/// let head = genesis.extend(b"first row").extend(b"second row");
/// assert_ne!(head, genesis.extend(b"second row").extend(b"first row"));
/// assert_eq!(head.to_string().parse(), Ok(head));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChainHead(pub [u8; 32]);

/// Error returned for a text that is not a chain head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the head of a chain is 64 lower-case hexadecimal digits")]
pub struct HeadError;

impl ChainHead {
    /// Returns the head of an empty ledger. It depends on client and environment, so that no row fits into another
    /// ledger.
    pub fn genesis(ledger: LedgerId) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher
            .update(b"voight ledger 1 ")
            .update(ledger.environment.label().as_bytes())
            .update(&ledger.client.to_bytes());
        Self(hasher.finalize().into())
    }

    /// Returns the head after a row with these canonical bytes.
    #[must_use]
    pub fn extend(self, row: &[u8]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0).update(row);
        Self(hasher.finalize().into())
    }
}

impl fmt::Display for ChainHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        data_encoding::HEXLOWER.encode_display(&self.0).fmt(f)
    }
}

impl FromStr for ChainHead {
    type Err = HeadError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = data_encoding::HEXLOWER
            .decode(text.as_bytes())
            .map_err(|_| HeadError)?;
        bytes.try_into().map(Self).map_err(|_| HeadError)
    }
}

/// Commitment to a random nonce, the context and the address, which a row holds instead of the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Commitment(pub [u8; 32]);

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        data_encoding::HEXLOWER.encode_display(&self.0).fmt(f)
    }
}

/// Opening of a commitment. It is stored apart from the row and is deleted by retention or an erasure; the chain stays
/// valid, and without the nonce the commitment cannot be tested against guessed addresses.
///
/// ```
/// use voight_domain::EoaAddress;
/// use voight_domain::metering::Opening;
///
/// let context = "spring_quest.01m8j0jzwxsyyzcbkeny8x3jfz".parse()?;
/// let address = EoaAddress::from_bytes([1; 20]);
/// let opening = Opening { nonce: [7; 16], address };
/// let commitment = opening.commit(&context);
/// // Who guesses the address cannot test the guess without the nonce.
/// assert_ne!(commitment, Opening { nonce: [8; 16], address }.commit(&context));
/// # Ok::<(), voight_domain::vocabulary::ContextIdError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// 16 random bytes.
    pub nonce: [u8; 16],
    /// The address of the lookup.
    pub address: EoaAddress,
}

impl Opening {
    /// Returns the commitment of this opening, in a row about `context`.
    pub fn commit(&self, context: &ContextId) -> Commitment {
        let mut hasher = blake3::Hasher::new();
        // The nonce and the address have fixed lengths, so the encoding is unambiguous.
        hasher
            .update(&self.nonce)
            .update(self.address.as_bytes())
            .update(context.as_str().as_bytes());
        Commitment(hasher.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::{ClientId, Environment};

    #[test]
    fn ledgers_have_different_genesis_heads() {
        let client = ClientId::from_bytes([1; 16]);
        let live = ChainHead::genesis(LedgerId::live(client));
        assert_ne!(
            live,
            ChainHead::genesis(LedgerId {
                client,
                environment: Environment::Sandbox
            })
        );
        assert_ne!(
            live,
            ChainHead::genesis(LedgerId::live(ClientId::from_bytes([2; 16])))
        );
        assert_ne!(
            live.extend(b"a").extend(b"b"),
            live.extend(b"b").extend(b"a")
        );
    }

    #[test]
    fn commitment_depends_on_each_part() {
        let context: ContextId = "a.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap();
        let other_context: ContextId = "b.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap();
        let opening = Opening {
            nonce: [1; 16],
            address: EoaAddress::from_bytes([2; 20]),
        };
        let commitment = opening.commit(&context);
        assert_ne!(commitment, opening.commit(&other_context));
        assert_ne!(
            commitment,
            Opening {
                nonce: [3; 16],
                ..opening
            }
            .commit(&context)
        );
        assert_ne!(
            commitment,
            Opening {
                address: EoaAddress::from_bytes([4; 20]),
                ..opening
            }
            .commit(&context)
        );
    }
}
