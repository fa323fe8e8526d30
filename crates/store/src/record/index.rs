//! Small records that lead from one key to another, or only say that something is there.

use super::{Encoded, Record, VERSION};
use crate::table::{Table, Tenant};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::vocabulary::{CheckId, ClientId, KeyId};

/// The client whose key it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyOwner(pub(crate) Tenant);

/// Where a key lies: its client and its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyPlace {
    pub(crate) tenant: Tenant,
    pub(crate) key: KeyId,
}

/// Where a context lies: its client, and its number within the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContextPlace {
    pub(crate) tenant: Tenant,
    pub(crate) number: u32,
}

/// The client that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NameOwner(pub(crate) ClientId);

/// The check that presented an input first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InputOwner(pub(crate) CheckId);

/// The number of the signing key in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SigningKeyNumber(pub(crate) u32);

/// A claim ends at the time in the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClaimEnd;

/// A check with evidence was opened at the time in the key; only in stores of format 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Aged;

/// A check's evidence is kept until the time in the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Due;

/// A check with evidence that is not settled was opened at the time in the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unsettled;

macro_rules! records {
    ($($record:ty, $table:ident: |$value:ident, $out:ident| $write:expr, |$input:ident| $read:expr;)*) => {$(
        impl Record for $record {
            const TABLE: Table = Table::$table;
        }

        impl Encoded for $record {
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
    KeyOwner, KeyOwner: |this, out| out.uint(this.0.0.into()), |input| Self(Tenant(input.small()?));
    KeyPlace, KeyDigest: |this, out| out.uint(this.tenant.0.into()).fixed(&this.key.to_bytes()),
        |input| Self { tenant: Tenant(input.small()?), key: KeyId::from_bytes(input.fixed()?) };
    ContextPlace, ContextPlace: |this, out| out.uint(this.tenant.0.into()).uint(this.number.into()),
        |input| Self { tenant: Tenant(input.small()?), number: input.small()? };
    NameOwner, ClientName: |this, out| out.fixed(&this.0.to_bytes()), |input| Self(ClientId::from_bytes(input.fixed()?));
    SigningKeyNumber, SigningKey: |this, out| out.uint(this.0.into()), |input| Self(input.small()?);
    InputOwner, Input: |this, out| out.fixed(&this.0.to_bytes()), |input| Self(CheckId::from_bytes(input.fixed()?));
}

macro_rules! marks {
    ($($mark:ident, $table:ident;)*) => {$(
        impl Record for $mark {
            const TABLE: Table = Table::$table;
        }

        impl Encoded for $mark {
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

marks! {
    ClaimEnd, ClaimEnd;
    Aged, EvidenceAge;
    Due, EvidenceDue;
    Unsettled, Unsettled;
}
