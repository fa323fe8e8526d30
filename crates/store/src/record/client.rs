//! Clients, and the numbers they give out.

use super::code::Coded;
use super::{Record, VERSION};
use crate::table::{Table, Tenant};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::registry::{Client, ClientStatus};
use voight_domain::vocabulary::{ClientId, Timestamp};

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

    fn encode(&self) -> Vec<u8> {
        let client = &self.client;
        let mut out = Encoder::versioned(VERSION);
        out.uint(self.tenant.0.into()).fixed(&client.id.to_bytes()).str(client.name.as_str());
        out.u8(client.status.code());
        out.list(&client.origins, |out, origin| {
            out.str(origin.as_str());
        });
        out.option(client.lookup_rate, |out, rate| {
            out.uint(rate.into());
        });
        out.int(client.created_at.as_millis()).finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let tenant = Tenant(input.small()?);
        let client = Client {
            id: ClientId::from_bytes(input.fixed()?),
            name: input.parsed("the name of a client")?,
            status: ClientStatus::from_code(input.u8()?)?,
            origins: input.list(|input| input.parsed("an origin"))?,
            lookup_rate: input.option(Decoder::small)?,
            created_at: Timestamp::from_millis(input.int()?),
        };
        input.finish()?;
        Ok(Self { tenant, client })
    }
}

impl Record for ClientTotal {
    const TABLE: Table = Table::ClientTotal;

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
