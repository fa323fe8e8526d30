//! Audit entries.

use super::{Record, VERSION};
use crate::table::Table;
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::registry::{Actor, AuditAction, AuditEntry};
use voight_domain::vocabulary::{KeyId, Timestamp};

const OPERATOR: u8 = 0;
const KEY: u8 = 1;
const SERVICE: u8 = 2;

impl Record for AuditEntry {
    const TABLE: Table = Table::Audit;

    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.int(self.at.as_millis());
        match &self.actor {
            Actor::Operator => out.u8(OPERATOR),
            Actor::Key(id) => out.u8(KEY).fixed(&id.to_bytes()),
            Actor::Service => out.u8(SERVICE),
        };
        // Actions are stored by their stable names.
        out.str(self.action.as_str()).str(&self.subject).str(&self.detail).finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let at = Timestamp::from_millis(input.int()?);
        let actor = match input.u8()? {
            OPERATOR => Actor::Operator,
            KEY => Actor::Key(KeyId::from_bytes(input.fixed()?)),
            SERVICE => Actor::Service,
            _ => return Err(DecodeError::OutOfRange("an actor")),
        };
        let action = decode_action(&mut input)?;
        let entry = Self { at, actor, action, subject: input.str()?.to_owned(), detail: input.str()?.to_owned() };
        input.finish()?;
        Ok(entry)
    }
}

fn decode_action(input: &mut Decoder<'_>) -> Result<AuditAction, DecodeError> {
    let name = input.str()?;
    AuditAction::ALL
        .into_iter()
        .find(|action| action.as_str() == name)
        .ok_or(DecodeError::OutOfRange("the name of an action"))
}
