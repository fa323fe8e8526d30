//! Clients with their numbers, and the counters of their API keys and contexts.

use super::ClientNumber;
use crate::client::{decode_client, encode_client};
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::registry::Client;

/// Client with its number in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientRecord {
    /// Number of the client.
    pub client_number: ClientNumber,
    /// The client.
    pub client: Client,
}

/// Number of clients created so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClientCount(pub u32);

/// Last numbers assigned to a client's API keys and contexts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClientCounters {
    /// Last number of an API key.
    pub keys: u32,
    /// Last number of a context.
    pub contexts: u32,
}

impl Encode for ClientRecord {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.uint(self.client_number.0.into());
        encode_client(&mut out, &self.client);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let numbered_client = Self {
            client_number: ClientNumber(input.uint_as()?),
            client: decode_client(&mut input)?,
        };
        input.finish()?;
        Ok(numbered_client)
    }
}

impl Encode for ClientCount {
    fn encode(&self) -> Vec<u8> {
        Encoder::versioned(VERSION).uint(self.0.into()).finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let total = Self(input.uint_as()?);
        input.finish()?;
        Ok(total)
    }
}

impl Encode for ClientCounters {
    fn encode(&self) -> Vec<u8> {
        Encoder::versioned(VERSION)
            .uint(self.keys.into())
            .uint(self.contexts.into())
            .finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let counts = Self {
            keys: input.uint_as()?,
            contexts: input.uint_as()?,
        };
        input.finish()?;
        Ok(counts)
    }
}
