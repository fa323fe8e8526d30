//! Index records, which map one key to another, and marker records, whose key is their only content.

use super::ClientNumber;
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::vocabulary::{CheckId, ClientId, KeyId};

/// Client of an API key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiKeyIndex(pub ClientNumber);

/// Location of an API key: its client and its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiKeyLocation {
    /// Number of the client.
    pub client_number: ClientNumber,
    /// Id of the API key.
    pub key: KeyId,
}

/// Location of a context: its client, and its number within the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextLocation {
    /// Number of the client.
    pub client_number: ClientNumber,
    /// Number of the context within the client.
    pub number: u32,
}

/// Client that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientNameIndex(pub ClientId);

/// First check that presented an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PresentedInputIndex(pub CheckId);

/// Number of the signing key in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SigningKeyNumber(pub u32);

/// Marker: the evidence of a check expires at the time in the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvidenceByExpiry;

/// Marker: a webhook endpoint is due at the time in the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueEndpoint;

/// Marker: a check with evidence that is not judged was opened at the time in the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnjudgedCheck;

macro_rules! records {
    ($($record:ty: |$value:ident, $out:ident| $write:expr, |$input:ident| $read:expr;)*) => {$(
        impl Encode for $record {
            fn encode(&self) -> Vec<u8> {
                let $value = self;
                let mut $out = Encoder::versioned(VERSION);
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
    ApiKeyLocation: |this, out| out.uint(this.client_number.0.into()).fixed(&this.key.to_bytes()),
        |input| Self { client_number: ClientNumber(input.uint_as()?), key: KeyId::from_bytes(input.fixed()?) };
    ContextLocation: |this, out| out.uint(this.client_number.0.into()).uint(this.number.into()),
        |input| Self { client_number: ClientNumber(input.uint_as()?), number: input.uint_as()? };
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
    EvidenceByExpiry;
    UnjudgedCheck;
    DueEndpoint;
}
