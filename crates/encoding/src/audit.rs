//! Encoding of the audit log. An entry is stored as its canonical bytes.

use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::metering::ChainHead;
use voight_domain::registry::{AuditEntry, AuditHead};

impl Encode for AuditEntry {
    fn encode(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::from_bytes(bytes)
    }
}

impl Encode for AuditHead {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.uint(self.seq).fixed(&self.head.0).finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let end = Self {
            seq: input.uint()?,
            head: ChainHead(input.fixed()?),
        };
        input.finish()?;
        Ok(end)
    }
}
