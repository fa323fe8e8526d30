//! Clients with their numbers, and the numbers they give out.

use super::{Encoded, Record, VERSION};
use crate::table::{Table, Tenant};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::registry::Client;
use voight_record::{decode_client, encode_client};

/// A client with its number in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NumberedClient {
    pub(crate) tenant: Tenant,
    pub(crate) client: Client,
}

/// How many clients have been created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ClientTotal(pub(crate) u32);

/// The last numbers that a client has given to its keys and contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    pub(crate) keys: u32,
    pub(crate) contexts: u32,
}

impl Record for NumberedClient {
    const TABLE: Table = Table::Client;
}

impl Encoded for NumberedClient {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.uint(self.tenant.0.into());
        encode_client(&mut out, &self.client);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let numbered = Self { tenant: Tenant(input.small()?), client: decode_client(&mut input)? };
        input.finish()?;
        Ok(numbered)
    }
}

impl Record for ClientTotal {
    const TABLE: Table = Table::ClientTotal;
}

impl Encoded for ClientTotal {
    fn encode(&self) -> Vec<u8> {
        Encoder::versioned(VERSION).uint(self.0.into()).finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let total = Self(input.small()?);
        input.finish()?;
        Ok(total)
    }
}

impl Record for Counts {
    const TABLE: Table = Table::Counts;
}

impl Encoded for Counts {
    fn encode(&self) -> Vec<u8> {
        Encoder::versioned(VERSION).uint(self.keys.into()).uint(self.contexts.into()).finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let counts = Self { keys: input.small()?, contexts: input.small()? };
        input.finish()?;
        Ok(counts)
    }
}
