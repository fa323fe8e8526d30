//! Small records that lead from one key to another, or only say that something is there.

use super::ClientNumber;
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::vocabulary::{CheckId, ClientId, KeyId};

/// The client whose key it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiKeyIndex(pub ClientNumber);

/// Where a key lies: its client and its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiKeyLocation {
    /// The client.
    pub tenant: ClientNumber,
    /// The id.
    pub key: KeyId,
}

/// Where a context lies: its client, and its number within the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextLocation {
    /// The client.
    pub tenant: ClientNumber,
    /// The number.
    pub number: u32,
}

/// The client that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientNameIndex(pub ClientId);

/// The check that presented an input first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PresentedInputIndex(pub CheckId);

/// The number of the signing key in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SigningKeyNumber(pub u32);

/// A claim ends at the time in the key; only in stores up to format 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimEnd;

/// A check with evidence was opened at the time in the key; only in stores of format 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvidenceByAge;

/// A check's evidence is kept until the time in the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvidenceByExpiry;

/// A check with evidence that is not settled was opened at the time in the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnjudgedCheck;

macro_rules! records {
    ($($record:ty: |$value:ident, $out:ident| $write:expr, |$input:ident| $read:expr;)*) => {$(
        impl Encode for $record {
            fn encode(&self) -> Vec<u8> {
                let ($value, mut $out) = (self, Encoder::versioned(VERSION));
                $write.finish()
            }

            fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
                let mut $input = Decoder::versioned(bytes, VERSION)?;
                let record = $read;
                $input.finish()?;
                Ok(record)
            }
        }
    )*};
}

records! {
    ApiKeyIndex: |this, out| out.uint(this.0.0.into()), |input| Self(ClientNumber(input.uint_as()?));
    ApiKeyLocation: |this, out| out.uint(this.tenant.0.into()).fixed(&this.key.to_bytes()),
        |input| Self { tenant: ClientNumber(input.uint_as()?), key: KeyId::from_bytes(input.fixed()?) };
    ContextLocation: |this, out| out.uint(this.tenant.0.into()).uint(this.number.into()),
        |input| Self { tenant: ClientNumber(input.uint_as()?), number: input.uint_as()? };
    ClientNameIndex: |this, out| out.fixed(&this.0.to_bytes()), |input| Self(ClientId::from_bytes(input.fixed()?));
    SigningKeyNumber: |this, out| out.uint(this.0.into()), |input| Self(input.uint_as()?);
    PresentedInputIndex: |this, out| out.fixed(&this.0.to_bytes()), |input| Self(CheckId::from_bytes(input.fixed()?));
}

macro_rules! marker_records {
    ($($mark:ident;)*) => {$(
        impl Encode for $mark {
            fn encode(&self) -> Vec<u8> {
                vec![VERSION]
            }

            fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
                Decoder::versioned(bytes, VERSION)?.finish()?;
                Ok(Self)
            }
        }
    )*};
}

marker_records! {
    ClaimEnd;
    EvidenceByAge;
    EvidenceByExpiry;
    UnjudgedCheck;
}
