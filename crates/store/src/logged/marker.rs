//! What the database knows of its log.

use super::entry::LogId;
use crate::{Batch, EngineError, Read, envelope};
use voight_domain::codec::{DecodeError, Decoder, Encoder};

/// Sorts behind the keys of all tables, and behind the end of every range: nobody else sees it, and no copy of the records
/// takes it along.
const KEY: [u8; 3] = [u8::MAX; 3];
const VERSION: u8 = 1;

/// Up to where the log is in the database. Written in one batch with what it speaks of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CheckpointRecord {
    /// The log that is in use; `None` if everything is in the database.
    pub(super) log: Option<LogId>,
    /// The last entry that needs not be looked for in the log any more.
    pub(super) number: u64,
    /// Where in the log the next one is.
    pub(super) offset: u64,
}

impl CheckpointRecord {
    /// That of a database.
    pub(super) fn read(view: &impl Read) -> Result<Self, EngineError> {
        let mut found = Some(Self::default());
        view.get(&KEY, &mut |value| {
            found = envelope::verify(&KEY, value).and_then(|record| Self::decode(record).ok());
        })?;
        found.ok_or_else(|| EngineError::Corrupt("what it knows of its log makes no sense".into()))
    }

    /// Adds it to a batch.
    pub(super) fn put(&self, batch: &mut Batch) {
        let mut record = Encoder::versioned(VERSION);
        record.u8(self.log.is_some().into()).fixed(&self.log.unwrap_or_default());
        record.uint(self.number).uint(self.offset);
        batch.put(KEY.to_vec(), envelope::with_checksum(&KEY, record.finish()));
    }

    fn decode(record: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(record, VERSION)?;
        let (is_open, id) = (input.u8()? != 0, input.fixed()?);
        let marker = Self { log: is_open.then_some(id), number: input.uint()?, offset: input.uint()? };
        input.finish()?;
        Ok(marker)
    }
}
